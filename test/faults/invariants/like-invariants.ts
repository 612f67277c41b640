import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import { headroomName } from '../../../shared/core/basics/names';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import type { Ending, Invocation } from '../environment/invocation';
import { NAMESPACE, type World } from '../environment/world';
import {
  isLoudlyUnusable,
  poolWithLike,
  replicasIn,
  sharePods,
  workloadPath,
  writtenLike,
} from '../model/expected-like';
import { expectedSize } from '../model/expected-size';
import { decisionTime } from '../model/requested-by';
import type { WrittenRecord } from '../model/written-record';
import { annotation, type ModelledWrite } from './modelled-write';

const FIVE_MINUTES = 5 * 60_000;
const MOST_WRITES = 2;

/** Something that a share of `base` depends on, by the clock of the function that saw it. */
interface Seen {
  readonly at: number;
  /** As pause pods. */
  readonly size: number;
}

/** What was seen of one headroom since its workload, or the size of its share, became another one. */
interface History {
  readonly of: string;
  /** Readings of heartbeats that were answered. */
  readonly readings: Seen[];
  /** Writes of what `base` follows that did not make it larger. */
  readonly writes: number[];
  roseAt: number;
}

/** The base of a headroom for a workload goes up at once and down slowly, and no size is more than the workload ever justified. */
export class LikeInvariants {
  private readonly histories = new Map<string, History>();

  constructor(private readonly world: World) {
    world.store.subscribe(DEPLOYMENTS, ({ type, object }) => {
      if (world.writer === 'operator' || type === 'DELETED') this.histories.delete(object.metadata.name);
    });
  }

  wrongWith(write: ModelledWrite): string | undefined {
    // A deploy in between, after which it begins anew.
    if (!write.pool.like || write.pool.baseShare === undefined) this.histories.delete(headroomName(write.pool.name));
    return write.pool.like && (this.wrongBase(write) ?? this.tooLarge(write));
  }

  /** A heartbeat that was answered has acted on what it read. */
  ended(invocation: Invocation, ending: Ending): void {
    if (ending.kind !== 'answered' || invocation.functionName !== 'reconcile') return;
    for (const deployed of invocation.config.headrooms) {
      const replicas = replicasIn(invocation.workloads.get(workloadPath(deployed) ?? ''));
      const object = this.world.store.get(DEPLOYMENTS, NAMESPACE, headroomName(deployed.name));
      const kept = writtenLike(deployed, annotation(object, 'like'));
      if (replicas === undefined || !kept?.shape || annotation(object, 'owner') !== invocation.owner) continue;
      const pool = poolWithLike(deployed, kept);
      const at = decisionTime(invocation);
      this.historyOf(pool).readings.push({ at, size: baseFor(pool, replicas) });
    }
  }

  /** Whether a workload that could not be used three times excuses a failure. */
  excuses({ config }: Invocation, now: number): boolean {
    return config.headrooms.some((pool) => {
      const object = this.world.store.get(DEPLOYMENTS, NAMESPACE, headroomName(pool.name));
      return isLoudlyUnusable(writtenLike(pool, annotation(object, 'like')), now);
    });
  }

  private wrongBase({ by, pool, object, previous, now }: ModelledWrite): string | undefined {
    const [before, after] = [previous, object].map((one) => writtenLike(pool, annotation(one, 'like')));
    const { base } = after ?? {};
    const history = this.historyOf(pool);
    if (!base || JSON.stringify(base) === JSON.stringify(before?.base)) return undefined;
    const replicas = replicasIn(by.workloads.get(workloadPath(pool) ?? ''));
    if (replicas === undefined) return 'changed what base follows, and the workload was not read';
    const [read, size] = [baseFor(pool, replicas), baseFor(pool, base.replicas)];
    if (size < read) return `base follows ${base.replicas} replicas, and there are ${replicas}`;
    if (!before?.base)
      return base.replicas === replicas ? undefined : `base begins with ${base.replicas} of ${replicas} replicas`;
    const known = baseFor(pool, before.base.replicas);
    if (size > known) {
      history.roseAt = now;
      return size === read ? undefined : `base went up to ${base.replicas} replicas, and there are ${replicas}`;
    }
    if (size < known && now - history.roseAt < FIVE_MINUTES)
      return `base went down ${now - history.roseAt} ms after it rose`;
    const higher = history.readings.find((one) => one.size > size && one.at < now && now - one.at < FIVE_MINUTES);
    if (size < known && higher) return `base went down ${now - higher.at} ms after a higher reading`;
    history.writes.push(now);
    const recent = history.writes.filter((at) => Math.abs(now - at) < FIVE_MINUTES);
    return recent.length > MOST_WRITES ? `base was written ${recent.length} times in five minutes` : undefined;
  }

  /** Were every share one of the most replicas that the workload ever had, the size would be no smaller. */
  private tooLarge({ pool, object, previous, after, now }: ModelledWrite): string | undefined {
    const most = Math.max(0, ...(this.world.workloads.sizes.get(workloadPath(pool) ?? '') ?? []));
    const held = Number(annotation(previous, 'decided-replicas') ?? previous?.spec.replicas ?? 0);
    const input = { pool: withMost(pool, most), record: ofMost(after, most), now, broken: false, decidedBefore: 0 };
    const isHeld = /held at|not counted|not known/.test(annotation(object, 'reasons') ?? '');
    const bound = Math.max(expectedSize(input).replicas, isHeld ? Math.min(held, pool.max) : 0);
    const { replicas } = object.spec;
    return replicas > bound ? `runs ${replicas}, and with all ${most} replicas it is ${bound}` : undefined;
  }

  private historyOf(pool: HeadroomConfig): History {
    const of = JSON.stringify([pool.like, pool.nodePool, pool.baseShare, pool.shaped?.pods, pool.max]);
    const known = this.histories.get(headroomName(pool.name));
    const history = known?.of === of ? known : { of, readings: [], writes: [], roseAt: Number.NEGATIVE_INFINITY };
    this.histories.set(headroomName(pool.name), history);
    return history;
  }
}

/** As pause pods. */
export function baseFor({ baseShare = 0, shaped, max }: HeadroomConfig, replicas: number): number {
  return Math.min(Math.ceil(sharePods(baseShare, replicas) / (shaped?.pods || 1)), max);
}

function withMost(pool: HeadroomConfig, most: number): HeadroomConfig {
  const base = pool.shaped?.sizeOf({ share: pool.baseShare, pods: pool.base * pool.shaped.pods }, { replicas: most });
  return base && pool.shaped ? { ...pool, shaped: { ...pool.shaped, base } } : pool;
}

function ofMost({ alarms, shares, override, ...rest }: WrittenRecord, replicas: number): WrittenRecord {
  const of = <T extends object>(one: T) => ({ ...one, of: { replicas, at: '' } });
  const each = <T extends object>(all: Readonly<Record<string, T>>, change: (one: T) => T) =>
    Object.fromEntries(Object.entries(all).map(([key, one]) => [key, change(one)]));
  return {
    ...rest,
    alarms: each(alarms, of),
    shares: each(shares, (one) => ({ ...one, replicas })),
    ...(override && { override: of(override) }),
  };
}
