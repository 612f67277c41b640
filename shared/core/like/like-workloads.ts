import { messageOf } from '../basics/errors';
import type { Failure } from '../basics/failures';
import { LIKE_REASONS } from '../basics/like-reasons';
import type { Config, HeadroomConfig, LikeWorkload } from '../config/config';
import { ANNOTATIONS } from '../manifests/annotations';
import type { Decided } from '../record/last-decided';
import type { HeadroomRecord } from '../record/record';
import {
  type KeepInput,
  keepLike,
  type Needs,
  type WorkloadReading,
  withNeeds,
  workloadText,
  writeKeptLike,
} from './keep-like';
import type { KeptLike } from './kept-like';
import { inPausePods, unknownPods } from './pods-to-pause-pods';
import { readKeptLike } from './read-kept-like';
import type { Shape } from './shape';
import { shapedTemplate, type Template } from './shaped-template';
import { withoutShares } from './without-shares';
import type { PodTemplate, WorkloadObject } from './workload';

/** In heartbeats, one of which may be a little early or late: loud from the third on. */
const QUIET_BEATS = 1.5;

/** By `namespace/name` with the kind. */
export type WorkloadReadings = ReadonlyMap<string, WorkloadReading>;

/** The Deployment as it is. */
type Current = Decided & { readonly object: unknown };

/** The parts of an intent that tell whether it opens a share. */
type Opening = { readonly headroom: string } & (
  | { readonly kind: 'alarm'; readonly alarmName: string; readonly state: string }
  | { readonly kind: 'peak'; readonly peak: { readonly from?: number } }
  | { readonly kind: 'override'; readonly override: { readonly share?: number } }
  | { readonly kind: 'surge' | 'release' }
);

interface Seen {
  /** Absent if this invocation read no workload: what is kept applies and is passed on. */
  readonly workloads?: WorkloadReadings;
  nodePoolOf(name: string): NodePool | 'missing' | undefined;
}

/** As far as pods need to know it. */
interface NodePool {
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly zones?: readonly string[];
  readonly nodeClassGroup?: string;
}

/** What other steps do, which only bundles with such headrooms need here. */
export interface LikeSteps {
  /** Records what each share is taken of, once it opens. */
  countShares(
    record: HeadroomRecord,
    pool: HeadroomConfig,
    now: number,
    replicas: number | undefined,
  ): { readonly record: HeadroomRecord; readonly isUncounted: boolean };
  /** What the NodePool needs of pods. */
  needsOf(nodePool: NodePool): Needs;
}

export interface LikeInput {
  /** The deployed headroom, live schedules on top. */
  readonly pool: HeadroomConfig;
  readonly current: Current | undefined;
  readonly seen: Seen;
  readonly now: number;
}

export interface LikeCounted {
  readonly record: HeadroomRecord;
  readonly countedLate: readonly string[];
  /** Why a count is missing. */
  readonly uncountable?: string;
}

/** What counts for one headroom that is shaped like a workload. */
export interface LikePool {
  /** In pause pods; as long as no shape is known, every size is none. */
  readonly pool: HeadroomConfig;
  readonly kept?: KeptLike;
  /** The annotation to write. */
  readonly annotation?: string;
  /** Once the workload could not be used for three heartbeats. */
  readonly failures: readonly Failure[];
  /** What the decision says beside its own reasons. Times are absolute, so that the text stays the same. */
  readonly reasons: readonly string[];
  /** For a NodePool that cannot be read. */
  readonly needs?: Needs;
  /** The record with what each share is taken of; `pool` has the announced peaks too. */
  count(record: HeadroomRecord, pool: HeadroomConfig): LikeCounted;
  /** The pause pods' template in the workload's shape. */
  reshape(template: Template): Template;
}

/** Headrooms that are shaped like a workload of the user. */
export interface LikeWorkloads {
  /** Reads the workloads: all of them for a tick, which has no intents, else those whose share an event needs. */
  read(intents: readonly Opening[] | undefined): Promise<WorkloadReadings> | undefined;
  /** `undefined` for a headroom of another kind. */
  effective(input: LikeInput): LikePool | undefined;
}

/** Reads one workload; `undefined` if there is none. */
export type ReadWorkload = (workload: LikeWorkload) => Promise<WorkloadObject | undefined>;

export function likeWorkloads(
  { cluster, headrooms, heartbeatSeconds }: Config,
  read: ReadWorkload,
  steps: LikeSteps,
): LikeWorkloads {
  const quietMs = QUIET_BEATS * heartbeatSeconds * 1_000;
  return {
    read: (intents) => {
      const needed = headrooms.filter((one) => intents?.some((intent) => needsShare(intent, one)) ?? true);
      const workloads = new Map(needed.flatMap(({ like }) => (like ? [[keyOf(like), like] as const] : [])));
      return workloads.size === 0 ? undefined : readAll(workloads, read);
    },
    effective: (input) => {
      const { like } = input.pool;
      return (
        like &&
        effective({ ...input, pool: { ...input.pool, like } }, { ...steps, namespace: cluster.namespace, quietMs })
      );
    },
  };
}

