import { BINS, type Day } from './day-table';
import { daysOf, envelopeOf, type Rule } from './envelope';
import { type Fit, fitWindows, roomSegments } from './fit-windows';
import { type Covered, coveredBy, onUnseenDays, type Score, scoreOf, type Unseen, worstRatio } from './unseen-days';

const WEEK = [1, 2, 3, 4, 5, 6, 0];
export const KINDS = [
  [WEEK],
  [
    [1, 2, 3, 4, 5],
    [6, 0],
  ],
];
export const MARGINS = [0, 3, 5, 8];
/** With fewer days a margin is chosen by chance, so it stays at 25 minutes or more; weekends need four. */
const DAYS_FOR_MARGIN = 10;
const WEEKEND_DAYS_FOR_MARGIN = 8;
/** Less than a week does not show what repeats. */
const DAYS_FOR_CLEAR = 7;
const SAFE_MARGIN = 5;
/** Two weekends. */
export const DAYS_FOR_KIND = 4;
const WORTH = { share: 0.03, held: 0 };
/** One day may be left out for each of this many that are planned alike. */
const DAYS_PER_DROP = 10;

/**
 * `clear`: on unseen days, windows hold far less than a constant that covers as much. `none`: they hold no less.
 * `weak`: in between, or they do not cover well.
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

/** The rule that holds least among those that cover enough of unseen days, else the one that covers most. */
export function findRhythm(
  days: readonly Day[],
  { cover, most }: { readonly cover: number; readonly most: number },
): Rhythm {
  const tried = rulesFor(days).flatMap((rules) => triedUntil(days, rules, { cover, most }));
  const best = tried.reduce((top, { share }) => Math.max(top, share), 0);
  const enough = tried.filter(({ share }) => share >= Math.min(cover, best));
  const { rule, unseen } = enough.reduce((a, b) => (b.held < a.held ? b : a));
  const score = scoreOf(unseen, 0);
  return { rule, score, verdict: verdictOf(score, cover, days.length) };
}

export function verdictOf(score: Score, cover: number, days: number): Verdict {
  const ratio = worstRatio(score);
  if (ratio >= NONE) return 'none';
  return ratio <= CLEAR && score.share >= cover - SHORTFALL && days >= DAYS_FOR_CLEAR ? 'clear' : 'weak';
}

/** A wider margin holds more, so none is tried after the first that covers enough. */
function triedUntil(
  days: readonly Day[],
  rules: readonly Rule[],
  { cover, most }: { readonly cover: number; readonly most: number },
) {
  const tried: (Covered & { readonly rule: Rule; readonly unseen: readonly Unseen[] })[] = [];
  for (const rule of rules) {
    const unseen = crossValidated(days, rule, most);
    const covered = coveredBy(unseen, 0);
    tried.push({ rule, unseen, ...covered });
    if (covered.share >= cover) break;
  }
  return tried;
}

/** Lists of rules that differ only in their margins, the smallest first. */
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

function crossValidated(days: readonly Day[], rule: Rule, most: number): readonly Unseen[] {
  return onUnseenDays(days, (known) => {
    const fit = fitRoom(known, rule, most);
    const levels = rule.kinds.map((_, kind) => levelsOf(fit, kind));
    return ({ weekday }) => {
      const kind = rule.kinds.findIndex((weekdays) => weekdays.includes(weekday));
      return daysOf(known, rule.kinds[kind] ?? []).length > 0 ? levels[kind] : undefined;
    };
  });
}

function levelsOf({ base, pieces }: Fit, kind: number): Float64Array {
  const levels = new Float64Array(BINS).fill(base);
  for (const { from, to, level } of pieces[kind] ?? []) levels.fill(level, from, to);
  return levels;
}
