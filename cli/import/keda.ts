import { MAX_REPLICAS } from '../../shared/core/config/fields';
import { asList, asMap } from '../../shared/core/config/untyped';
import { parseCron } from '../../shared/core/windows/cron';
import { isTimezone } from '../../shared/core/windows/zone';
import { type InputDocument, labelOf } from './documents';
import { freeName, type Imported, type ImportedPool } from './imported';
import { Ledger } from './ledger';
import { type PodShape, podShape, unitOf } from './pod-shape';
import { NO_COUNTERPART, NOT_CONFIGURATION } from './reasons';

const WORKLOAD = 'belong to the workload';
const WORKLOADS = ['Deployment', 'StatefulSet', 'ReplicaSet', 'Rollout'];

/** Reasons for the fields of a ScaledObject that headroom does not have. */
const REASONS: readonly (readonly [readonly string[], string])[] = [
  [['spec', 'pollingInterval'], 'Headstart acts on the edges of a window, and checks every minute'],
  [['spec', 'cooldownPeriod'], 'a window ends on time; set a later end to keep the headroom longer'],
  [['spec', 'initialCooldownPeriod'], 'a window ends on time'],
  [['spec', 'idleReplicaCount'], 'base is the headroom outside of all windows'],
  [['spec', 'fallback'], 'a value that cannot be read keeps its last state'],
  [['spec', 'advanced'], 'Headstart uses no HorizontalPodAutoscaler; the size changes in one step'],
  [['metadata', 'namespace'], 'headroom has its own namespace'],
  [['spec', 'scaleTargetRef', 'envSourceContainerName'], 'concerns the workload'],
  [['status'], NOT_CONFIGURATION],
];

/** KEDA ScaledObjects with cron triggers, and their targets where given, as headroom with the same windows. */
export function importKeda(documents: readonly InputDocument[], nodePool: string): Imported {
  const scaled = documents.filter(({ value }) => asMap(value).kind === 'ScaledObject');
  const targets = documents.filter(({ value }) => WORKLOADS.includes(String(asMap(value).kind)));
  const used = new Set<InputDocument>(scaled);
  const taken = new Set<string>();
  const pools: ImportedPool[] = [];
  const others: Imported['others'][number][] = [];
  for (const document of scaled) {
    const target = targetOf(document, targets);
    const made = poolOf(document, target, nodePool, taken);
    if (made instanceof Ledger) {
      const { label } = made;
      others.push(...made.leftOvers('has no cron trigger that can be imported').map((left) => ({ label, ...left })));
    } else {
      if (target) used.add(target);
      pools.push(made);
      taken.add(made.name);
    }
  }
  for (const document of documents)
    if (!used.has(document)) others.push(whole(document, 'is neither a ScaledObject nor the target of one'));
  return { pools, others, notes: [] };
}

function whole(document: InputDocument, why: string): Imported['others'][number] {
  const value = JSON.stringify(document.value) ?? '';
  return { label: labelOf(document), path: '', value: value.length > 100 ? `${value.slice(0, 99)}…` : value, why };
}

function targetOf({ value }: InputDocument, targets: readonly InputDocument[]): InputDocument | undefined {
  const { spec, metadata } = asMap(value);
  const { kind = 'Deployment', name } = asMap(asMap(spec).scaleTargetRef);
  return targets.find((target) => {
    const { kind: other, metadata: its } = asMap(target.value);
    return other === kind && asMap(its).name === name && asMap(its).namespace === asMap(metadata).namespace;
  });
}

function poolOf(
  document: InputDocument,
  target: InputDocument | undefined,
  nodePool: string,
  taken: ReadonlySet<string>,
): ImportedPool | Ledger {
  const ledger = new Ledger(labelOf(document), document.value);
  for (const path of [['apiVersion'], ['kind'], ['metadata', 'name']]) ledger.take(...path);
  for (const key of ['apiVersion', 'kind', 'name']) ledger.take('spec', 'scaleTargetRef', key);
  for (const [path, why] of REASONS) ledger.leave(path, why);
  const objectName = String(ledger.peek('metadata', 'name') ?? 'scaled');
  const windows = windowsOf(ledger, objectName);
  if (windows.length === 0) return ledger;

  const targetLedger = target && new Ledger(labelOf(target), target.value);
  const shape = targetLedger && targetShape(targetLedger);
  const { unit, remark } = unitOf(shape ?? { requests: {}, apart: false, settings: {}, isPause: false });
  const bound = shape?.nodePool ?? nodePool;
  const name = freeName([bound, objectName, `${bound}-${objectName}`], taken);
  const sizes = sizesOf(ledger, windows, shape);
  return {
    name,
    settings: {
      ...sizes.settings,
      leadTime: '5m',
      unit,
      ...(name !== bound && { nodeSelector: { 'karpenter.sh/nodepool': bound } }),
      ...shape?.settings,
      schedules: windows,
    },
    remarks: {
      leadTime: 'new: how long before each start nodes are launched, so that they are ready in time',
      ...(remark !== undefined && {
        unit: target ? remark : 'the target was not given; pass its file too, or set the requests of one of its pods',
      }),
      ...sizes.remarks,
    },
    sources: [
      { ledger, otherwise: NO_COUNTERPART },
      ...(targetLedger ? [{ ledger: targetLedger, otherwise: WORKLOAD, mostlyForeign: true }] : []),
    ],
  };
}

