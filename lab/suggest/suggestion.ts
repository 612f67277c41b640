import { InputError } from '../../cli/terminal/exit';
import type { Config, HeadroomConfig } from '../../shared/core/config/config';
import {
  clairvoyantFigures,
  constantFigures,
  type Figures,
  figuresOf,
  headroomBy,
  type Plan,
  sizeFor,
} from '../learning/backtest';
import { between, type Demand, endOf, riseOf } from '../learning/demand';
import { type History, HistoryError, historyOf, type Samples } from '../learning/demand-history';
import { type News, settled } from '../learning/hysteresis';
import { type LearnOptions, type Lesson, learn, planFor } from '../learning/learn';
import type { HeadroomShape } from '../learning/proposal';
import { ratioOf } from '../learning/unseen-days';
import { chooseZone, type ZoneChoice } from '../learning/zone-choice';
import ZONES from './region-zones.json';

const DAY = 86_400_000;
const DEFAULT_LEAD_MINUTES = 5;
const MAX_TEST_DAYS = 14;
const WEEK_DAYS = 7;
/** A single jump, which no window can know, may take this much. */
const MISSED = 0.3;
const MIN_DAYS = 2;
/** The shares of the rise for which the cost of a base is shown. */
const CURVE = [0.9, 0.95, 0.99];
/** No rise is this many times what the config allows. */
const OTHER_UNITS = 50;
/** Shorter histories are tested on the days that they were learned from, and the output says so. */
const MIN_DAYS_TO_SPLIT = 4;

export interface SuggestSettings {
  readonly leadMinutes?: number | undefined;
  readonly cover: number;
  readonly most: number;
  readonly learnDays: number;
  readonly timezone?: string | undefined;
  readonly shape?: HeadroomShape | undefined;
  /** Proposes a base that covers this share of the rise, and no windows. */
  readonly base?: number | undefined;
  /** Proposes windows even where their rhythm is weak or missing. */
  readonly anyway?: boolean | undefined;
}

export interface BacktestRow extends Figures {
  readonly name: string;
}

/** What a base costs that covers a share of the rise. */
export interface BaseCost extends Figures {
  readonly base: number;
}

export interface Suggestion {
  readonly pool: string;
  readonly config?: HeadroomConfig;
  readonly history: History;
  readonly lesson: Lesson;
  readonly zone: ZoneChoice;
  readonly leadMinutes: number;
  /** `none`: nothing can be learned that a person should merge. `keep`: the windows in place still do. */
  readonly advice: 'change' | 'keep' | 'none';
  /** The proposal itself, on the days that it was learned from. */
  readonly learned: Figures;
  /** What each proposed window adds to that. */
  readonly gains: readonly Figures[];
  /** Bases instead of windows, on the same days. */
  readonly curve: readonly BaseCost[];
  /** Why windows in place should change. */
  readonly news?: News;
  readonly backtest: {
    readonly from: number;
    readonly to: number;
    readonly unseen: boolean;
    /** Headroom held, relative to a constant that covers as much. */
    readonly ratio: number;
    /** The last days did not follow the rhythm of those before them. */
    readonly failed: boolean;
    readonly rows: readonly BacktestRow[];
  };
}

/** Learns from one NodePool's history, and tests what it learns on the last part of it. */
export function suggestFor(pool: string, samples: Samples, config: Config, settings: SuggestSettings): Suggestion {
  const own = config.headrooms.find(({ name }) => name === pool);
  const history = historyOrFail(pool, samples);
  const { demand } = history;
  const days = (endOf(demand) - demand.from) / DAY;
  if (days < MIN_DAYS)
    throw new InputError(`pool ${pool}: has ${days.toFixed(1)} days of history; give at least ${MIN_DAYS}, better 14`);
  const zone = settings.timezone ? { timezone: settings.timezone } : chooseZone(demand, zonesOf(config, own));
  // Without a lead time, nodes are requested when a window starts and always come too late.
  const leadMinutes = settings.leadMinutes ?? (own?.leadMinutes || DEFAULT_LEAD_MINUTES);
  const options: LearnOptions = {
    ...settings,
    ...zone,
    leadMinutes,
    ...shapesOf(settings.shape, own),
    ...(own && { max: own.max }),
  };
  const before = (to: number) => between(demand, to - settings.learnDays * DAY, to);
  const known = before(endOf(demand));
  const fresh = learn(known, options);
  if (own) refuseOtherUnits(pool, fresh, own);
  const unseen = days >= MIN_DAYS_TO_SPLIT;
  const testDays = unseen ? testDaysOf(days) : days;
  const from = endOf(demand) - testDays * DAY;
  const tested = unseen ? planFor(before(from), fresh.shape, options) : fresh.plan;
  const rows = backtestRows(between(demand, from, endOf(demand)), tested, own);
  const ratio = ratioOf({ held: rows[0].hours, constant: rows[2].hours });
  const backtest = { from, to: endOf(demand), unseen, ratio, rows };
  const failed = fresh.verdict === 'clear' && fresh.windows.length > 0 && isBroken(fresh, backtest, settings.cover);
  // What is weak and did no better than a constant in the end is none.
  const verdict = failed ? 'weak' : fresh.verdict === 'weak' && unseen && ratio >= 1 ? 'none' : fresh.verdict;
  return {
    pool,
    ...(own && { config: own }),
    history,
    zone,
    leadMinutes,
    ...advised({ ...fresh, verdict }, known, own, settings),
    backtest: { ...backtest, failed },
  };
}

type Advised = Pick<Suggestion, 'lesson' | 'advice' | 'learned' | 'gains' | 'curve' | 'news'>;

