import { asMap } from '../../../shared/core/config/yaml/untyped';
import type { InputDocument } from '../input/documents';
import { FieldLedger, leftWhole } from '../input/field-ledger';
import { bindingOf, freeName, type Imported, type ImportedPool, onNodePool, WHY } from '../input/imported';
import { unitOfPause } from '../pause/headroom-unit';
import { type ImportedShape, importedShape, placeIn } from '../pause/imported-shape';
import {
  namesPause,
  type PodRole,
  type Priorities,
  podRoleOf,
  prioritiesOf,
  takePauseSettings,
} from '../pause/pod-role';
import { type ImportedWindow, type KedaBounds, windowsOf } from './keda-windows';
import { type ImportedSizes, isMeasuredByNodes, workloadFloor } from './workload-floor';

const WORKLOAD = 'belongs to the workload';
const WORKLOADS = ['Deployment', 'StatefulSet', 'ReplicaSet', 'Rollout'];
const KEDA_MAX = 100;
const TEMPLATE = ['spec', 'template'];

const NO_AUTOSCALER = 'Headstart uses no HorizontalPodAutoscaler; the size changes in one step';

/** Reasons for the fields of a ScaledObject that headroom does not have. */
const REASONS = {
  pollingInterval: 'Headstart acts on the edges of a window, and checks every minute',
  cooldownPeriod: 'a window ends on time; set a later end to keep the headroom longer',
  initialCooldownPeriod: 'a window ends on time',
  fallback: 'a value that cannot be read keeps its last state',
};
const ADVANCED_REASONS = {
  scalingModifiers: 'its formula combined the triggers; here the highest open window counts',
  horizontalPodAutoscalerConfig: NO_AUTOSCALER,
  restoreToOriginalReplicaCount: NO_AUTOSCALER,
};

interface Target {
  readonly ledger?: FieldLedger;
  readonly shape: ImportedShape;
  readonly role: PodRole;
  readonly image?: string;
}

/** Imports KEDA ScaledObjects with cron triggers, and their targets if given, as headroom with the same windows. */
export function importKeda(documents: readonly InputDocument[], nodePool: string): Imported {
  const scaled = documents.filter(({ value }) => asMap(value).kind === 'ScaledObject');
  const priorities = prioritiesOf(documents);
  const used = new Set<InputDocument>(scaled);
  const taken = new Set<string>();
  const pools: ImportedPool[] = [];
  const others: Imported['others'][number][] = [];
  for (const document of scaled) {
    const target = targetOf(document, documents);
    const made = poolOf(document, target, priorities, nodePool, taken);
    if (made instanceof FieldLedger) others.push(...noCron(made));
    else {
      if (target) used.add(target);
      pools.push(made);
      taken.add(made.name);
    }
  }
  for (const document of documents) if (!used.has(document)) others.push(leftWhole(document, whyOther(document)));
  return { pools, others };
}

/** Why an object is not imported: because of its triggers, if it has any. */
function noCron(ledger: FieldLedger): Imported['others'] {
  const left = ledger.labelled('has no cron trigger that can be imported');
  const triggers = left.filter(({ path }) => path.startsWith('spec.triggers'));
  return triggers.length > 0 ? triggers : left;
}

function whyOther({ value }: InputDocument): string {
  const { kind } = asMap(value);
  if (kind === 'ScaledJob') return 'a ScaledJob starts Jobs; write a window for the time at which they start';
  if (kind === 'PriorityClass') return 'Headstart has a PriorityClass of its own';
  return 'is neither a ScaledObject nor the target of one';
}

/** The workload that a ScaledObject scales; a missing namespace matches any. */
export function targetOf({ value }: InputDocument, documents: readonly InputDocument[]): InputDocument | undefined {
  const { spec, metadata } = asMap(value);
  const { kind, name } = targetName(spec);
  const { namespace } = asMap(metadata);
  return documents.find((target) => {
    const { kind: other, metadata: its } = asMap(target.value);
    if (!WORKLOADS.includes(String(other)) || other !== kind || asMap(its).name !== name) return false;
    const where = asMap(its).namespace;
    return where === namespace || where === undefined || namespace === undefined;
  });
}

/** KEDA 1 wrote `deploymentName`. */
function targetName(spec: unknown): { readonly kind: unknown; readonly name: unknown } {
  const { kind = 'Deployment', name, deploymentName } = asMap(asMap(spec).scaleTargetRef);
  return { kind, name: name ?? deploymentName };
}

