import { BINS, BINS_PER_CELL, BINS_PER_HOUR, type Day } from './day-table';
import { daysOf, envelopeOf, type Rule } from './envelope';
import { cellsOf, type Fit, fitHour, fitWindows, roomSegments } from './fit-windows';
import { type Covered, coveredBy, onUnseenDays, ratioOf, type Score, scoreOf, type Unseen } from './unseen-days';

const WEEK = [1, 2, 3, 4, 5, 6, 0];
const WORKDAYS = [1, 2, 3, 4, 5];
const WEEKEND = [6, 0];
export const KINDS = [[WEEK], [WORKDAYS, WEEKEND]];
export const MARGINS = [0, 3, 5, 8];
/** With fewer days a margin is chosen by chance, so it stays at 25 minutes or more; weekends need four. */
const DAYS_FOR_MARGIN = 10;
const WEEKEND_DAYS_FOR_MARGIN = 8;
/** Less than a week does not show what repeats. */
const DAYS_FOR_CLEAR = 7;
const SAFE_MARGIN = 5;
/** Two weekends. */
export const DAYS_FOR_KIND = 4;
/** Of a weekday that differs from the others. */
const DAYS_FOR_WEEKDAY = 3;
/** How much more a weekday must need to be planned by itself, in squares, so that large rises count most. */
const DIFFERS = 2;
const WORTH = { share: 0.03, held: 0 };
/** Older days tell what demand was, not what it is. */
const NEWEST_DAYS = 10;
const NEWEST_WEEKS = 2;
/** A cheaper rule may cover this much less. */
const SLACK = 0.005;
/** A time of the day is the usual reason for a rise, so an hour must hold clearly less. */
const CLEARLY = 0.7;

/**
 * `clear`: on unseen days, windows hold far less than a constant that covers as much, and cover well. `weak`: only one
 * of both. `none`: neither, or they hold no less, or less by chance.
 */
export type Verdict = 'clear' | 'weak' | 'none';

export interface Rhythm {
  readonly rule: Rule;
  readonly score: Score;
  readonly verdict: Verdict;
  /** How its windows did on days that they were not learned from. */
  readonly unseen: readonly Unseen[];
}

const CLEAR = 0.7;
const NONE = 0.97;
const SHORTFALL = 0.15;
/** What comes at other times each day is no rhythm. */
const MISSED = 0.3;

interface Wanted {
  readonly cover: number;
  readonly most: number;
}

export function findRule(days: readonly Day[], cover: number): Rule {
  const tried = rulesFor(days).flatMap((rules) => triedUntil(days, rules, cover));
  const best = tried.reduce((top, { share, rule }) => (rule.hourly ? top : Math.max(top, share)), 0);
  const enough = tried.filter(({ share }) => share >= Math.min(cover, best - SLACK));
  const costOf = ({ held, rule }: (typeof tried)[number]) => (rule.hourly ? held / CLEARLY : held);
  return enough.reduce((a, b) => (costOf(b) < costOf(a) ? b : a)).rule;
}

export function judgeRoom(days: readonly Day[], rule: Rule, { cover, most }: Wanted): Rhythm {
  const unseen = crossValidated(days, rule, roomBy(rule, most));
  const score = scoreOf(unseen, 0);
  return { rule, score, unseen, verdict: verdictOf(score, cover, days.length) };
}

export function verdictOf(score: Score, cover: number, days: number): Verdict {
  const ratio = ratioOf(score);
  const [holdsLess, covers] = [ratio <= CLEAR, score.share >= cover - SHORTFALL];
  if (ratio >= NONE || ratio + score.noise >= 1 || score.share < cover - MISSED || (!holdsLess && !covers))
    return 'none';
  return holdsLess && covers && days >= DAYS_FOR_CLEAR ? 'clear' : 'weak';
}

/** A wider margin holds more, so none is tried after the first that covers enough. */
function triedUntil(days: readonly Day[], rules: readonly Rule[], cover: number) {
  const tried: (Covered & { readonly rule: Rule })[] = [];
  for (const rule of rules) {
    const covered = coveredBy(crossValidated(days, rule, quartersBy(rule)), 0);
    tried.push({ rule, ...covered });
    if (covered.share >= cover) break;
  }
  return tried;
}

