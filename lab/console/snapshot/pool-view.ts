import type { Config, HeadroomConfig } from '../../../shared/core/config/config';
import { boundText, unitText } from '../../../shared/core/config/unit-text';
import { type Held, heldSize } from '../../../shared/core/decision/held-size';
import { nextDecision } from '../../../shared/core/decision/next-decision';
import { planNodePool } from '../../../shared/core/decision/plan';
import { effectiveHeadroom } from '../../../shared/core/live/effective-pool';
import { readKept } from '../../../shared/core/live/read-kept';
import { ANNOTATIONS, readReasons } from '../../../shared/core/manifests/annotations';
import { requestTimesOf } from '../../../shared/core/occurrences/occurrences';
import { requestedOccurrences } from '../../../shared/core/occurrences/requests';
import { updateRecord } from '../../../shared/core/process-event';
import { EMPTY_RECORD, entryOf, type HeadroomRecord } from '../../../shared/core/record/record';
import { defaultZone } from '../../../shared/drawing/local-time';
import { isLate, leadText, occurrenceText } from '../../../shared/drawing/occurrence-text';
import { withMost } from '../../../shared/drawing/plan-model';
import { overrideSize, plannedText } from '../../../shared/drawing/size-text';
import { RecordBands, windowBands } from './pool-bands';
import { idleNodes, sentenceOf } from './sentence';
import { type BandView, earliest, type Moment, type PoolView } from './snapshot';
import { Timeline } from './timeline';

const HOUR = 3_600_000;
/** How far a timeline goes back and ahead. */
const BEHIND = 12 * HOUR;
const AHEAD = 24 * HOUR;
/** Plans and windows are recomputed after this time. */
const REDRAWN_AFTER = HOUR / 4;
const MAX_OCCURRENCES = 3;

export interface ShownHeadroom {
  readonly replicas: number;
  /** `undefined` while the newest write is not in the status yet: what was ready before stands. */
  readonly ready: number | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Drawn {
  readonly at: number;
  readonly plan: PoolView['plan'];
  readonly windows: readonly BandView[];
}

export interface ViewFacts {
  readonly points: number;
  /** @default as recorded */
  readonly isFiring?: ((alarmName: string) => boolean) | undefined;
  /** The price of one of the NodePool's nodes for an hour, if known. */
  readonly priceOf?: (pool: HeadroomConfig) => number | undefined;
}

interface Work {
  /** Nodes of the NodePool that run work; absent if unknown. */
  readonly inUse?: number | undefined;
  /** Pods that would wait for a node without headroom; absent if unknown. */
  readonly wouldWait?: number | undefined;
}

/** A change of these annotations changes the plan. */
const RECORDED_IN = [ANNOTATIONS.live, ANNOTATIONS.record, ANNOTATIONS.quarantined, ANNOTATIONS.decided];

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
  private work: Work = {};
  private shortSince: number | undefined;
  private absent = false;

  private pool: HeadroomConfig;

  constructor(
    private deployed: HeadroomConfig,
    private config: Pick<Config, 'heartbeatSeconds' | 'calendars'> = { heartbeatSeconds: 60 },
  ) {
    this.pool = deployed;
  }

  get nodePool(): string {
    return this.pool.nodePool;
  }

  /** The same history with a changed config. */
  withPool(pool: HeadroomConfig, config: Pick<Config, 'heartbeatSeconds' | 'calendars'>): this {
    this.config = config;
    this.deployed = pool;
    this.pool = pool;
    this.drawn = undefined;
    return this;
  }

  /** Records a change of the headroom; `undefined` if its Deployment does not exist. */
  observe(headroom: ShownHeadroom | undefined, now: number): void {
    const { replicas = 0, annotations = {} } = headroom ?? {};
    const ready = headroom ? (headroom.ready ?? this.timeline.last?.ready ?? 0) : 0;
    const withLive = effectiveHeadroom(this.deployed, readKept(annotations[ANNOTATIONS.live]), this.config).pool;
    const { pool, record, quarantined } = updateRecord(withLive, headroom, now, { intents: [] });
    const recorded = { record, quarantined, held: heldSize(record, pool, { current: headroom, quarantined }) };
    this.pool = pool;
    this.timeline.add(now, { wanted: replicas, ready, ...this.shownWork() });
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
    const { last } = this.timeline;
    if (last) this.timeline.add(now, { ...last, ...this.shownWork() });
  }