/** What to write into the config, if anything, with what it does on the days that it was learned from. */
function advised(fresh: Lesson, known: Demand, own: HeadroomConfig | undefined, settings: SuggestSettings): Advised {
  const { rise, plan } = fresh;
  const { leadMinutes, floor } = plan;
  const figured = (plan: Plan) => weekly(figuresOf(headroomBy(plan, known), rise), known);
  const constant = (base: number): Plan => ({ floor, base, leadMinutes, windows: [] });
  const least = sizeFor(rise, floor ? known.values : undefined);
  const withBase = (share: number) => Math.min(own?.max ?? Number.POSITIVE_INFINITY, least(share));
  const curve = CURVE.map(withBase).map((base) => ({ base, ...figured(constant(base)) }));
  const result = (lesson: Lesson, advice: Suggestion['advice'], news?: News): Advised => {
    const all = figured(lesson.plan);
    const gains = lesson.windows.map(({ window }) => {
      const without = figured({ ...lesson.plan, windows: lesson.plan.windows.filter((one) => one !== window) });
      return { share: all.share - without.share, hours: all.hours - without.hours };
    });
    return { lesson, advice, learned: all, gains, curve, ...(news && { news }) };
  };
  if (settings.base !== undefined) {
    const base = withBase(settings.base);
    return result({ ...fresh, base, windows: [], plan: constant(base) }, 'change');
  }
  if (fresh.verdict !== 'clear' && !settings.anyway) return result(fresh, 'none');
  const standing = own && planOf(own);
  if (!standing?.windows.some(({ kind }) => kind === 'cron')) return result(fresh, 'change');
  const { news, ...lesson } = settled(fresh, standing, known);
  return result(lesson, news ? 'change' : 'keep', news);
}

function weekly({ share, hours }: Figures, { values }: Demand): Figures {
  return { share, hours: (hours * WEEK_DAYS * 1_440) / Math.max(1, values.length) };
}

/** Demand in millicores, say, would fill any config with its max. */
function refuseOtherUnits(pool: string, { highest }: Lesson, { max }: HeadroomConfig): void {
  if (highest <= max * OTHER_UNITS) return;
  throw new InputError(
    `pool ${pool}: demand climbs by ${Math.round(highest)} at once, and max is ${max}; is the history in units of headroom? Divide it (--per-unit 1000 for millicores of one-core units), or raise max`,
  );
}

/** A quarter of the history, but at least a week if another is left to learn from, so that weekends are represented. */
function testDaysOf(days: number): number {
  const quarter = Math.max(1, Math.floor(days / 4));
  return Math.min(MAX_TEST_DAYS, Math.round(days) >= 2 * WEEK_DAYS ? Math.max(WEEK_DAYS, quarter) : quarter);
}

/** Whether the last days no longer follow the rhythm. */
function isBroken(
  { shape, cutOff }: Lesson,
  { unseen, ratio, rows }: Pick<Suggestion['backtest'], 'unseen' | 'ratio' | 'rows'>,
  cover: number,
): boolean {
  // A floor leaves small rises to Karpenter, and max cuts off large ones, so their share is not significant.
  const isMissed = shape === 'room' && cutOff === undefined && (rows[0]?.share ?? 1) < cover - MISSED;
  return unseen && (ratio >= 1 || isMissed);
}

function historyOrFail(pool: string, samples: Samples): History {
  try {
    return historyOf(samples);
  } catch (error) {
    if (error instanceof HistoryError) throw new InputError(`pool ${pool}: ${error.message}`);
    throw error;
  }
}

/** The pool's own zones first, then those of the file, then where the cluster is. */
function zonesOf({ headrooms, cluster }: Config, own: HeadroomConfig | undefined): readonly string[] {
  const zones = [...(own?.windows ?? []), ...headrooms.flatMap(({ windows }) => windows)].map(
    ({ timezone }) => timezone,
  );
  return [...new Set([...zones, zoneOfRegion(cluster.region)])];
}

/** The shapes that the pool's unit allows, with room as the fallback of a floor; a new pool may get any. */
function shapesOf(
  shape: HeadroomShape | undefined,
  own: HeadroomConfig | undefined,
): Pick<LearnOptions, 'shapes' | 'orRoom'> {
  if (shape) return { shapes: [shape] };
  if (!own) return { shapes: ['room', 'more', 'floor'] };
  return own.unit.kind === 'floor' ? { shapes: ['more', 'floor'], orRoom: true } : { shapes: ['room'] };
}

function planOf({ unit, base, leadMinutes, windows }: HeadroomConfig): Plan {
  return { floor: unit.kind === 'floor', base, leadMinutes, windows };
}

function backtestRows(demand: Demand, plan: Plan, own: HeadroomConfig | undefined) {
  const rise = riseOf(demand, plan.leadMinutes);
  const figured = (one: Plan) => figuresOf(headroomBy(one, demand), rise);
  const held = figured(plan);
  const constant = constantFigures(rise, held.share);
  const row = (name: string, figures: Figures): BacktestRow => ({ name, ...weekly(figures, demand) });
  const rows: readonly [BacktestRow, BacktestRow, BacktestRow, ...BacktestRow[]] = [
    row('learned like this, on days not seen', held),
    row('no headroom', { share: 0, hours: 0 }),
    row(`always ${constant.size}, known in hindsight`, constant),
    ...(own ? [row("today's config", figured(planOf(own)))] : []),
    row('clairvoyant', clairvoyantFigures(rise)),
  ];
  return rows;
}

/** The likely time zone of a region's users; only a first guess, see `chooseZone`. */
function zoneOfRegion(region: string): string {
  return Object.entries(ZONES).find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'UTC';
}
