import type { Config, HeadroomConfig, Shaped, Size } from '../../../shared/core/config/config';
import { boundText, unitText } from '../../../shared/core/config/unit-text';
import { type Held, heldSize } from '../../../shared/core/decision/held-size';
import { nextDecision } from '../../../shared/core/decision/next-decision';
import { planNodePool } from '../../../shared/core/decision/plan';
import { withKeptLike } from '../../../shared/core/like/pods-to-pause-pods';
import { readKeptLike } from '../../../shared/core/like/read-kept-like';
import { effectiveHeadroom } from '../../../shared/core/live/effective-pool';
import { readKept } from '../../../shared/core/live/read-kept';
import { ANNOTATIONS, readReasons } from '../../../shared/core/manifests/annotations';
import { requestTimesOf } from '../../../shared/core/occurrences/occurrences';
import { requestedOccurrences } from '../../../shared/core/occurrences/requests';
import { updateRecord } from '../../../shared/core/process-event';
import { EMPTY_RECORD, entryOf, type HeadroomRecord } from '../../../shared/core/record/record';
import { moneyText } from '../../../shared/drawing/amounts';
import { figuresOf, nounOf, type SeenHeadroom } from '../../../shared/drawing/headroom-figures';
import { liveEdits } from '../../../shared/drawing/live-edits';
import { edgeText, plannedUnits } from '../../../shared/drawing/next-text';
import { isLate, leadText, occurrenceText } from '../../../shared/drawing/occurrence-text';
import { planModel, withMost } from '../../../shared/drawing/plan-model';
import { overrideSize, plannedText } from '../../../shared/drawing/size-text';
import type { Money } from '../../../shared/pricing/money';
import { RecordBands, windowBands } from './pool-bands';
import { sentenceOf } from './sentence';
import type { BandView, PoolView } from './snapshot';
import { Timeline } from './timeline';

const HOUR = 3_600_000;
/** How far a timeline goes back and ahead. */
const BEHIND = 12 * HOUR;
const AHEAD = 24 * HOUR;
/** Plans and bands are recomputed after this time. */
const REDRAWN_AFTER = HOUR / 4;
const MAX_OCCURRENCES = 3;

export interface ShownHeadroom {
  readonly replicas: number;
  /** `undefined` while the newest write is not in the status yet: what was ready before stands. */
  readonly ready: number | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

type HistoryConfig = Pick<Config, 'heartbeatSeconds' | 'calendars'> & Partial<Config>;

interface Drawn {
  readonly at: number;
  readonly plan: PoolView['plan'];
  readonly bands: readonly BandView[];
}

export interface ViewFacts {
  readonly points: number;
  /** @default as recorded */
  readonly isFiring?: ((alarmName: string) => boolean) | undefined;
  /** What idle nodes of its NodePool have cost, if that is known. */
  readonly costOf?: (pool: HeadroomConfig) => string | undefined;
}

/** Work on a headroom. */
export interface Work {
  /** Nodes of a floor that run work; `undefined` if unknown. */
  readonly inUse?: number | undefined;
  /** Pause pods of room that work has preempted and that are not ready again; `undefined` if unknown. */
  readonly preempted?: number | undefined;
  /** Pods that would wait for a node without headroom; absent if unknown. */
  readonly wouldWait?: number | undefined;
}

/** Longer than an Event of a preemption is ahead of the Deployment's status. */
const SETTLED_MS = 10_000;

/** A change of these annotations changes the plan. */
const RECORDED_IN = [
  ANNOTATIONS.live,
  ANNOTATIONS.like,
  ANNOTATIONS.record,
  ANNOTATIONS.quarantined,
  ANNOTATIONS.decided,
];

interface Seen {
  readonly text: string;
  readonly reasons: readonly string[];
  readonly recorded: Recorded;
  readonly next: { readonly from: number; readonly decision: PoolView['next'] };
}

interface Recorded {
  readonly record: HeadroomRecord;
  readonly quarantined: string | undefined;
  readonly held: Held | undefined;
}

const NOTHING_RECORDED: Recorded = { record: EMPTY_RECORD, quarantined: undefined, held: undefined };

export class PoolHistory {
  private readonly timeline = new Timeline();
  private readonly bands = new RecordBands();
  private drawn: Drawn | undefined;
  private seen: Seen | undefined;
  private work: Work;
  private preemptedAt = 0;
  private size = { wanted: 0, readyPods: 0 };
  private edits: readonly string[] = [];
  /** What its effective config follows from, beside the deployed one. */
  private shapedBy = '';
  private month: { readonly by: string; readonly cost: Money | undefined } | undefined;
  private shortSince: number | undefined;
  private absent = false;

