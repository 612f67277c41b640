import { asMap } from '../../shared/core/config/untyped';
import { type InputDocument, labelOf } from './documents';
import { freeName, type Imported, type ImportedPool } from './imported';
import { type ImportedWindow, windowsOf } from './keda-windows';
import { Ledger } from './ledger';
import { type PodShape, podShape, unitOf } from './pod-shape';
import { NO_COUNTERPART, NOT_CONFIGURATION } from './reasons';
import { type ImportedSizes, isMeasuredByNodes, workloadFloor } from './workload-floor';

const WORKLOAD = 'belong to the workload';
const WORKLOADS = ['Deployment', 'StatefulSet', 'ReplicaSet', 'Rollout'];

const SHARED_FLOOR =
  'floors on the same nodes do not add up: if the peaks come together, add these windows to the entry above, with the sum of addNodes';

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
  const targetLedger = target && new Ledger(labelOf(target), target.value);
  const shape = targetLedger && targetShape(targetLedger);
  const windows = windowsOf(ledger, objectName, shape && !shape.isPause ? alwaysRun(ledger) : 0);
  if (windows.length === 0) return ledger;

  const bound = shape?.nodePool ?? nodePool;
  const name = freeName([bound, objectName, `${bound}-${objectName}`], taken);
  const { settings, schedules, remarks } = headroomOf(ledger, windows, shape);
  const { unit, ...sizes } = settings;
  return {
    name,
    settings: {
      ...sizes,
      leadTime: '5m',
      unit,
      ...(name !== bound && { nodeSelector: { 'karpenter.sh/nodepool': bound } }),
      ...shape?.settings,
      schedules,
    },
    remarks: {
      leadTime: 'new: how long before each start nodes are launched, so that they are ready in time',
      ...(name !== bound && 'floor' in asMap(unit) && { nodeSelector: SHARED_FLOOR }),
      ...remarks,
    },
    sources: [
      { ledger, otherwise: NO_COUNTERPART },
      ...(targetLedger ? [{ ledger: targetLedger, otherwise: WORKLOAD, mostlyForeign: true }] : []),
    ],
  };
}

function alwaysRun(ledger: Ledger): number {
  const least = ledger.peek('spec', 'minReplicaCount');
  return typeof least === 'number' ? least : 0;
}

/** Pause pods that the clock inflates are room; a workload that it scales brings its own pods, and needs nodes that exist. */
function headroomOf(ledger: Ledger, windows: readonly ImportedWindow[], shape: PodShape | undefined): ImportedSizes {
  const sizes = sizesOf(ledger, windows, shape);
  if (shape && !shape.isPause && isMeasuredByNodes(shape))
    return workloadFloor({ shape, windows, max: sizes.max, always: alwaysRun(ledger), maxRemark: sizes.remarks.max });
  const { unit, remark } = unitOf(shape ?? { requests: {}, apart: false, settings: {}, isPause: false });
  const why = shape ? remark : 'the target was not given; pass its file too, or set the requests of one of its pods';
  const { base, max } = sizes;
  return {
    settings: { ...(base > 0 && { base }), max, unit },
    schedules: windows,
    remarks: { ...(remark !== undefined && why !== undefined && { unit: why }), ...sizes.remarks },
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
    priority: [...pod, 'priority'],
    priorityClass: [...pod, 'priorityClassName'],
    containers: [...pod, 'containers'],
  });
}

/** `base` and `max`; the minimum of a real workload runs anyway and is not headroom. */
function sizesOf(
  ledger: Ledger,
  windows: readonly ImportedWindow[],
  shape: PodShape | undefined,
): { base: number; max: number; remarks: Record<string, string> } {
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
    ledger.leave(['spec', 'minReplicaCount'], 'these pods run anyway, and so do their nodes');
  const base = ledger.peek('spec', 'minReplicaCount');
  const held =
    typeof base === 'number' && (!shape || shape.isPause)
      ? Math.min(Number(ledger.take('spec', 'minReplicaCount')), max)
      : 0;
  if (typeof least === 'number' && least > 0 && held > 0) remarks.base = 'minReplicaCount';
  if (typeof most !== 'number')
    remarks.max = 'the highest window; raise it to leave room for alarms, interruptions and inflate';
  return { base: held, max, remarks };
}