function poolOf(
  document: InputDocument,
  targetDocument: InputDocument | undefined,
  priorities: Priorities,
  nodePool: string,
  taken: ReadonlySet<string>,
): ImportedPool | FieldLedger {
  const ledger = new FieldLedger(document);
  ledger.takeIdentity();
  ledger.takeFields(['spec', 'scaleTargetRef'], ['apiVersion', 'kind', 'name', 'deploymentName']);
  ledger.leaveFields(['spec'], REASONS);
  ledger.leaveFields(['spec', 'advanced'], ADVANCED_REASONS);
  ledger.leave(['metadata', 'namespace'], 'headroom has its own namespace');
  ledger.leave(['spec', 'scaleTargetRef', 'envSourceContainerName'], 'concerns the workload');
  ledger.leave(['status'], WHY.notConfiguration);
  leavePauses(ledger);
  const objectName = String(ledger.peek('metadata', 'name') ?? 'scaled');
  const target = readTarget(ledger, targetDocument, priorities);
  const { isPause } = target.role;
  const bounds = boundsOf(ledger);
  const { windows, remarks: changed } = windowsOf(ledger, objectName, bounds, isPause ? 0 : bounds.always);
  if (windows.length === 0) return ledger;

  const { shape } = target;
  const bound = shape.nodePool ?? nodePool;
  const name = freeName([bound, objectName, `${bound}-${objectName}`], taken);
  const { settings, schedules, remarks } = headroomOf(ledger, windows, bounds, target);
  const { unit, ...sizes } = settings;
  return {
    name,
    about: bindingOf(shape, bound),
    settings: {
      ...onNodePool(name, bound),
      ...sizes,
      leadTime: '5m',
      unit,
      ...(target.image !== undefined && { image: target.image }),
      ...shape.settings,
      schedules,
    },
    remarks: {
      leadTime: 'new: how long before each start nodes are launched, so that they are ready in time',
      ...remarks,
      schedules: [...changed, ...[remarks.schedules ?? []].flat()],
    },
    sources: [
      { ledger, otherwise: WHY.noCounterpart },
      ...(target.ledger ? [{ ledger: target.ledger, otherwise: WORKLOAD, mostlyForeign: true }] : []),
    ],
  };
}

/** `autoscaling.keda.sh/paused` and the like pause KEDA; windows cannot be paused. */
function leavePauses(ledger: FieldLedger): void {
  for (const key of Object.keys(asMap(ledger.peek('metadata', 'annotations'))))
    if (key.startsWith('autoscaling.keda.sh/paused'))
      ledger.leave(['metadata', 'annotations', key], 'KEDA was paused by it; here the windows open');
}

/** Without its file, a target is taken for a workload, unless its name says that it holds a place. */
function readTarget(ledger: FieldLedger, document: InputDocument | undefined, priorities: Priorities): Target {
  if (!document) {
    const isPause = namesPause(targetName(ledger.peek('spec')).name);
    return {
      shape: { requests: {}, apart: false, labelled: false, settings: {} },
      role: { isPause, yields: true },
    };
  }
  const its = new FieldLedger(document);
  its.takeIdentity();
  const shape = importedShape(its, placeIn(TEMPLATE));
  const pod = [...TEMPLATE, 'spec'];
  const { unknownClass, ...known } = podRoleOf(its, pod, priorities);
  const role = unknownClass === undefined ? known : { ...known, isPause: true, unknownClass };
  return { ledger: its, shape, role, ...(role.isPause && takePauseSettings(its, pod, priorities)) };
}

/** While no trigger is active KEDA runs `idleReplicaCount` pods if that is set, otherwise `minReplicaCount`. */
function boundsOf(ledger: FieldLedger): KedaBounds {
  const read = (key: string) => {
    const text = String(ledger.peek('spec', key));
    return /^\d+$/.test(text) ? Number(text) : undefined;
  };
  const least = read('minReplicaCount') ?? 0;
  return { always: read('idleReplicaCount') ?? least, least, most: read('maxReplicaCount') ?? KEDA_MAX };
}

/** Scheduled pause pods become room; a scheduled workload has its own pods, and becomes a floor. */
function headroomOf(
  ledger: FieldLedger,
  windows: readonly ImportedWindow[],
  bounds: KedaBounds,
  { shape, role, ledger: given }: Target,
): ImportedSizes {
  const { max, remark } = maxOf(ledger, windows);
  const missing = given ? undefined : targetText(ledger);
  if (!role.isPause) {
    for (const key of ['minReplicaCount', 'idleReplicaCount']) {
      if (ledger.peek('spec', key) === 0) ledger.take('spec', key);
      ledger.leave(['spec', key], 'these pods run anyway, and so do their nodes');
    }
    if (isMeasuredByNodes(shape))
      return workloadFloor({ shape, windows, max, always: bounds.always, maxRemark: remark, missing });
  }
  const { unit, remarks } = unitOfPause(shape, role);
  const base = role.isPause ? Math.min(bounds.always, max) : 0;
  if (role.isPause) for (const key of ['idleReplicaCount', 'minReplicaCount']) ledger.takeNumber('spec', key);
  return {
    settings: { ...(base > 0 && { base }), max, unit },
    schedules: windows,
    remarks: {
      ...(base > 0 && {
        base: ledger.peek('spec', 'idleReplicaCount') === undefined ? 'minReplicaCount' : 'idleReplicaCount',
      }),
      ...(remark !== undefined && { max: remark }),
      unit: given
        ? remarks
        : `the target ${missing} was not given, and its name suggests pause pods; pass its file too, or set the requests of one of its pods`,
    },
  };
}

function targetText(ledger: FieldLedger): string {
  const { kind, name } = targetName(ledger.peek('spec'));
  return `${kind} ${name}`;
}

function maxOf(
  ledger: FieldLedger,
  windows: readonly ImportedWindow[],
): { readonly max: number; readonly remark?: string } {
  const given = ledger.takeNumber('spec', 'maxReplicaCount');
  if (given !== undefined) return { max: given };
  return {
    max: Math.max(...windows.map(({ desiredReplicas }) => desiredReplicas)),
    remark: 'the highest window; raise it to leave room for alarms, interruptions and inflate',
  };
}
