import { formatDuration } from '../../../../shared/core/basics/duration';
import { type JsonObject, valueAt } from '../json';
import type { Kind } from '../kinds';
import type { KubeObject } from '../object-types';
import printed from './printer-columns.json';

/** A column of `kubectl get`, as a CRD describes its own; one with a priority only appears with `-o wide`. */
export interface Column {
  readonly name: string;
  /** @default string */
  readonly type?: string;
  readonly priority?: number;
  /** Absent where the value is computed. */
  readonly jsonPath?: string;
}

const COLUMNS: Readonly<Record<string, readonly Column[]>> = printed;
const DEFAULT_COLUMNS: readonly Column[] = [
  { name: 'Name', jsonPath: '.metadata.name' },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** A response in the Table format that `kubectl get` requests; rows contain the metadata, all of the object or neither. */
export function tableOf(
  kind: Kind,
  objects: readonly KubeObject[],
  { now, metadata, query }: { readonly now: number; readonly metadata: JsonObject; readonly query: URLSearchParams },
): JsonObject {
  const columns = columnsOf(kind);
  const include = query.get('includeObject');
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: columns.map(({ name, type = 'string', priority = 0 }) => ({
      name,
      type,
      format: name === 'Name' ? 'name' : '',
      description: name,
      priority,
    })),
    rows: objects.map((object) => ({
      cells: columns.map((column) => cellOf(kind, column, object, now)),
      ...(include !== 'None' && { object: include === 'Object' ? object : partial(object) }),
    })),
  };
}

function partial({ metadata }: KubeObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

/** The columns of a kind; by default name and age. */
export function columnsOf({ kind }: Kind): readonly Column[] {
  return COLUMNS[kind] ?? DEFAULT_COLUMNS;
}

const COMPUTED: Readonly<Record<string, (object: KubeObject) => string>> = {
  'Pod Ready': readyContainers,
  'Pod Status': podStatus,
  'Node Status': nodeStatus,
  'Deployment Ready': (object) =>
    `${first(object, '.status.readyReplicas') ?? 0}/${first(object, '.spec.replicas') ?? 0}`,
  'PriorityClass Global-Default': (object) => `${object.globalDefault ?? false}`,
  'Event Object': (object) =>
    `${first(object, '.involvedObject.kind')}`.toLowerCase().concat('/', `${first(object, '.involvedObject.name')}`),
};

export function cellOf(
  { custom }: Pick<Kind, 'custom'>,
  { name, type, jsonPath }: Column,
  object: KubeObject,
  now: number,
): string | number | null {
  if (jsonPath === undefined) return COMPUTED[`${object.kind} ${name}`]?.(object) ?? '';
  const values = valuesAt(object, jsonPath);
  if (type === 'date') return age(`${values[0]}`, now);
  return type === 'integer' ? Number(values[0] ?? 0) : values.join(',') || (custom ? null : '<none>');
}

const STEP = /\.((?:\\\.|[^.[])+)|\[\*\]|\[\?\(@\.(\w+)=="(\w+)"\)\]/g;

/** The values at a JSONPath of fields, `[*]` and `[?(@.type=="Ready")]`. */
function valuesAt(object: unknown, path: string): readonly unknown[] {
  return [...path.matchAll(STEP)].reduce<readonly unknown[]>(
    (values, [, field, key = '', wanted]) => {
      if (field !== undefined)
        return values
          .map((value) => valueAt(value, [field.replaceAll('\\.', '.')]))
          .filter((value) => value !== undefined);
      const items = values.flatMap((value) => (Array.isArray(value) ? value : []));
      return wanted === undefined ? items : items.filter((item) => valueAt(item, [key]) === wanted);
    },
    [object],
  );
}

function first(object: KubeObject, path: string): unknown {
  return valuesAt(object, path)[0];
}

/** The age in kubectl's format: `45s`, `3m20s`, `2h`, `5d`. */
function age(timestamp: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(timestamp)) / 1000));
  if (Number.isNaN(seconds)) return '<unknown>';
  if (seconds < 120) return `${seconds}s`;
  const step = seconds < 600 ? 1 : seconds < 10_800 ? 60 : seconds < 172_800 ? 3600 : 86_400;
  return formatDuration(Math.floor(seconds / step) * step).replace(/(\d+d).+/, '$1');
}

function nodeStatus(object: KubeObject): string {
  const ready = first(object, '.status.conditions[?(@.type=="Ready")].status') === 'True' ? 'Ready' : 'NotReady';
  return first(object, '.spec.unschedulable') === true ? `${ready},SchedulingDisabled` : ready;
}

function podStatus(object: KubeObject): string {
  if (object.metadata.deletionTimestamp) return 'Terminating';
  const phase = `${first(object, '.status.phase') ?? 'Unknown'}`;
  return phase === 'Pending' && first(object, '.spec.nodeName') ? 'ContainerCreating' : phase;
}

/** Ready containers of all: `1/1`. */
function readyContainers(object: KubeObject): string {
  const ready = valuesAt(object, '.status.containerStatuses[*].ready').filter((one) => one === true);
  return `${ready.length}/${valuesAt(object, '.spec.containers[*]').length}`;
}
