import type { NodePoolConfig } from '../../shared/core/config/config';
import { unitText } from '../../shared/core/config/unit-text';
import { nextDecision } from '../../shared/core/decision/next-decision';
import { planNodePool } from '../../shared/core/decision/plan';
import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import { readReasons } from '../../shared/core/manifests/reasons-annotation';
import { EMPTY_RECORD, type HeadroomRecord } from '../../shared/core/record/record';
import { readRecord } from '../../shared/core/record/record-codec';
import { withMost } from '../../shared/drawing/plan-model';
import { orderText, plannedText } from '../../shared/drawing/size-text';
import { RecordBands, windowBands } from './pool-bands';
import type { BandView, PoolView } from './snapshot';
import { Timeline } from './timeline';

const HOUR = 3_600_000;
/** How far a timeline reaches back and ahead. */
const BEHIND = 12 * HOUR;
const AHEAD = 24 * HOUR;
/** Plans and windows are computed again after this time. */
const REDRAWN_AFTER = HOUR / 4;

/** The Deployment of a headroom, as far as it is shown. */
export interface ShownHeadroom {
  readonly replicas: number;
  readonly ready: number;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Drawn {
  readonly at: number;
  readonly plan: PoolView['plan'];
  readonly windows: readonly BandView[];
}

interface Seen {
  readonly replicas: number;
  readonly reasons: readonly string[];
  readonly record: HeadroomRecord;
  readonly next: { readonly from: number; readonly decision: PoolView['next'] };
}

/** What the console shows of one NodePool, kept up to date change by change. */
export class PoolHistory {
  private readonly timeline = new Timeline();
  private readonly bands = new RecordBands();
  private drawn: Drawn | undefined;
  private seen: Seen | undefined;
  private inUse: number | undefined;

  constructor(private pool: NodePoolConfig) {}

  /** The same history with a changed config. */
  withPool(pool: NodePoolConfig): this {
    this.pool = pool;
    this.drawn = undefined;
    return this;
  }

  /** The headroom changed; `undefined` when its Deployment is not there. */
  observe(headroom: ShownHeadroom | undefined, now: number): void {
    const { replicas = 0, ready = 0, annotations = {} } = headroom ?? {};
    this.timeline.add(now, { wanted: replicas, ready, inUse: this.nodesInUse() });
    const text = annotations[ANNOTATIONS.record];
    const { record } = text === undefined ? { record: EMPTY_RECORD } : readRecord(text);
    this.bands.observe(this.pool, record, now);
    const reasons = readReasons(annotations[ANNOTATIONS.reasons]);
    // A count that is known now makes a plan of what was only added.
    if (record.openings !== this.seen?.record.openings) this.drawn = undefined;
    this.seen = { replicas, reasons, record, next: { from: now, decision: this.nextOf(record, now) } };
  }

  /** How many nodes of a floor run work now; it means nothing elsewhere. */
  observeUse(inUse: number | undefined, now: number): void {
    this.inUse = inUse;
    const { last } = this.timeline;
    if (last) this.timeline.add(now, { ...last, inUse: this.nodesInUse() });
  }

  private nodesInUse(): number | undefined {
    return this.pool.unit.kind === 'floor' ? (this.inUse ?? 0) : undefined;
  }

  view(now: number, options: { readonly points: number; readonly isFiring: (alarmName: string) => boolean }): PoolView {
    const { pool } = this;
    const { plan, windows } = this.draw(now);
    const { record = EMPTY_RECORD, reasons = [] } = this.seen ?? {};
    const next = this.next(now);
    const { wanted = 0, ready = 0, used = 0 } = this.timeline.last ?? {};
    const override = record.override && record.override.until > now ? record.override : undefined;
    return {
      name: pool.name,
      kind: pool.unit.kind,
      unit: unitText(pool),
      max: pool.max,
      wanted,
      ready,
      used,
      ...(pool.unit.kind === 'floor' && this.inUse === undefined && { useUnknown: true as const }),
      reasons,
      ...(next && { next }),
      timeline: this.timeline.recent(options.points),
      plan,
      bands: [...windows, ...this.bands.since(now - BEHIND)],
      alarms: pool.alarms.map(({ name, alarmName }) => ({ name, alarmName, firing: options.isFiring(alarmName) })),
      ...(override && {
        override: {
          order: orderText(override),
          until: override.until,
          by: override.by,
          reason: override.reason,
        },
      }),
    };
  }

  /** The next scheduled change, computed again once it has passed. */
  private next(now: number): PoolView['next'] {
    const { seen } = this;
    if (!seen) return undefined;
    const { decision } = seen.next;
    if (decision && decision.at > now) return decision;
    if (!decision && now - seen.next.from < REDRAWN_AFTER) return undefined;
    const fresh = this.nextOf(seen.record, now);
    this.seen = { ...seen, next: { from: now, decision: fresh } };
    return fresh;
  }

  private nextOf(record: HeadroomRecord, now: number): PoolView['next'] {
    const next = nextDecision({ pool: this.pool, record, now });
    return next && { at: next.at, replicas: next.replicas, text: plannedText(next) };
  }

  private draw(now: number): Drawn {
    const { drawn } = this;
    if (drawn && now >= drawn.at && now - drawn.at < REDRAWN_AFTER) return drawn;
    const steps = withMost(planNodePool(this.pool, now, now + AHEAD, this.seen?.record));
    const plan = steps.map((step) => ({ at: step.at, replicas: step.most, text: plannedText(step) }));
    this.drawn = { at: now, plan, windows: windowBands(this.pool, now - BEHIND, now + AHEAD) };
    return this.drawn;
  }
}
