import { asMap } from '../../../shared/core/config/yaml/untyped';
import type { InputDocument } from '../input/documents';
import { FieldLedger, leftWhole, type Path } from '../input/field-ledger';
import { bindingOf, freeName, type Imported, type ImportedPool, onNodePool, WHY } from '../input/imported';
import { isPinned, unitOfPause } from './headroom-unit';
import { type ImportedShape, importedShape, placeIn } from './imported-shape';
import { includeClass, type PodRole, type Priorities, podRoleOf, prioritiesOf, takePauseSettings } from './pod-role';

/** Where each kind has its pod template; a Pod is its own. */
const TEMPLATES: Readonly<Record<string, Path>> = {
  Deployment: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  ReplicaSet: ['spec', 'template'],
  ReplicationController: ['spec', 'template'],
  Pod: [],
};
const HEADROOM = 'Headroom';
const OLD = 'belongs to the old object, which you delete';

const OTHER_KINDS: Readonly<Record<string, string>> = {
  PriorityClass: WHY.ownPriorityClass,
  Namespace: 'headroom has its own namespace',
  DaemonSet: 'a DaemonSet keeps room on every node, for as long as the node lives; headroom keeps nodes',
  CronJob: 'if it changes the number of pause pods, write its times as windows under schedules',
  HorizontalPodAutoscaler: 'a window under schedules or an alarm under alarms changes the size',
  PodDisruptionBudget: 'a budget would block draining nodes with pause pods',
  Kustomization: 'names other files; import what kubectl kustomize prints',
  ConfigMap: 'a size that follows the cluster has no counterpart; base and windows are numbers',
};

/** Whether a reason is about an object that accompanies others, and explains nothing. */
export function isAside(why: string): boolean {
  return Object.values(OTHER_KINDS).includes(why);
}

export function isPauseObject(document: InputDocument, priorities: Priorities): boolean {
  const kind = String(asMap(document.value).kind);
  if (kind === HEADROOM) return true;
  const template = TEMPLATES[kind];
  if (!template) return false;
  const { isPause, yields, unknownClass } = podRoleOf(new FieldLedger(document), [...template, 'spec'], priorities);
  return isPause || (yields && unknownClass === undefined);
}

export function importPause(documents: readonly InputDocument[], nodePool: string): Imported {
  const priorities = prioritiesOf(documents);
  const taken = new Set<string>();
  const pools: ImportedPool[] = [];
  const others: Imported['others'][number][] = [];
  for (const document of documents) {
    if (!isPauseObject(document, priorities)) {
      others.push(leftWhole(document, whyNotPause(document, priorities)));
      continue;
    }
    const pool = poolOf(document, priorities, nodePool, taken);
    taken.add(pool.name);
    pools.push(pool);
  }
  return { pools, others };
}

export function whyNotPause(document: InputDocument, priorities: Priorities): string {
  const { kind } = asMap(document.value);
  if (kind === undefined)
    return 'is not a Kubernetes object; if it has the values of a chart, import what helm template prints';
  const template = TEMPLATES[String(kind)];
  if (!template) return OTHER_KINDS[String(kind)] ?? 'does not become headroom';
  const { unknownClass } = podRoleOf(new FieldLedger(document), [...template, 'spec'], priorities);
  const priority =
    unknownClass === undefined ? 'a negative priority' : `a priority that is known (${includeClass(unknownClass)})`;
  return `its pods do work of their own: neither a pause image, nor ${priority}, nor a name such as inflate`;
}

function poolOf(
  document: InputDocument,
  priorities: Priorities,
  nodePool: string,
  taken: ReadonlySet<string>,
): ImportedPool {
  const ledger = new FieldLedger(document);
  ledger.takeIdentity();
  ledger.leave(['metadata', 'namespace'], 'headroom has its own namespace');
  ledger.leave(['status'], WHY.notConfiguration);
  const { shape, role, image } = readPods(ledger, priorities);
  const { unit, remarks } = unitOfPause(shape, role);
  const bound = shape.nodePool ?? nodePool;
  const objectName = String(ledger.peek('metadata', 'name') ?? 'pause');
  const name = freeName([bound, objectName, `${bound}-${objectName}`], taken);
  const { base, ...sizes } = sizesOf(ledger, isPinned(shape, role));
  return {
    name,
    about: bindingOf(shape, bound),
    settings: {
      ...onNodePool(name, bound),
      ...(base > 0 && { base }),
      max: Math.max(base, sizes.max),
      unit,
      ...(image !== undefined && { image }),
      ...shape.settings,
    },
    remarks: { ...sizes.remarks, unit: remarks },
    sources: [
      ledger.peek('kind') === HEADROOM
        ? { ledger, otherwise: WHY.noCounterpart }
        : { ledger, otherwise: OLD, mostlyForeign: true },
    ],
  };
}

function readPods(
  ledger: FieldLedger,
  priorities: Priorities,
): { readonly shape: ImportedShape; readonly role: PodRole; readonly image?: string } {
  const kind = String(ledger.peek('kind'));
  if (kind === HEADROOM) {
    // OpenFaaS has the fields of a pod, and what it requests, directly in the spec.
    ledger.leave(['spec', 'priorityClassName'], WHY.ownPriorityClass);
    ledger.leave(['spec', 'podSecurityContext'], WHY.restricted);
    return {
      shape: importedShape(ledger, { pod: ['spec'], resources: ['spec'] }),
      role: { isPause: true, yields: true },
    };
  }
  const template = TEMPLATES[kind] ?? [];
  const pod = [...template, 'spec'];
  if (template.length > 0)
    ledger.leave([...template, 'metadata', 'annotations'], 'headroom pods carry no annotations of yours');
  return {
    shape: importedShape(ledger, placeIn(template)),
    role: podRoleOf(ledger, pod, priorities),
    ...takePauseSettings(ledger, pod, priorities),
  };
}

function sizesOf(ledger: FieldLedger, pinned: boolean) {
  const replicas = ledger.takeNumber('spec', 'replicas');
  if (replicas === 0) {
    const max =
      'edit this: replicas is 0, so the file does not say how many you need; nothing is held until you set base or a window';
    return { base: 0, max: 1, remarks: { max } };
  }
  const base = replicas ?? 1;
  const held = pinned ? 'nodes that exist at all times' : 'held all the time; use windows to hold it only when needed';
  return {
    base,
    max: base,
    remarks: {
      base: `${from(replicas, ledger.peek('spec', 'replicas') ?? undefined)}: ${held}`,
      max: 'raise it to leave room for windows, alarms, interruptions and inflate',
    },
  };
}

function from(replicas: number | undefined, written: unknown): string {
  if (replicas !== undefined) return 'replicas';
  return written === undefined ? 'no replicas, so 1' : 'edit this, replicas is not a number';
}
