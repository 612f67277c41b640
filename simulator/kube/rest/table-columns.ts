import { formatDuration } from '../../../shared/core/basics/duration';
import { isObject, valueAt } from '../json';
import {
  DEPLOYMENTS,
  EVENTS,
  type Kind,
  NAMESPACES,
  NODE_CLAIMS,
  NODE_POOLS,
  NODES,
  PODS,
  PRIORITY_CLASSES,
  REPLICA_SETS,
} from '../kinds';
import type { KubeObject } from '../objects';

/** One column of `kubectl get`; a wide one only appears with `-o wide`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer';
  readonly wide?: boolean;
  readonly value: (object: KubeObject, now: number) => string | number;
}

const NAME = text('Name', (object) => object.metadata.name);
const AGE = text('Age', (object, now) => age(object.metadata.creationTimestamp, now));

function text(name: string, value: Column['value']): Column {
  return { name, type: 'string', value };
}

function count(name: string, ...path: string[]): Column {
  return { name, type: 'integer', value: (object) => Number(valueAt(object, path) ?? 0) };
}

function at(name: string, ...path: string[]): Column {
  return text(name, (object) => `${valueAt(object, path) ?? ''}`);
}

function label(name: string, key: string): Column {
  return text(name, (object) => object.metadata.labels?.[key] ?? '');
}

function wide(column: Column): Column {
  return { ...column, wide: true };
}

function orNone(column: Column): Column {
  return { ...column, value: (object, now) => column.value(object, now) || '<none>' };
}

function condition(name: string, type: string): Column {
  return text(name, (object) => `${findCondition(object, type)?.status ?? ''}`);
}

function findCondition(object: KubeObject, type: string): Readonly<Record<string, unknown>> | undefined {
  const conditions = valueAt(object, ['status', 'conditions']);
  return Array.isArray(conditions) ? conditions.filter(isObject).find((one) => one.type === type) : undefined;
}

/** The age in kubectl's format: `45s`, `3m20s`, `2h`, `5d`. */
export function age(timestamp: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(timestamp)) / 1000));
  if (Number.isNaN(seconds)) return '<unknown>';
  if (seconds < 120) return `${seconds}s`;
  const step = seconds < 600 ? 1 : seconds < 10_800 ? 60 : seconds < 172_800 ? 3600 : 86_400;
  return formatDuration(Math.floor(seconds / step) * step).replace(/(\d+d).+/, '$1');
}

function containerTexts(field: 'name' | 'image'): Column['value'] {
  return (object) => {
    const containers = valueAt(object, ['spec', 'template', 'spec', 'containers']);
    return Array.isArray(containers) ? containers.map((one) => `${valueAt(one, [field])}`).join(',') : '';
  };
}

const WORKLOAD_WIDE = [
  wide(text('Containers', containerTexts('name'))),
  wide(text('Images', containerTexts('image'))),
  wide(
    text('Selector', (object) => {
      const labels = valueAt(object, ['spec', 'selector', 'matchLabels']);
      return Object.entries(isObject(labels) ? labels : {})
        .map(([key, value]) => `${key}=${value}`)
        .join(',');
    }),
  ),
];