  private pool: HeadroomConfig;

  constructor(
    private deployed: HeadroomConfig,
    private config: HistoryConfig = { heartbeatSeconds: 60 },
    work: Work = {},
  ) {
    this.pool = deployed;
    this.work = { inUse: 0, preempted: 0, ...work };
  }

  /** The same history with a changed config. */
  withPool(pool: HeadroomConfig, config: HistoryConfig): this {
    this.config = config;
    this.deployed = pool;
    this.pool = pool;
    this.drawn = undefined;
    this.month = undefined;
    return this;
  }

  /** Records a change of the headroom; `undefined` if its Deployment does not exist. */
  observe(headroom: ShownHeadroom | undefined, now: number): void {
    const { replicas = 0, annotations = {} } = headroom ?? {};
    const ready = headroom ? (headroom.ready ?? this.size.readyPods) : 0;
    const kept = readKept(annotations[ANNOTATIONS.live]);
    const edited = effectiveHeadroom(this.deployed, kept, this.config).pool;
    const shaped = withKeptLike(edited, readKeptLike(annotations[ANNOTATIONS.like]));
    const { pool, record, quarantined } = updateRecord(shaped, headroom, now, { intents: [] });
    const recorded = { record, quarantined, held: heldSize(record, pool, { current: headroom, quarantined }) };
    this.pool = pool;
    this.shapedBy = `${annotations[ANNOTATIONS.live]} ${annotations[ANNOTATIONS.like]}`;
    this.edits = liveEdits(this.deployed, edited, kept);
    this.refill(ready, replicas, now);
    this.size = { wanted: replicas, readyPods: ready };
    this.note(now);
    this.absent = headroom === undefined;
    this.shortSince = ready < replicas ? (this.shortSince ?? now) : undefined;
    this.bands.observe(this.pool, record, now);
    const reasons = readReasons(annotations[ANNOTATIONS.reasons]);
    const text = RECORDED_IN.map((key) => annotations[key]).join('\n');
    if (text !== this.seen?.text) this.drawn = undefined;
    this.seen = { reasons, recorded, text, next: { from: now, decision: this.nextOf(recorded, now) } };
  }

  observeWork(change: Work, now: number): void {
    this.work = { ...this.work, ...change };
    if (this.seen) this.note(now);
  }

  observePreemption(now: number): void {
    this.preemptedAt = now;
    this.observeWork({ preempted: (this.work.preempted ?? 0) + 1 }, now);
  }

  /** Pause pods that became ready again are no longer preempted. */
  private refill(ready: number, wanted: number, now: number): void {
    const { preempted = 0 } = this.work;
    const isOver = ready >= wanted && now - this.preemptedAt > SETTLED_MS;
    const left = isOver ? 0 : Math.max(0, preempted - Math.max(0, ready - this.size.readyPods));
    if (this.work.preempted !== undefined) this.work = { ...this.work, preempted: left };
  }

  private get seenSize(): SeenHeadroom {
    const { inUse, preempted } = this.work;
    return { ...this.size, taken: this.pool.unit.kind === 'floor' ? inUse : preempted };
  }

  private note(now: number): void {
    this.timeline.add(now, { ...this.seenSize, kind: this.pool.unit.kind, wouldWait: this.work.wouldWait });
  }

