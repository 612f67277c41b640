import { BINS, type Day } from './day-table';
import { daysOf, envelopeOf, type Rule } from './envelope';
import { type Fit, fitWindows, roomSegments } from './fit-windows';

const WEEK = [1, 2, 3, 4, 5, 6, 0];
export const KINDS = [
  [WEEK],
  [
    [1, 2, 3, 4, 5],
    [6, 0],
  ],
];
export const MARGINS = [0, 3, 5, 8];
/** Below so many days chance decides about a margin, so it stays at 25 minutes or more; of weekends four must be known. */
const DAYS_FOR_MARGIN = 10;
const WEEKEND_DAYS_FOR_MARGIN = 8;
/** Who has not seen a whole week cannot tell what repeats. */
const DAYS_FOR_CLEAR = 7;
const SAFE_MARGIN = 5;
/** Two weekends. */
export const DAYS_FOR_KIND = 4;
const FOLDS = 7;
const WORTH = { share: 0.03, held: 0 };
/** A day may be left out for every so many that are planned alike. */
const DAYS_PER_DROP = 10;

/** How a plan did on days that it had not seen. */
export interface Score {
  /** Rise that found room, of all rise that counts. */
  readonly share: number;
  /** Room held, in bins. */
  readonly held: number;
  /** What the cheapest constant that covers as much of all rise would have held. */
  readonly constant: number;
  /** Rises up to this do not count for the share: a floor leaves them to Karpenter. */
  readonly above: number;
}

/**
 * `clear`: windows hold far less than a constant that covers as much, on days that they have not seen. `none`: they
 * hold no less. `weak` is what lies between, or what they do not cover well.
 */
export type Verdict = 'clear' | 'weak' | 'none';

export interface Rhythm {
  readonly rule: Rule;
  readonly score: Score;
  readonly verdict: Verdict;
}

export const CLEAR = 0.7;
const NONE = 1;
const SHORTFALL = 0.05;

/** The rule that holds least among those that cover enough of days they have not seen, else the one that covers most. */
export function findRhythm(
  days: readonly Day[],
  { cover, most }: { readonly cover: number; readonly most: number },
): Rhythm {
  const scored = rulesFor(days).flatMap((rules) => scoredUntil(days, rules, { cover, most }));
  const best = scored.reduce((top, { score }) => Math.max(top, score.share), 0);
  const enough = scored.filter(({ score }) => score.share >= Math.min(cover, best));
  const { rule, score } = enough.reduce((a, b) => (b.score.held < a.score.held ? b : a));
  return { rule, score, verdict: verdictOf(score, cover, days.length) };
}

export function ratioOf({ held, constant }: Pick<Score, 'held' | 'constant'>): number {
  return held === 0 ? 0 : constant === 0 ? Number.POSITIVE_INFINITY : held / constant;
}

export function verdictOf(score: Score, cover: number, days: number): Verdict {
  const ratio = ratioOf(score);
  if (ratio >= NONE) return 'none';
  return ratio <= CLEAR && score.share >= cover - SHORTFALL && days >= DAYS_FOR_CLEAR ? 'clear' : 'weak';
}

/** A wider margin holds more, so that none is tried after the first that covers enough. */
function scoredUntil(
  days: readonly Day[],
  rules: readonly Rule[],
  { cover, most }: { readonly cover: number; readonly most: number },
) {
  const scored: { readonly rule: Rule; readonly score: Score }[] = [];
  for (const rule of rules) {
    const score = crossValidated(days, rule, most);
    scored.push({ rule, score });
    if (score.share >= cover) break;
  }
  return scored;
}

/** Lists of rules that differ in their margins only, the least first. */
function rulesFor(days: readonly Day[]): readonly (readonly Rule[])[] {
  return KINDS.flatMap((kinds, index) => {
    const fewest = Math.min(...kinds.map((weekdays) => daysOf(days, weekdays).length));
    if (index > 0 && fewest < DAYS_FOR_KIND) return [];
    const drops = [0, 1, 2].filter((drop) => drop * DAYS_PER_DROP <= fewest);
    const enough = index > 0 ? WEEKEND_DAYS_FOR_MARGIN : DAYS_FOR_MARGIN;
    const margins = MARGINS.filter((margin) => margin >= SAFE_MARGIN || fewest >= enough);
    return drops.map((drop) => margins.map((margin): Rule => ({ kinds, margin, drop })));
  });
}

/** The windows of a rule, for these days. */
export function fitRoom(days: readonly Day[], rule: Rule, most: number): Fit {
  const segments = rule.kinds.map((weekdays) =>
    roomSegments(envelopeOf(daysOf(days, weekdays), rule), weekdays.length),
  );
  return fitWindows(segments, { most, worth: WORTH });
}

function crossValidated(days: readonly Day[], rule: Rule, most: number): Score {
  const planner: Planner = (known) => {
    const fit = fitRoom(known, rule, most);
    const levels = rule.kinds.map((_, kind) => levelsOf(fit, kind));
    return ({ weekday }) => {
      const kind = rule.kinds.findIndex((weekdays) => weekdays.includes(weekday));
      return daysOf(known, rule.kinds[kind] ?? []).length > 0 ? levels[kind] : undefined;
    };
  };
  return onUnseenDays(days, planner, 0);
}

/** Plans from days that are known; the plan says which room it has on a day, if it can. */
export type Planner = (known: readonly Day[]) => (day: Day) => Float64Array | undefined;

/** Plans every seventh day from the others, seven times; rises up to `above` do not count for the share. */
export function onUnseenDays(days: readonly Day[], planner: Planner, above: number): Score {
  const folds = Math.min(FOLDS, days.length);
  const plans: (readonly [Day, Float64Array])[] = [];
  for (let fold = 0; fold < folds; fold += 1) {
    const roomOn = planner(folds === 1 ? days : days.filter((_, index) => index % folds !== fold));
    days.forEach((day, index) => {
      const room = index % folds === fold ? roomOn(day) : undefined;
      if (room) plans.push([day, room]);
    });
  }
  return scoreOf(plans, above);
}

function levelsOf({ base, pieces }: Fit, kind: number): Float64Array {
  const levels = new Float64Array(BINS).fill(base);
  for (const { from, to, level } of pieces[kind] ?? []) levels.fill(level, from, to);
  return levels;
}

function scoreOf(plans: readonly (readonly [Day, Float64Array])[], above: number): Score {
  const [all, counted] = [
    { covered: 0, total: 0 },
    { covered: 0, total: 0 },
  ];
  const rises = new Float64Array(plans.length * BINS);
  let [held, count] = [0, 0];
  for (const [{ rise }, plan] of plans)
    for (let bin = 0; bin < BINS; bin += 1) {
      const [need, room] = [rise[bin] as number, plan[bin] as number];
      if (Number.isNaN(need)) continue;
      for (const sum of need > above ? [all, counted] : [all]) {
        sum.covered += Math.min(need, room);
        sum.total += need;
      }
      held += room;
      rises[count] = need;
      count += 1;
    }
  const share = ({ covered, total }: typeof all) => (total === 0 ? 1 : covered / total);
  const constant = constantFor(rises.subarray(0, count), share(all)) * count;
  return { share: share(counted), held, constant, above };
}

/** The least constant that covers a share of the rises. */
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
