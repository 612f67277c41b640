import { BINS, type Day } from './day-table';
import { median } from './history';

const FOLDS = 7;
const WEEK_DAYS = 7;

/** A day, and the room of a plan that was made without it. */
export interface Unseen {
  readonly day: Day;
  readonly room: Float64Array;
}

/** Makes a plan from known days; the plan returns its room on a day, if it can. */
export type Planner = (known: readonly Day[]) => (day: Day) => Float64Array | undefined;

/** Seven-fold cross-validation: plans every seventh day from the others. */
export function onUnseenDays(days: readonly Day[], planner: Planner): readonly Unseen[] {
  const folds = Math.min(FOLDS, days.length);
  const unseen: Unseen[] = [];
  for (let fold = 0; fold < folds; fold += 1) {
    const roomOn = planner(folds === 1 ? days : days.filter((_, index) => index % folds !== fold));
    days.forEach((day, index) => {
      const room = index % folds === fold ? roomOn(day) : undefined;
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
  /** What the cheapest constant that covers as much of all rise would have held. */
  readonly constant: number;
  /** Rises up to this do not count in the share: a floor leaves them to Karpenter. */
  readonly above: number;
  /** Held room relative to such a constant for one week, in the median week; needs two whole weeks. */
  readonly week?: number;
}

export function scoreOf(unseen: readonly Unseen[], above: number): Score {
  const weeks = wholeWeeks(unseen).map((week) => ratioOf({ ...coveredBy(week, 0), constant: constantOf(week) }));
  return {
    ...coveredBy(unseen, above),
    constant: constantOf(unseen),
    above,
    ...(weeks.length > 1 && { week: median(Float64Array.from(weeks)) }),
  };
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

function constantOf(unseen: readonly Unseen[]): number {
  const rises = new Float64Array(unseen.length * BINS);
  let count = 0;
  for (const { day } of unseen)
    for (const need of day.rise) {
      if (Number.isNaN(need)) continue;
      rises[count] = need;
      count += 1;
    }
  return constantFor(rises.subarray(0, count), coveredBy(unseen, 0).share) * count;
}

/** Counted back from the last date, so that a missing day does not shift the others. */
function wholeWeeks(unseen: readonly Unseen[]): readonly (readonly Unseen[])[] {
  const dates = unseen.map(({ day }) => day.date);
  const [first, last] = [Math.min(...dates), Math.max(...dates)];
  return Array.from({ length: Math.floor((last - first + 1) / WEEK_DAYS) }, (_, back) =>
    unseen.filter(({ day }) => Math.floor((last - day.date) / WEEK_DAYS) === back),
  ).filter((week) => week.length > 0);
}

/** The smallest constant that covers a share of the rises. */
export function constantFor(rises: Float64Array, share: number): number {
  const sorted = rises.filter((rise) => rise > 0).sort();
  let total = 0;
  for (const rise of sorted) total += rise;
  const wanted = total * share * (1 - 1e-9);
  let below = 0;
  for (let index = 0; index < sorted.length; index += 1) {
    const [rise, left] = [sorted[index] as number, sorted.length - index];
    if (below + rise * left >= wanted) return Math.max(0, (wanted - below) / left);
    below += rise;
  }
  return sorted.at(-1) ?? 0;
}