function targetShape(ledger: Ledger): PodShape {
  for (const path of [['apiVersion'], ['kind'], ['metadata', 'name']]) ledger.take(...path);
  const pod = ['spec', 'template', 'spec'];
  return podShape(ledger, {
    nodeSelector: [...pod, 'nodeSelector'],
    affinity: [...pod, 'affinity'],
    tolerations: [...pod, 'tolerations'],
    spread: [...pod, 'topologySpreadConstraints'],
    containers: [...pod, 'containers'],
  });
}

interface ImportedWindow {
  readonly name: string;
  readonly timezone: string;
  readonly start: string;
  readonly end: string;
  desiredReplicas: number;
}

function windowsOf(ledger: Ledger, objectName: string): ImportedWindow[] {
  const triggers = asList(ledger.peek('spec', 'triggers')).map(asMap);
  const crons = triggers.filter(({ type }) => type === 'cron').length;
  return triggers.flatMap((trigger, index): ImportedWindow[] => {
    const here = ['spec', 'triggers', index] as const;
    if (trigger.type !== 'cron') {
      ledger.leave(here, otherTrigger(String(trigger.type)));
      return [];
    }
    const problem = cronProblem(asMap(trigger.metadata));
    if (problem !== undefined) {
      ledger.leave(here, problem);
      return [];
    }
    ledger.take(...here, 'type');
    ledger.take(...here, 'name');
    const read = (key: string) => String(ledger.take(...here, 'metadata', key));
    const given = typeof trigger.name === 'string' ? trigger.name : undefined;
    return [
      {
        name: (given ?? (crons === 1 ? objectName : `${objectName}-${index + 1}`)).slice(0, 60),
        timezone: read('timezone'),
        start: unixCron(read('start')),
        end: unixCron(read('end')),
        desiredReplicas: Number(read('desiredReplicas')),
      },
    ];
  });
}

/** KEDA's parser reads `?` as `*`. */
function unixCron(text: string): string {
  return text.replaceAll('?', '*');
}

function cronProblem({ timezone, start, end, desiredReplicas }: Readonly<Record<string, unknown>>): string | undefined {
  if (!isTimezone(String(timezone)))
    return `timezone ${JSON.stringify(timezone)} is not an IANA time zone; write the window by hand`;
  for (const [key, text] of Object.entries({ start, end })) {
    try {
      parseCron(unixCron(String(text)));
    } catch (error) {
      return `${key} ${JSON.stringify(text)} ${(error as Error).message}`;
    }
  }
  if (start === end) return 'start and end are the same, so the window never opens in KEDA either';
  const wanted = Number(desiredReplicas);
  return Number.isInteger(wanted) && wanted >= 1 && wanted <= MAX_REPLICAS
    ? undefined
    : `desiredReplicas ${JSON.stringify(desiredReplicas)} is not a whole number from 1 to ${MAX_REPLICAS}`;
}

function otherTrigger(type: string): string {
  if (type === 'aws-cloudwatch') return 'is not a cron trigger; use alarms, with the metric and a threshold';
  if (/^aws-/.test(type)) return 'is not a cron trigger; create a CloudWatch alarm and use it under alarms';
  return 'is not a cron trigger; it keeps scaling the workload, and a CloudWatch alarm under alarms can add headroom for it';
}

/** `base` and `max`; the minimum of a real workload runs anyway and is not headroom. */
function sizesOf(
  ledger: Ledger,
  windows: readonly ImportedWindow[],
  shape: PodShape | undefined,
): { settings: Record<string, unknown>; remarks: Record<string, string> } {
  const remarks: Record<string, string> = {};
  const [least, most] = [ledger.peek('spec', 'minReplicaCount'), ledger.peek('spec', 'maxReplicaCount')];
  const highest = Math.max(...windows.map(({ desiredReplicas }) => desiredReplicas));
  const max = typeof most === 'number' ? Number(ledger.take('spec', 'maxReplicaCount')) : highest;
  for (const window of windows) {
    if (window.desiredReplicas <= max) continue;
    remarks.max = `KEDA cut desiredReplicas ${window.desiredReplicas} of ${window.name} to maxReplicaCount ${max}; the import does the same`;
    window.desiredReplicas = max;
  }
  if (shape && !shape.isPause)
    ledger.leave(['spec', 'minReplicaCount'], 'these pods run anyway; base would be headroom on top of them');
  const base = ledger.peek('spec', 'minReplicaCount');
  const held =
    typeof base === 'number' && (!shape || shape.isPause)
      ? Math.min(Number(ledger.take('spec', 'minReplicaCount')), max)
      : 0;
  if (typeof least === 'number' && least > 0 && held > 0) remarks.base = 'minReplicaCount';
  if (typeof most !== 'number')
    remarks.max = 'the highest window; raise it to leave room for alarms, interruptions and inflate';
  return { settings: { ...(held > 0 && { base: held }), max }, remarks };
}
