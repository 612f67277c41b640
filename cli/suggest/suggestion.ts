import type { Config, NodePoolConfig } from '../../shared/core/config/config';
import {
  clairvoyantFigures,
  constantFigures,
  type Figures,
  figuresOf,
  headroomBy,
  type Plan,
} from '../../shared/learning/backtest';
import { between, type Demand, endOf, riseOf } from '../../shared/learning/demand';
import { type History, HistoryError, historyOf, type Samples } from '../../shared/learning/history';
import { type LearnOptions, type Lesson, learn } from '../../shared/learning/learn';
import type { HeadroomShape } from '../../shared/learning/proposal';
import { ratioOf } from '../../shared/learning/unseen-days';
import { chooseZone, type ZoneChoice } from '../../shared/learning/zone-choice';
import { InputError } from '../terminal/exit';

/** The likely time zone of a region's users; only a first guess, see `chooseZone`. */
const ZONES: ReadonlyMap<string, string> = new Map([
  ['us-east', 'America/New_York'],
  ['us-west', 'America/Los_Angeles'],
  ['us-gov', 'America/New_York'],
  ['ca-central', 'America/Toronto'],
  ['ca-west', 'America/Edmonton'],
  ['mx-central', 'America/Mexico_City'],
  ['sa-east', 'America/Sao_Paulo'],
  ['eu-west-1', 'Europe/Dublin'],
  ['eu-west-2', 'Europe/London'],
  ['eu-west-3', 'Europe/Paris'],
  ['eu-central-1', 'Europe/Berlin'],
  ['eu-central-2', 'Europe/Zurich'],
  ['eu-north', 'Europe/Stockholm'],
  ['eu-south-1', 'Europe/Rome'],
  ['eu-south-2', 'Europe/Madrid'],
  ['il-central', 'Asia/Jerusalem'],
  ['me-south', 'Asia/Bahrain'],
  ['me-central', 'Asia/Dubai'],
  ['af-south', 'Africa/Johannesburg'],
  ['ap-south', 'Asia/Kolkata'],
  ['ap-northeast-1', 'Asia/Tokyo'],
  ['ap-northeast-2', 'Asia/Seoul'],
  ['ap-northeast-3', 'Asia/Tokyo'],
  ['ap-southeast-1', 'Asia/Singapore'],
  ['ap-southeast-2', 'Australia/Sydney'],
  ['ap-southeast-3', 'Asia/Jakarta'],
  ['ap-southeast-4', 'Australia/Melbourne'],
  ['ap-east', 'Asia/Hong_Kong'],
  ['cn-', 'Asia/Shanghai'],
]);

const DAY = 86_400_000;
const DEFAULT_LEAD_MINUTES = 5;
const MAX_TEST_DAYS = 14;
const WEEK_DAYS = 7;
const MISSED = 0.1;
const MIN_DAYS = 2;
/** Shorter histories are tested on the days that they were learned from, and the output says so. */
const MIN_DAYS_TO_SPLIT = 4;

export interface SuggestSettings {
  readonly leadMinutes?: number | undefined;
  readonly cover: number;
  readonly most: number;
  readonly learnDays: number;
  readonly timezone?: string | undefined;
  readonly shape?: HeadroomShape | undefined;
}

/** One line of the backtest. */
export interface BacktestRow extends Figures {
  readonly name: string;
}