interface Settings extends LikeSteps {
  readonly namespace: string;
  readonly quietMs: number;
}

type Input = LikeInput & Pick<KeepInput, 'pool'>;

function effective({ pool, current, seen, now }: Input, settings: Settings): LikePool {
  const { like } = pool;
  const annotation = current?.annotations[ANNOTATIONS.like];
  const stored = readKeptLike(annotation);
  const isOther = stored?.workload !== workloadText(pool);
  const before = isOther ? undefined : stored;
  const reading = seen.workloads?.get(keyOf(like));
  const nodePool = seen.nodePoolOf(pool.nodePool);
  const keeping = reading && keepLike({ pool, namespace: settings.namespace, kept: before, reading, now });
  const kept = keeping
    ? withNeeds(keeping.kept, typeof nodePool === 'object' ? settings.needsOf(nodePool) : undefined)
    : before;
  const { shape } = kept ?? {};
  const counted = shape && kept ? inPausePods(pool, shape, kept) : unknownPods(pool);
  const written = keeping && kept ? writeKeptLike(kept) : annotation;
  const workload = `${like.namespace}/${like.name}`;
  return {
    pool: counted,
    ...(kept && { kept }),
    ...(written !== undefined && { annotation: written }),
    failures: failuresOf(pool.name, kept, now - settings.quietMs),
    reasons: reasonsFor(workload, stored, kept),
    ...(kept?.needs && { needs: neededBy(kept.needs) }),
    count: (record, peaked) => {
      const known = isOther ? withoutShares(record) : record;
      const shares = settings.countShares(known, peaked, now, keeping?.replicas);
      const uncountable = missing(workload, shape, shares.isUncounted || (pool.baseShare !== undefined && !kept?.base));
      return { record: shares.record, countedLate: [], ...(uncountable !== undefined && { uncountable }) };
    },
    reshape: (template) => (shape ? shapedTemplate(template, shape, counted) : (templateOf(current) ?? template)),
  };
}

function missing(workload: string, shape: Shape | undefined, isUncounted: boolean): string | undefined {
  if (!shape) return `the pods of ${workload} are not known yet`;
  return isUncounted ? LIKE_REASONS.uncounted(workload) : undefined;
}

function failuresOf(headroom: string, { unread, unreadSince }: Partial<KeptLike> = {}, loudFrom: number): Failure[] {
  if (unread === undefined || unreadSince === undefined || Date.parse(unreadSince) > loudFrom) return [];
  return [{ what: `the workload of ${headroom}`, error: new Error(unread) }];
}

function neededBy({ tolerations, ...rest }: NonNullable<KeptLike['needs']>): Needs {
  return { defaultTolerations: tolerations, ...rest };
}

function keyOf({ kind, namespace, name }: LikeWorkload): string {
  return `${kind} ${namespace}/${name}`;
}

/** Whether an intent opens a share of the workload of this headroom. */
function needsShare(intent: Opening, { name, alarms, events = [] }: HeadroomConfig): boolean {
  if (intent.headroom !== name) return false;
  switch (intent.kind) {
    case 'alarm':
      return (
        intent.state === 'ALARM' && alarms.some((one) => one.alarmName === intent.alarmName && one.share !== undefined)
      );
    case 'peak':
      return intent.peak.from !== undefined && events.some(({ share }) => share !== undefined);
    case 'override':
      return intent.override.share !== undefined;
    default:
      return false;
  }
}

async function readAll(workloads: ReadonlyMap<string, LikeWorkload>, read: ReadWorkload): Promise<WorkloadReadings> {
  const readings = [...workloads].map(async ([key, workload]): Promise<[string, WorkloadReading]> => {
    try {
      const object = await read(workload);
      return [key, object ? { kind: 'found', object } : { kind: 'unread', problem: 'it does not exist' }];
    } catch (error) {
      return [key, { kind: 'unread', problem: messageOf(error) }];
    }
  });
  return new Map(await Promise.all(readings));
}

function reasonsFor(workload: string, stored: KeptLike | undefined, kept: KeptLike | undefined): readonly string[] {
  const { unread, unreadSince } = kept ?? {};
  const broken = kept?.broken ?? stored?.broken;
  return [
    ...(kept?.shape ? [] : [LIKE_REASONS.unshaped(workload)]),
    ...(unread !== undefined && unreadSince !== undefined ? [LIKE_REASONS.unread(workload, unreadSince, unread)] : []),
    ...(broken === undefined ? [] : [LIKE_REASONS.broken(broken)]),
  ];
}

function templateOf(current: Current | undefined): Template | undefined {
  const object = current?.object as { readonly spec?: { readonly template?: PodTemplate } } | undefined;
  return object?.spec?.template as Template | undefined;
}