  /** Nodes in use only matter for a floor. */
  private shownWork(): Work {
    const { inUse = 0, wouldWait } = this.work;
    return { wouldWait, ...(this.pool.unit.kind === 'floor' && { inUse }) };
  }

  view(now: number, { points, isFiring, priceOf }: ViewFacts): PoolView {
    const { pool } = this;
    const { plan, windows } = this.draw(now);
    const { recorded = NOTHING_RECORDED, reasons = [] } = this.seen ?? {};
    const { record, quarantined } = recorded;
    const next = this.next(now);
    const { wanted = 0, ready = 0, used = 0 } = this.timeline.last ?? {};
    const override = record.override && record.override.until > now ? record.override : undefined;
    const useUnknown = pool.unit.kind === 'floor' && this.work.inUse === undefined;
    const sizes = { wanted, ready, used, ...(useUnknown && { useUnknown }) };
    const stillFiring = (alarmName: string) => entryOf(record.alarms, alarmName)?.state === 'ALARM';
    const price = priceOf?.(pool);
    const extraSince = (from: number) => price && price * this.timeline.hoursSince(from, now, idleNodes(pool));
    return {
      name: pool.name,
      nodePool: pool.nodePool,
      kind: pool.unit.kind,
      unit: unitText(pool),
      max: pool.max,
      bound: boundText(pool, override),
      sentence: sentenceOf({ ...sizes, pool, record, now, override, extraSince }),
      ...sizes,
      reasons,
      ...(this.absent && { absent: true as const }),
      ...(this.shortSince !== undefined && { shortSince: this.shortSince }),
      ...(quarantined !== undefined && { unreadable: quarantined }),
      ...(next && { next }),
      ...occurrencesIn(record, pool, now),
      timeline: this.timeline.recent(points),
      plan,
      bands: [...windows, ...this.bands.since(now - BEHIND)],
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

  nextEnd(now: number): Moment | undefined {
    const ends = this.bands.since(now).flatMap(({ kind, label, to }) => {
      const what = kind === 'override' ? `override ${label}` : kind === 'boost' ? `alarm boost ${label}` : 'surge';
      return to === undefined ? [] : [{ at: to, label: `${this.pool.name}: ${what} ends` }];
    });
    return earliest(ends);
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
    return next && { at: next.at, replicas: next.replicas, text: plannedText(next) };
  }

  private draw(now: number): Drawn {
    const { drawn } = this;
    if (drawn && now >= drawn.at && now - drawn.at < REDRAWN_AFTER) return drawn;
    const { leadOf } = requestTimesOf(this.pool, this.seen?.recorded.record ?? EMPTY_RECORD);
    const steps = withMost(planNodePool(this.pool, now, now + AHEAD, this.seen?.recorded));
    const plan = steps.map((step) => ({ at: step.at, replicas: step.most, text: plannedText(step) }));
    this.drawn = {
      at: now,
      plan,
      windows: windowBands(this.pool, now - BEHIND, now + AHEAD, leadOf),
    };
    return this.drawn;
  }
}

function occurrencesIn(
  record: HeadroomRecord,
  pool: HeadroomConfig,
  now: number,
): Pick<PoolView, 'lead' | 'occurrences'> {
  const lead = leadText(pool, record);
  const context = { windows: pool.windows, timezone: defaultZone(pool.windows), now };
  const occurrences = requestedOccurrences(record, pool.windows)
    .slice(0, MAX_OCCURRENCES)
    .map((one) => ({ text: occurrenceText(one, context), late: isLate(one, pool.windows, now) }));
  return { ...(lead !== undefined && { lead }), ...(occurrences.length > 0 && { occurrences }) };
}
