import type { HeadroomConfig } from '../../shared/core/config/config';
import {
  clairvoyantFigures,
  constantFigures,
  type Figures,
  figuresOf,
  headroomBy,
  type Plan,
} from '../learning/backtest';
import { between, type Demand, endOf, riseOf, risesAbove } from '../learning/demand';
import { type LearnOptions, type Lesson, learn, planFor } from '../learning/learn';
import { ofFiveNights } from '../learning/nights';
import type { Verdict } from '../learning/rhythm';
import { ratioOf } from '../learning/unseen-days';

const DAY = 86_400_000;
const MAX_TEST_DAYS = 14;
const WEEK_DAYS = 7;
/** A single jump, which no window can know, may take this much. */
const MISSED = 0.3;
/** Shorter histories are tested on the days that they were learned from, and the output says so. */
const MIN_DAYS_TO_SPLIT = 4;
/** A night that knows less is not remembered. */
const MIN_REMEMBERED_DAYS = 14;
const VERDICTS: readonly Verdict[] = ['none', 'weak', 'clear'];

interface NightSettings {
  readonly cover: number;
  readonly learnDays: number;
}

export interface BacktestRow extends Figures {
  readonly name: string;
}

export interface Backtest {
  readonly from: number;
  readonly to: number;
  readonly unseen: boolean;
  /** Headroom held, relative to a constant that covers as much. */
  readonly ratio: number;
  /** The last days did not follow the rhythm of those before them. */
  readonly failed: boolean;
  readonly rows: readonly BacktestRow[];
}

export interface Judged {
  readonly backtest: Backtest;
  readonly fresh: Lesson;
  readonly verdict: Verdict;
}

/** What `suggest` learns one night, from what is known by then. */
export function judgedAt(
  night: number,
  demand: Demand,
  own: HeadroomConfig | undefined,
  options: LearnOptions,
  { learnDays, cover }: NightSettings,
): Judged {
  const before = (to: number) => between(demand, to - learnDays * DAY, to);
  const fresh = learn(before(night), options);
  const days = (night - demand.from) / DAY;
  const unseen = days >= MIN_DAYS_TO_SPLIT;
  const testDays = unseen ? testDaysOf(days) : days;
  const from = night - testDays * DAY;
  const tested = unseen ? planFor(before(from), fresh.shape, options) : fresh.plan;
  const rows = backtestRows(between(demand, from, night), tested, own, fresh);
  const ratio = ratioOf({ held: rows[0].hours, constant: rows[2].hours });
  const backtest = { from, to: night, unseen, ratio, rows };
  const failed = fresh.verdict === 'clear' && fresh.windows.length > 0 && isBroken(fresh, backtest, cover);
  // What is weak and did no better than a constant in the end is none.
  const isNone = isCutToBase(fresh) || (fresh.verdict === 'weak' && unseen && ratio >= 1);
  const verdict = isNone ? 'none' : failed ? 'weak' : fresh.verdict;
  return { fresh, verdict, backtest: { ...backtest, failed } };
}

/** That of at least three of the last five nights, so that what is proposed does not flicker. */
export function rememberedVerdict(
  tonight: Judged,
  demand: Demand,
  own: HeadroomConfig | undefined,
  options: LearnOptions,
  settings: NightSettings,
): Verdict {
  const to = endOf(demand);
  const rank = ofFiveNights(to, (night) => {
    if (night - demand.from < MIN_REMEMBERED_DAYS * DAY) return undefined;
    const { verdict } = night === to ? tonight : judgedAt(night, demand, own, options, settings);
    return VERDICTS.indexOf(verdict);
  });
  return VERDICTS[rank ?? -1] ?? tonight.verdict;
}

/** A quarter of the history, but at least a week if another is left to learn from, so that weekends are represented. */
function testDaysOf(days: number): number {
  const quarter = Math.max(1, Math.floor(days / 4));
  return Math.min(MAX_TEST_DAYS, Math.round(days) >= 2 * WEEK_DAYS ? Math.max(WEEK_DAYS, quarter) : quarter);
}

/** Whether `max` leaves a constant of the windows; they were judged as if there was none. */
export function isCutToBase({ cutOff, windows }: Pick<Lesson, 'cutOff' | 'windows'>): boolean {
  return cutOff !== undefined && windows.length === 0;
}

/** Whether the last days no longer follow the rhythm. */
function isBroken(
  { shape, cutOff }: Lesson,
  { unseen, ratio, rows }: Pick<Backtest, 'unseen' | 'ratio' | 'rows'>,
  cover: number,
): boolean {
  // A floor leaves small rises to Karpenter, and max cuts off large ones, so their share is not significant.
  const isMissed = shape === 'room' && cutOff === undefined && (rows[0]?.share ?? 1) < cover - MISSED;
  return unseen && (ratio >= 1 || isMissed);
}

function backtestRows(demand: Demand, plan: Plan, own: HeadroomConfig | undefined, lesson: Lesson) {
  const rise = risesAbove(riseOf(demand, plan.leadMinutes), lesson.score.above);
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

export function planOf({ unit, base, leadMinutes, windows }: HeadroomConfig): Plan {
  return { floor: unit.kind === 'floor', base, leadMinutes, windows };
}

export function weekly({ share, hours }: Figures, { values }: Demand): Figures {
  return { share, hours: (hours * WEEK_DAYS * 1_440) / Math.max(1, values.length) };
}