/** What the history of one NodePool suggests. */
export interface Suggestion {
  readonly pool: string;
  readonly config?: NodePoolConfig;
  readonly history: History;
  readonly lesson: Lesson;
  readonly zone: ZoneChoice;
  readonly leadMinutes: number;
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
  const own = config.nodePools.find(({ name }) => name === pool);
  const history = historyOrFail(pool, samples);
  const { demand } = history;
  const days = (endOf(demand) - demand.from) / DAY;
  if (days < MIN_DAYS)
    throw new InputError(`pool ${pool}: has ${days.toFixed(1)} days of history; give at least ${MIN_DAYS}, better 14`);
  const zone = settings.timezone ? { timezone: settings.timezone } : chooseZone(demand, zonesOf(config, own));
  // Without a lead time, nodes are requested when a window starts and always come too late.
  const leadMinutes = settings.leadMinutes ?? (own?.leadMinutes || DEFAULT_LEAD_MINUTES);
  const options: LearnOptions = { ...settings, ...zone, leadMinutes, ...shapesOf(settings.shape, own) };
  const learned = (to: number, more: Partial<LearnOptions> = {}) =>
    learn(between(demand, to - settings.learnDays * DAY, to), { ...options, ...more });
  const lesson = learned(endOf(demand));
  const unseen = days >= MIN_DAYS_TO_SPLIT;
  const testDays = unseen ? testDaysOf(days) : days;
  const from = endOf(demand) - testDays * DAY;
  const tested = unseen ? learned(from, { shapes: [lesson.shape], orRoom: false, unjudged: true }) : lesson;
  const rows = backtestRows(between(demand, from, endOf(demand)), tested.plan, own);
  const ratio = ratioOf({ held: rows[0].hours, constant: rows[2].hours });
  const backtest = { from, to: endOf(demand), unseen, ratio, rows };
  const failed = lesson.verdict === 'clear' && lesson.windows.length > 0 && isBroken(lesson, backtest, settings.cover);
  return {
    pool,
    ...(own && { config: own }),
    history,
    lesson: failed ? { ...lesson, verdict: 'weak' } : lesson,
    zone,
    leadMinutes,
    backtest: { ...backtest, failed },
  };
}

/** A quarter of the history, but at least a week if another is left to learn from, so that weekends are represented. */
function testDaysOf(days: number): number {
  const quarter = Math.max(1, Math.floor(days / 4));
  return Math.min(MAX_TEST_DAYS, Math.round(days) >= 2 * WEEK_DAYS ? Math.max(WEEK_DAYS, quarter) : quarter);
}

/** Whether the last days no longer follow the rhythm. */
function isBroken(
  { shape }: Lesson,
  { unseen, ratio, rows }: Pick<Suggestion['backtest'], 'unseen' | 'ratio' | 'rows'>,
  cover: number,
): boolean {
  // A floor leaves small rises to Karpenter, so its share is not significant.
  const isMissed = shape === 'room' && (rows[0]?.share ?? 1) < cover - MISSED;
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
function zonesOf({ nodePools, cluster }: Config, own: NodePoolConfig | undefined): readonly string[] {
  const zones = [...(own?.windows ?? []), ...nodePools.flatMap(({ windows }) => windows)].map(
    ({ timezone }) => timezone,
  );
  return [...new Set([...zones, zoneOfRegion(cluster.region)])];
}

/** The shapes that the pool's unit allows, with room as the fallback of a floor; a new pool may get any. */
function shapesOf(
  shape: HeadroomShape | undefined,
  own: NodePoolConfig | undefined,
): Pick<LearnOptions, 'shapes' | 'orRoom'> {
  if (shape) return { shapes: [shape] };
  if (!own) return { shapes: ['room', 'more', 'floor'] };
  return own.unit.kind === 'floor' ? { shapes: ['more', 'floor'], orRoom: true } : { shapes: ['room'] };
}

function backtestRows(demand: Demand, plan: Plan, own: NodePoolConfig | undefined) {
  const rise = riseOf(demand, plan.leadMinutes);
  const proposed = figuresOf(headroomBy(plan, demand), rise);
  const constant = constantFigures(rise, proposed.share);
  const today: Plan | undefined = own && {
    floor: own.unit.kind === 'floor',
    base: own.base,
    leadMinutes: own.leadMinutes,
    windows: own.windows,
  };
  const rows: readonly [BacktestRow, BacktestRow, BacktestRow, ...BacktestRow[]] = [
    { name: 'this proposal', ...proposed },
    { name: 'no headroom', share: 0, hours: 0 },
    { name: `always ${constant.size}, known in hindsight`, share: constant.share, hours: constant.hours },
    ...(today ? [{ name: "today's config", ...figuresOf(headroomBy(today, demand), rise) }] : []),
    { name: 'clairvoyant', ...clairvoyantFigures(rise) },
  ];
  return rows;
}

function zoneOfRegion(region: string): string {
  return [...ZONES].find(([prefix]) => region.startsWith(prefix))?.[1] ?? 'UTC';
}
