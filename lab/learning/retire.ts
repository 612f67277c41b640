import { startsOf } from '../../shared/core/windows/edges';
import type { CronWindow, Window } from '../../shared/core/windows/window';
import { type Figures, figuresOf, headroomBy, type Plan } from './backtest';
import { between, type Demand, endOf, MINUTE, riseOf, risesAbove } from './demand';
import { ofFiveNights } from './nights';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK_MINUTES = 7 * 1_440;
/** A week that is closed, with the weekends on both sides of it, is shorter. */
const JUDGED_MS = 10 * DAY;
/** A window of one weekday is judged on as many weeks. */
const OCCURRENCES = 3;
/** Of the judged time; otherwise nobody knows whether demand is gone. */
const KNOWN = 0.7;
/** The share of all rise that a smaller size, or none, may cover less. */
const LOSS = 0.001;
/** A window is shrunk to at most this part of its size. */
const SHRUNK = 1 / 2;
/** Then it must hold this much less than a constant, as windows must that are learned. */
const CLEARLY = 0.7;
/** Where the windows covered more of the rise than this, a base replaces them, or they stay. */
const MUCH = 0.15;
const MOST_HUNDREDTHS = 1e7;

/** A window to remove (size 0) or to shrink. */
export interface RetiredWindow {
  readonly window: CronWindow;
  readonly size: number;
  /** What it added to the others on the judged days, in a week. */
  readonly added: Figures;
  /** The node-hours a week of a constant that adds as much. */
  readonly constant: number;
  readonly days: number;
}

export interface Retirement {
  readonly plan: Plan;
  readonly windows: readonly RetiredWindow[];
  /** All windows together on the newest days, in a week. */
  readonly before: Figures;
  readonly after: Figures;
}

export interface RetireOptions {
  readonly leadMinutes: number;
  readonly max: number;
  /** Rises up to this do not count: a floor leaves them to Karpenter. */
  readonly above: number;
}

/**
 * The plan without the windows whose demand is gone, or that hold no less than a constant that covers as much; windows
 * that need far less are shrunk. Judged on the newest days, and on three of the last five nights.
 */
export function retirementOf(standing: Plan, demand: Demand, options: RetireOptions): Retirement | undefined {
  const tonight = endOf(demand);
  const rules = { ...options, floor: standing.floor };
  let plan = standing;
  const windows: RetiredWindow[] = [];
  for (const window of costliestFirst(standing, demand)) {
    const judgedOn = (night: number) => judgedBefore(night, window, demand, rules);
    const size = ofFiveNights(tonight, (night) => {
      const judged = judgedOn(night);
      return judged && neededSize(plan, window, judged);
    });
    const judged = judgedOn(tonight);
    if (size === undefined || !judged || size >= window.replicas) continue;
    windows.push({ window, size, ...addedBy(plan, window, judged), days: Math.round(judged.minutes / 1_440) });
    plan = resized(plan, window, size);
  }
  if (windows.length === 0) return undefined;
  const recent = judgedIn(tonight - JUDGED_MS, tonight, demand, rules);
  const figured = (one: Plan) => recent.figured(recent.headroomOf(one));
  const isOver = plan.windows.every(({ kind }) => kind === 'once') && isFlat(demand, options);
  const replaced = isOver ? { ...plan, base: 0 } : withBase(plan, recent, figured(standing), options.max);
  return replaced && { plan: replaced, windows, before: figured(standing), after: figured(replaced) };
}

/** Whether demand no longer rises. */
export function isFlat(demand: Demand, { leadMinutes }: Pick<RetireOptions, 'leadMinutes'>): boolean {
  const recent = between(demand, endOf(demand) - JUDGED_MS, endOf(demand));
  return riseOf(recent, leadMinutes).every((rise) => !(rise > 0));
}

interface Rules extends RetireOptions {
  readonly floor: boolean;
}

/** The part of a history that windows are judged on; node-hours are those of a week. */
interface Judged {
  readonly minutes: number;
  headroomOf(plan: Plan): Float64Array;
  figured(headroom: Float64Array): Figures;
  /** With a constant in addition to what is held already. */
  withConstant(headroom: Float64Array, size: number): Float64Array;
}

function judgedBefore(night: number, window: Window, demand: Demand, rules: Rules): Judged | undefined {
  const since = requestedSince(window, night, rules.leadMinutes);
  const from = Math.min(night - JUDGED_MS, since ?? Number.NEGATIVE_INFINITY);
  // A history need not begin on the minute.
  if (from < demand.from - HOUR) return undefined;
  const { length } = between(demand, from, night).values.filter((value) => !Number.isNaN(value));
  return length * MINUTE < (night - from) * KNOWN ? undefined : judgedIn(from, night, demand, rules);
}