  view(now: number, { points, isFiring, costOf }: ViewFacts): PoolView {
    const { pool, absent } = this;
    const { plan, bands } = this.draw(now);
    const { recorded = NOTHING_RECORDED, reasons = [] } = this.seen ?? {};
    const { record, quarantined } = recorded;
    const next = this.next(now);
    const override = record.override && record.override.until > now ? record.override : undefined;
    const figures = figuresOf(pool.unit.kind, this.seenSize);
    const stillFiring = (alarmName: string) => entryOf(record.alarms, alarmName)?.state === 'ALARM';
    const month = this.monthlyCost(now);
    const costs = [costOf?.(pool), month && `${moneyText(month)} a month as planned`].filter(
      (text) => text !== undefined,
    );
    const cost = costs.length > 0 ? costs.join(', ') : undefined;
    const told = { pool, record, now, override, figures, absent };
    return {
      name: pool.name,
      nodePool: pool.nodePool,
      kind: pool.unit.kind,
      unit: unitText(pool),
      noun: nounOf(pool),
      max: pool.shaped?.max ?? pool.max,
      bound: boundText(pool, override),
      sentence: sentenceOf({ ...told, ...(next && { next }), ...(cost !== undefined && { cost }) }),
      ...figures,
      ...(this.edits.length > 0 && { edits: this.edits }),
      ...(cost !== undefined && { cost }),
      reasons,
      ...(this.absent && { absent: true as const }),
      ...(this.shortSince !== undefined && { shortSince: this.shortSince }),
      ...(quarantined !== undefined && { unreadable: quarantined }),
      ...(next && { next }),
      ...occurrencesIn(record, pool, now),
      timeline: this.timeline.recent(points),
      plan,
      bands,
      alarms: pool.alarms.map(({ name, alarmName }) => ({
        name,
        alarmName,
        firing: (isFiring ?? stillFiring)(alarmName),
      })),
      ...(override && {
        override: {
          size: overrideSize(override),
          until: override.until,
          by: override.by,
          reason: override.reason,
        },
      }),
    };
  }

  /** What `plan` says that it costs in a month, shares as they were counted last; worked out again when that changes. */
  monthlyCost(now: number): Money | undefined {
    const { cluster } = this.config;
    const { shares = {} } = this.seen?.recorded.record ?? {};
    const counted = Object.values(shares).at(-1);
    const by = `${this.shapedBy} ${counted?.replicas}`;
    if (cluster && this.month?.by !== by) {
      const { shaped } = this.pool;
      const sizeOf: Shaped['sizeOf'] = (asked, of = counted, at) => shaped?.sizeOf(asked, of, at) as Size;
      const pool = shaped ? { ...this.pool, shaped: { ...shaped, sizeOf } } : this.pool;
      const config = { ...this.config, cluster, headrooms: [pool] };
      const [plan] = planModel(config, now, now + AHEAD).pools;
      const { monthlyCost: cost } = plan?.figures ?? {};
      this.month = { by, cost: cost && cost.high > 0 ? cost : undefined };
    }
    return this.month?.cost;
  }

  /** The next scheduled change, recomputed once it has passed. */
  private next(now: number): PoolView['next'] {
    const { seen } = this;
    if (!seen) return undefined;
    const { decision } = seen.next;
    if (decision && decision.at > now) return decision;
    if (!decision && now - seen.next.from < REDRAWN_AFTER) return undefined;
    const fresh = this.nextOf(seen.recorded, now);
    this.seen = { ...seen, next: { from: now, decision: fresh } };
    return fresh;
  }

  private nextOf(recorded: Recorded, now: number): PoolView['next'] {
    const next = nextDecision({ ...recorded, pool: this.pool, now });
    if (!next) return undefined;
    const { at, replicas } = next;
    const edge = edgeText(this.pool, recorded.record, at);
    return { at, replicas, text: plannedText(next), edge, units: plannedUnits(next, this.pool) };
  }

  private draw(now: number): Drawn {
    const { drawn } = this;
    if (drawn && now >= drawn.at && now - drawn.at < REDRAWN_AFTER) return drawn;
    const { leadOf } = requestTimesOf(this.pool, this.seen?.recorded.record ?? EMPTY_RECORD);
    const steps = withMost(planNodePool(this.pool, now, now + AHEAD, this.seen?.recorded));
    const plan = steps.map((step) => ({ at: step.at, replicas: step.most, text: plannedText(step) }));
    const windows = windowBands(this.pool, now - BEHIND, now + AHEAD, leadOf);
    this.drawn = { at: now, plan, bands: [...windows, ...this.bands.since(now - BEHIND)] };
    return this.drawn;
  }
}

function occurrencesIn(
  record: HeadroomRecord,
  pool: HeadroomConfig,
  now: number,
): Pick<PoolView, 'lead' | 'occurrences'> {
  const lead = leadText(pool, record);
  const context = { windows: pool.windows, now };
  const occurrences = requestedOccurrences(record, pool.windows)
    .slice(0, MAX_OCCURRENCES)
    .map((one) => ({ text: occurrenceText(one, context), late: isLate(one, pool.windows, now) }));
  return { ...(lead !== undefined && { lead }), ...(occurrences.length > 0 && { occurrences }) };
}