const COLUMNS = new Map<Kind, readonly Column[]>([
  [NAMESPACES, [NAME, at('Status', 'status', 'phase'), AGE]],
  [
    PODS,
    [
      NAME,
      text('Ready', readyCount),
      text('Status', podStatus),
      text('Restarts', () => '0'),
      AGE,
      wide(orNone(at('IP', 'status', 'podIP'))),
      wide(orNone(at('Node', 'spec', 'nodeName'))),
      wide(orNone(at('Nominated Node', 'status', 'nominatedNodeName'))),
      wide(text('Readiness Gates', () => '<none>')),
    ],
  ],
  [
    NODES,
    [
      NAME,
      text('Status', nodeStatus),
      text('Roles', () => '<none>'),
      AGE,
      at('Version', 'status', 'nodeInfo', 'kubeletVersion'),
      wide(orNone(text('Internal-IP', internalAddress))),
      wide(text('External-IP', () => '<none>')),
      wide(at('OS-Image', 'status', 'nodeInfo', 'osImage')),
      wide(at('Kernel-Version', 'status', 'nodeInfo', 'kernelVersion')),
      wide(at('Container-Runtime', 'status', 'nodeInfo', 'containerRuntimeVersion')),
    ],
  ],
  [
    DEPLOYMENTS,
    [
      NAME,
      text('Ready', (object) => {
        const ready = valueAt(object, ['status', 'readyReplicas']) ?? 0;
        return `${ready}/${valueAt(object, ['spec', 'replicas']) ?? 0}`;
      }),
      count('Up-to-date', 'status', 'updatedReplicas'),
      count('Available', 'status', 'availableReplicas'),
      AGE,
      ...WORKLOAD_WIDE,
    ],
  ],
  [
    REPLICA_SETS,
    [
      NAME,
      count('Desired', 'spec', 'replicas'),
      count('Current', 'status', 'replicas'),
      count('Ready', 'status', 'readyReplicas'),
      AGE,
      ...WORKLOAD_WIDE,
    ],
  ],
  [
    PRIORITY_CLASSES,
    [
      NAME,
      count('Value', 'value'),
      text('Global-Default', (object) => `${object.globalDefault ?? false}`),
      AGE,
      at('PreemptionPolicy', 'preemptionPolicy'),
    ],
  ],
  [
    NODE_POOLS,
    [
      NAME,
      at('NodeClass', 'spec', 'template', 'spec', 'nodeClassRef', 'name'),
      count('Nodes', 'status', 'nodes'),
      condition('Ready', 'Ready'),
      AGE,
      wide(at('Weight', 'spec', 'weight')),
      wide(at('CPU', 'status', 'resources', 'cpu')),
      wide(at('Memory', 'status', 'resources', 'memory')),
    ],
  ],
  [
    NODE_CLAIMS,
    [
      NAME,
      label('Type', 'node.kubernetes.io/instance-type'),
      label('Capacity', 'karpenter.sh/capacity-type'),
      label('Zone', 'topology.kubernetes.io/zone'),
      at('Node', 'status', 'nodeName'),
      condition('Ready', 'Ready'),
      AGE,
      wide(at('ImageID', 'status', 'imageID')),
      wide(at('ID', 'status', 'providerID')),
      wide(label('NodePool', 'karpenter.sh/nodepool')),
      wide(at('NodeClass', 'spec', 'nodeClassRef', 'name')),
    ],
  ],
  [
    EVENTS,
    [
      text('Last Seen', (object, now) => age(`${object.lastTimestamp ?? object.metadata.creationTimestamp}`, now)),
      at('Type', 'type'),
      at('Reason', 'reason'),
      text('Object', (object) => {
        const { kind, name } = (object.involvedObject ?? {}) as Readonly<Record<string, unknown>>;
        return `${kind ?? ''}`.toLowerCase().concat('/', `${name ?? ''}`);
      }),
      at('Message', 'message'),
      wide(at('Source', 'source', 'component')),
      wide(count('Count', 'count')),
      wide(NAME),
    ],
  ],
]);

function nodeStatus(object: KubeObject): string {
  const ready = findCondition(object, 'Ready')?.status === 'True' ? 'Ready' : 'NotReady';
  return valueAt(object, ['spec', 'unschedulable']) === true ? `${ready},SchedulingDisabled` : ready;
}

function internalAddress(object: KubeObject): string {
  const addresses = valueAt(object, ['status', 'addresses']);
  const found = Array.isArray(addresses)
    ? addresses.filter(isObject).find(({ type }) => type === 'InternalIP')
    : undefined;
  return `${found?.address ?? ''}`;
}

/** The columns of a kind; by default name and age. */
export function columnsOf(kind: Kind): readonly Column[] {
  return COLUMNS.get(kind) ?? [NAME, AGE];
}

/** The status column of `kubectl get pods`. */
function podStatus(object: KubeObject): string {
  if (object.metadata.deletionTimestamp) return 'Terminating';
  const phase = `${valueAt(object, ['status', 'phase']) ?? 'Unknown'}`;
  return phase === 'Pending' && valueAt(object, ['spec', 'nodeName']) ? 'ContainerCreating' : phase;
}

/** Ready containers of all: `1/1`. */
function readyCount(object: KubeObject): string {
  const statuses = valueAt(object, ['status', 'containerStatuses']);
  const containers = valueAt(object, ['spec', 'containers']);
  const ready = Array.isArray(statuses) ? statuses.filter(isObject).filter((one) => one.ready === true).length : 0;
  return `${ready}/${Array.isArray(containers) ? containers.length : 0}`;
}