/** Lists of rules that differ only in their margins, the smallest first. */
function rulesFor(days: readonly Day[]): readonly (readonly Rule[])[] {
  const daily = kindsFor(days).flatMap((kinds) => {
    const fewest = Math.min(...kinds.map((weekdays) => newestOf(days, weekdays).length));
    const enough = kinds.length > 1 ? WEEKEND_DAYS_FOR_MARGIN : DAYS_FOR_MARGIN;
    const margins = MARGINS.filter((margin) => margin >= SAFE_MARGIN || fewest >= enough);
    return [margins.map((margin): Rule => ({ kinds, margin }))];
  });
  return isHourly(days) ? [...daily, [0, 1].map((margin): Rule => ({ kinds: [WEEK], margin, hourly: true }))] : daily;
}

/** Whether most hours have a rise that is not small. */
function isHourly(days: readonly Day[]): boolean {
  const newest = newestOf(days, WEEK);
  const small = Math.max(...envelopeOf(newest, { margin: 0 })) / 2;
  const hours = newest.flatMap(({ rise }) =>
    Array.from({ length: BINS / BINS_PER_HOUR }, (_, hour) =>
      rise.subarray(hour * BINS_PER_HOUR, (hour + 1) * BINS_PER_HOUR).some((value) => value > small),
    ),
  );
  return hours.filter(Boolean).length > hours.length / 2;
}

/** All days alike, or weekdays and weekends; a weekday that needs far more than each of the others is one by itself. */
function kindsFor(days: readonly Day[]): readonly Rule['kinds'][] {
  const needs = WEEK.map((weekday) =>
    envelopeOf(daysOf(days, [weekday]), { margin: SAFE_MARGIN }).reduce((sum, rise) => sum + rise * rise, 0),
  );
  const [most = 0, next = 0] = needs.slice().sort((a, b) => b - a);
  const odd = WEEK[needs.indexOf(most)] ?? 0;
  const isOdd = most > DIFFERS * next && daysOf(days, [odd]).length >= DAYS_FOR_WEEKDAY;
  const without = (weekdays: readonly number[]) => weekdays.filter((weekday) => weekday !== odd);
  const all = isOdd
    ? [
        [[odd], without(WEEK)],
        [[odd], without(WORKDAYS), without(WEEKEND)],
      ]
    : KINDS;
  return all.filter((kinds, index) =>
    kinds.every((weekdays) => index === 0 || weekdays.length === 1 || newestOf(days, weekdays).length >= DAYS_FOR_KIND),
  );
}

/** The days that a kind is planned from: the newest two weeks of it, and at least ten days. */
export function newestOf(days: readonly Day[], weekdays: readonly number[]): readonly Day[] {
  return daysOf(days, weekdays).slice(-Math.max(NEWEST_DAYS, NEWEST_WEEKS * weekdays.length));
}

export function fitRoom(days: readonly Day[], rule: Rule, most: number): Fit {
  if (rule.hourly) return fitHour(envelopeOf(newestOf(days, WEEK), rule), WEEK.length);
  const segments = rule.kinds.map((weekdays) =>
    roomSegments(envelopeOf(newestOf(days, weekdays), rule), weekdays.length),
  );
  return fitWindows(segments, { most, worth: WORTH });
}

type RoomBy = (known: readonly Day[]) => readonly Float64Array[];

function roomBy(rule: Rule, most: number): RoomBy {
  return (known) => {
    const { base, pieces } = fitRoom(known, rule, most);
    return rule.kinds.map((_, kind) => {
      const levels = new Float64Array(BINS).fill(base);
      for (const { from, to, level } of pieces[kind] ?? []) levels.fill(level, from, to);
      return levels;
    });
  };
}

/** The room of a rule with a window for each quarter of an hour: close enough to choose a rule by, and much faster. */
function quartersBy(rule: Rule): RoomBy {
  return (known) =>
    rule.hourly
      ? roomBy(rule, 1)(known)
      : rule.kinds.map((weekdays) => {
          const cells = cellsOf(envelopeOf(newestOf(known, weekdays), rule));
          return new Float64Array(BINS).map((_, bin) => cells[Math.floor(bin / BINS_PER_CELL)] as number);
        });
}

function crossValidated(days: readonly Day[], rule: Rule, roomOf: RoomBy): readonly Unseen[] {
  const newest = new Set(rule.kinds.flatMap((weekdays) => newestOf(days, weekdays)));
  return onUnseenDays(
    days.filter((day) => newest.has(day)),
    (known) => {
      const levels = roomOf(known);
      return ({ weekday }) => {
        const kind = rule.kinds.findIndex((weekdays) => weekdays.includes(weekday));
        return daysOf(known, rule.kinds[kind] ?? []).length > 0 ? levels[kind] : undefined;
      };
    },
  );
}
