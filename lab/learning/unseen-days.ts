import { BINS, BINS_PER_HOUR, type Day } from './day-table';

const FOLDS = 7;
const WEEK_DAYS = 7;
/** Standard errors within which a difference is noise. */
const NOISE = 2;

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

export interface Score extends Covered {
  /** What the cheapest constant that covers as much of the same rises would have held. */
  readonly constant: number;
  readonly days: number;
  /** Rises up to this do not count in the share: a floor leaves them to Karpenter. */
  readonly above: number;
  /** How much larger held ÷ constant may be by chance, because days differ. */
  readonly noise: number;
}

export function scoreOf(unseen: readonly Unseen[], above: number): Score {
  const days = unseen.map((one) => tallyOf([one], above));
  const all = tallyOf(unseen, above);
  const constant = levelFor(all.needs, all.covered) * all.known;
  const ratio = ratioOf({ held: all.held, constant });
  const without = days.map(({ held, covered, known, needs }) =>
    ratioOf({
      held: all.held - held,
      constant: levelFor(all.needs, all.covered - covered, needs) * (all.known - known),
    }),
  );
  return { ...coveredOf(all), constant, days: days.length, above, noise: NOISE * upwardError(ratio, without) };
}

/** The jackknife's standard error, of what is larger only: a day that makes windows look worse is no reason to doubt them. */
function upwardError(ratio: number, without: readonly number[]): number {
  const squares = without.reduce((sum, one) => sum + Math.max(0, one - ratio) ** 2, 0);
  return ratio === Number.POSITIVE_INFINITY ? 0 : Math.sqrt((2 * squares * (without.length - 1)) / without.length);
}

/** Node-hours of a week. */
export function weeklyHours({ held, days }: Pick<Score, 'held' | 'days'>): number {
  return ((held / BINS_PER_HOUR) * WEEK_DAYS) / Math.max(1, days);
}

export function ratioOf({ held, constant }: Pick<Score, 'held' | 'constant'>): number {
  return held === 0 ? 0 : constant === 0 ? Number.POSITIVE_INFINITY : held / constant;
}

export function coveredBy(unseen: readonly Unseen[], above: number): Covered {
  return coveredOf(tallyOf(unseen, above));
}

function coveredOf({ covered, held, needs }: ReturnType<typeof tallyOf>): Covered {
  const total = needs.reduce((sum, need) => sum + need, 0);
  return { share: total === 0 ? 1 : covered / total, held };
}

/** What was held and covered, in how many known bins, and the counting rises in order of size. */
function tallyOf(unseen: readonly Unseen[], above: number) {
  const needs = new Float64Array(unseen.length * BINS);
  let [count, covered, held, known] = [0, 0, 0, 0];
  for (const { day, room } of unseen)
    for (let bin = 0; bin < BINS; bin += 1) {
      const need = day.rise[bin] as number;
      const has = room[bin] as number;
      if (Number.isNaN(need)) continue;
      held += has;
      known += 1;
      if (need <= above) continue;
      covered += need < has ? need : has;
      needs[count] = need;
      count += 1;
    }
  return { covered, held, known, needs: needs.subarray(0, count).sort() };
}

/** The smallest constant that covers a share of the rises. */
export function constantFor(rises: Float64Array): (share: number) => number {
  const sorted = rises.filter((rise) => rise > 0).sort();
  let total = 0;
  for (const rise of sorted) total += rise;
  return (share) => levelFor(sorted, total * share);
}

/** The level up to which these rises, without some of them, add up to what is covered; both in order of size. */
function levelFor(rises: Float64Array, covered: number, without = new Float64Array()): number {
  const wanted = covered * (1 - 1e-9);
  let [below, left, skipped] = [0, rises.length - without.length, 0];
  for (const rise of rises) {
    if (rise === without[skipped]) {
      skipped += 1;
      continue;
    }
    if (below + rise * left >= wanted) return Math.max(0, (wanted - below) / left);
    below += rise;
    left -= 1;
  }
  return rises.at(-1) ?? 0;
}