/** When the third latest occurrence was requested. */
function requestedSince(window: Window, night: number, leadMinutes: number): number | undefined {
  const starts = startsOf(window);
  let start: number | undefined = night;
  for (let seen = 0; seen < OCCURRENCES && start !== undefined; seen += 1) start = starts.previous(start - 1);
  return start === undefined ? undefined : start - leadMinutes * MINUTE;
}

function judgedIn(from: number, to: number, demand: Demand, { floor, leadMinutes, above }: Rules): Judged {
  const part = between(demand, from, to);
  const rise = risesAbove(riseOf(part, leadMinutes), above);
  return {
    minutes: part.values.length,
    headroomOf: (plan) => headroomBy(plan, part),
    figured: (headroom) => {
      const { share, hours } = figuresOf(headroom, rise);
      return { share, hours: (hours * WEEK_MINUTES) / part.values.length };
    },
    withConstant: (headroom, size) =>
      headroom.map((held, minute) => {
        const used = floor ? (part.values[minute] as number) : 0;
        return size - used > held ? size - used : held;
      }),
  };
}

/** The least size that covers nearly as much; 0 where a constant that does so holds no more. */
function neededSize(plan: Plan, window: CronWindow, judged: Judged): number {
  const shareOf = (size: number) => judged.figured(judged.headroomOf(resized(plan, window, size))).share;
  const enough = shareOf(window.replicas) - LOSS;
  const size = least(window.replicas, (one) => shareOf(one) >= enough);
  if (size === 0) return 0;
  const isFar = size <= window.replicas * SHRUNK;
  const { added, constant } = addedBy(resized(plan, window, size), window, judged);
  // By chance, what is left of a rhythm may look a little better than a constant.
  if (added.hours >= constant * (isFar ? CLEARLY : 1)) return 0;
  return isFar ? size : window.replicas;
}

/** What a window adds to the others, and what a constant holds that adds as much. */
function addedBy(plan: Plan, window: CronWindow, judged: Judged): Pick<RetiredWindow, 'added' | 'constant'> {
  const others = judged.headroomOf(resized(plan, window, 0));
  const [all, without] = [judged.headroomOf(plan), others].map(judged.figured) as [Figures, Figures];
  const constantOf = (size: number) => judged.figured(judged.withConstant(others, size));
  const isAsGood = (hundredths: number) => constantOf(hundredths / 100).share >= all.share - 1e-9;
  // A constant need not be whole here, so that it covers exactly as much.
  const size = least(MOST_HUNDREDTHS, isAsGood) / 100;
  return {
    added: { share: all.share - without.share, hours: all.hours - without.hours },
    constant: constantOf(size).hours - without.hours,
  };
}

/** Where windows that covered much go, the least base that covers as much as they did; nothing where none is cheaper. */
function withBase(plan: Plan, judged: Judged, before: Figures, max: number): Plan | undefined {
  const figured = (base: number) => judged.figured(judged.headroomOf({ ...plan, base }));
  if (figured(plan.base).share >= before.share - MUCH) return plan;
  const base = least(max, (one) => figured(one).share >= before.share - LOSS);
  const after = figured(base);
  return after.share >= before.share - LOSS && after.hours < before.hours ? { ...plan, base } : undefined;
}

/** The least whole number that is enough, or `most`. */
function least(most: number, isEnough: (one: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

function resized(plan: Plan, { name }: CronWindow, replicas: number): Plan {
  const windows = plan.windows.flatMap((one) => {
    if (one.name !== name) return [one];
    return replicas === 0 ? [] : [{ ...one, replicas }];
  });
  return { ...plan, windows };
}

/** The windows that can be judged; a share of a workload has no size here. */
function costliestFirst(plan: Plan, demand: Demand): readonly CronWindow[] {
  const heldBy = (window: CronWindow) =>
    headroomBy({ ...plan, floor: false, base: 0, windows: [window] }, demand).reduce((sum, held) => sum + held, 0);
  return plan.windows
    .flatMap((window) =>
      window.kind === 'cron' && window.share === undefined ? [{ window, held: heldBy(window) }] : [],
    )
    .sort((a, b) => b.held - a.held)
    .map(({ window }) => window);
}
