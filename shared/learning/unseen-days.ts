import { BINS, BINS_PER_HOUR, type Day } from './day-table';

const FOLDS = 7;
const WEEK_DAYS = 7;
/** Weekends reach further back than weekdays. */
const DAYS_OF_WHOLE_WEEK = 5;

/** A day, and the room of a plan that was made without it. */
export interface Unseen {
  readonly day: Day;
  readonly room: Float64Array;
}

/** Makes a plan from known days; the plan returns its room on a day, if it can. */
export type Planner = (known: readonly Day[]) => (day: Day) => Float64Array | undefined;

/** Seven-fold cross-validation: plans every seventh day from the others; days of one weekday are in different folds. */
export function onUnseenDays(days: readonly Day[], planner: Planner): readonly Unseen[] {
  const folds = Math.min(FOLDS, days.length);
  const seen = new Map<number, number>();
  const foldOf = days.map(({ weekday }) => {
    const rank = seen.get(weekday) ?? 0;
    seen.set(weekday, rank + 1);
    return (weekday + rank) % folds;
  });
  const unseen: Unseen[] = [];
  for (let fold = 0; fold < folds; fold += 1) {
    const roomOn = planner(folds === 1 ? days : days.filter((_, index) => foldOf[index] !== fold));
    days.forEach((day, index) => {
      const room = foldOf[index] === fold ? roomOn(day) : undefined;
      if (room) unseen.push({ day, room });
    });
  }
  return unseen;
}

export interface Covered {
  /** The share of the counting rise that found room. */
  readonly share: number;
  /** Room held, in bins. */
  readonly held: number;
}

/** How a plan did on unseen days. */
export interface Score extends Covered {
  /** What the cheapest constant that covers as much of the same rises would have held. */
  readonly constant: number;
  readonly days: number;
  /** Rises up to this do not count in the share: a floor leaves them to Karpenter. */
  readonly above: number;
  /** Held room relative to such a constant for one week, in the median week; needs two whole weeks. */
  readonly week?: number;
}

export function scoreOf(unseen: readonly Unseen[], above: number): Score {
  const judged = (part: readonly Unseen[]) => {
    const covered = coveredBy(part, above);
    return { ...covered, constant: constantOf(part, above, covered.share) };
  };
  const weeks = wholeWeeks(unseen).map((week) => ratioOf(judged(week)));
  return {
    ...judged(unseen),
    days: unseen.length,
    above,
    ...(weeks.length > 1 && { week: middleOf(weeks) }),
  };
}

/** The median; of two weeks their mean, so that the last one may lack a day. */
function middleOf(ratios: readonly number[]): number {
  const sorted = Float64Array.from(ratios).sort();
  const half = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(half)] as number) + (sorted[Math.ceil(half)] as number)) / 2;
}

/** Node-hours of a week. */
export function weeklyHours({ held, days }: Pick<Score, 'held' | 'days'>): number {
  return ((held / BINS_PER_HOUR) * WEEK_DAYS) / Math.max(1, days);
}

export function ratioOf({ held, constant }: Pick<Score, 'held' | 'constant'>): number {
  return held === 0 ? 0 : constant === 0 ? Number.POSITIVE_INFINITY : held / constant;
}

/** Over all days a few very large rises dominate, so a rhythm must also do well in the median week. */
export function worstRatio(score: Score): number {
  return Math.max(ratioOf(score), score.week ?? 0);
}

export function coveredBy(unseen: readonly Unseen[], above: number): Covered {
  let [covered, total, held] = [0, 0, 0];
  for (const { day, room } of unseen)
    for (let bin = 0; bin < BINS; bin += 1) {
      const [need, has] = [day.rise[bin] as number, room[bin] as number];
      if (Number.isNaN(need)) continue;
      held += has;
      if (need <= above) continue;
      covered += Math.min(need, has);
      total += need;
    }
  return { share: total === 0 ? 1 : covered / total, held };
}

function constantOf(unseen: readonly Unseen[], above: number, share: number): number {
  const counting = new Float64Array(unseen.length * BINS);
  let [count, known] = [0, 0];
  for (const { day } of unseen)
    for (const need of day.rise) {
      if (!Number.isNaN(need)) known += 1;
      if (need > above) {
        counting[count] = need;
        count += 1;
      }
    }
  return constantFor(counting.subarray(0, count))(share) * known;
}

/** Counted back from the last date, so that a missing day does not shift the others. */
function wholeWeeks(unseen: readonly Unseen[]): readonly (readonly Unseen[])[] {
  const dates = unseen.map(({ day }) => day.date);
  const [first, last] = [Math.min(...dates), Math.max(...dates)];
  return Array.from({ length: Math.floor((last - first + 1) / WEEK_DAYS) }, (_, back) =>
    unseen.filter(({ day }) => Math.floor((last - day.date) / WEEK_DAYS) === back),
  ).filter((week) => week.length >= DAYS_OF_WHOLE_WEEK);
}

/** The smallest constant that covers a share of the rises. */
export function constantFor(rises: Float64Array): (share: number) => number {
  const sorted = rises.filter((rise) => rise > 0).sort();
  let total = 0;
  for (const rise of sorted) total += rise;
  return (share) => {
    const wanted = total * share * (1 - 1e-9);
    let below = 0;
    for (let index = 0; index < sorted.length; index += 1) {
      const [rise, left] = [sorted[index] as number, sorted.length - index];
      if (below + rise * left >= wanted) return Math.max(0, (wanted - below) / left);
      below += rise;
    }
    return sorted.at(-1) ?? 0;
  };
}
