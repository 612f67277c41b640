import { BINS, BINS_PER_CELL, CELLS, type Day } from './day-table';
import { median } from './demand-history';
import { daysOf, type Rule, widened } from './envelope';
import { cellsOf, type Fit, fitWindows, type Piece, type Segments } from './fit-windows';
import { DAYS_FOR_KIND, KINDS, MARGINS, newestOf } from './rhythm';
import { coveredBy, onUnseenDays, type Score, scoreOf } from './unseen-days';

/** `floor`: nodes in total. `more`: nodes to add to those that there are when the window is requested (`addNodes`). */
export type FloorShape = 'floor' | 'more';

/** A window that saves less than half an hour of its nodes a day is not worth configuring. */
const WORTH_BINS = 6;
/** As a share of the largest usual rise. */
const SMALL = 0.25;
const MOST_SMALL = 0.5;
/** Relative to the rise at an average time of day. */
const ABOVE_NOISE = 2.5;
const SEEN = 0.75;
const CLEARLY = 0.9;
/** Noise on top of a large rise is not worth a node. */
const NOISE_SHARE = 0.02;
/** How much of a floor may stay unused after the rise, relative to before it. */
const HELD = 0.05;
/** A wider margin must cover this much more of the large rises. */
const WORTH_SHARE = 0.02;

export interface FloorOptions {
  readonly most: number;
  /** The share of the large rises to cover. */
  readonly cover: number;
}

/** Which rises floors are for, and how far around each quarter of an hour they are looked for. */
export interface FloorRule {
  readonly kinds: Rule['kinds'];
  readonly small: number;
  readonly margin: number;
}

/** All days alike, and weekends by themselves where there are enough of them. */
export function floorRules(days: readonly Day[], cover: number): readonly FloorRule[] {
  return KINDS.map((kinds) => ({ kinds, alike: kinds.map((weekdays) => newestOf(days, weekdays)) }))
    .filter(({ alike }, index) => index === 0 || alike.every(({ length }) => length >= DAYS_FOR_KIND))
    .map(({ kinds, alike }) => {
      const least = shownBy(alike);
      const small = smallRise(alike, least);
      return { kinds, small, margin: validatedMargin(alike, { small, margin: least }, cover) };
    });
}

export function floorFit(
  shape: FloorShape,
  days: readonly Day[],
  rules: readonly FloorRule[],
  options: FloorOptions,
): { readonly fit: Fit; readonly rule: FloorRule } {
  return rules
    .map((rule) => ({ rule, fit: fitFloor(newestOf, days, rule, shape, options) }))
    .reduce((a, b) => (b.fit.held < a.fit.held * CLEARLY ? b : a));
}

/** Rises up to this are left to Karpenter: a floor for them would mostly stand unused. */
function smallRise(kinds: readonly (readonly Day[])[], margin: number): number {
  const usual = Float64Array.from(kinds.flatMap((days) => [...usualRise(days, margin)])).sort();
  const top = usual.at(-1) ?? 0;
  return Math.min(MOST_SMALL * top, Math.max(SMALL * top, ABOVE_NOISE * median(usual)));
}

/** The floors of each kind of days, each open until demand has gone back. */
function fitFloor(
  select: typeof daysOf,
  days: readonly Day[],
  { kinds, ...rule }: FloorRule,
  shape: FloorShape,
  { most, cover }: FloorOptions,
): Fit {
  const alike = kinds.map((weekdays) => select(days, weekdays));
  const segments = alike.map((own, kind) =>
    floorSegments(climbsOf(own, rule), own, { weight: kinds[kind]?.length ?? 0, cover, shape }),
  );
  const climb = alike.flat().reduce((top, day) => Math.max(top, climbOf(day)), 0);
  const fit = fitWindows(segments, { most, worth: { share: 0, held: (climb * WORTH_BINS * 7) / kinds.length } }, [0]);
  return { ...fit, pieces: fit.pieces.map((pieces, kind) => heldUntilUnused(alike[kind] ?? [], pieces, shape)) };
}

function climbOf({ demand }: Day): number {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const value of demand) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return Math.max(0, high - low);
}

/** The least margin that shows the usual rise. Without one, a rise that comes earlier or later each day is missed on half of them. */
function shownBy(kinds: readonly (readonly Day[])[]): number {
  const highest = (margin: number) => Math.max(...kinds.flatMap((days) => [...usualRise(days, margin)]));
  const widest = MARGINS.at(-1) ?? 0;
  const shown = SEEN * highest(widest);
  return MARGINS.find((margin) => highest(margin) >= shown) ?? widest;
}

/** The least margin whose floors cover enough of the large rises on unseen days, or nearly as much as a wider one. */
function validatedMargin(
  kinds: readonly (readonly Day[])[],
  { small, margin: least }: Omit<FloorRule, 'kinds'>,
  cover: number,
): number {
  const tried: { readonly margin: number; readonly share: number }[] = [];
  for (const margin of MARGINS.filter((one) => one >= least)) {
    const unseen = kinds.flatMap((days) =>
      onUnseenDays(days, (known) => {
        const pieces = climbsOf(known, { small, margin }).map((climbs, cell) => ({
          from: cell * BINS_PER_CELL,
          to: (cell + 1) * BINS_PER_CELL,
          level: levelFor(climbs, cover),
        }));
        return (day) => roomAbove(day, pieces, 'floor');
      }),
    );
    tried.push({ margin, share: coveredBy(unseen, small).share });
    if ((tried.at(-1)?.share ?? 0) >= cover) break;
  }
  return tried.reduce((a, b) => (b.share > a.share + WORTH_SHARE ? b : a)).margin;
}

/** The rise of at least half of the days. */
function usualRise(days: readonly Day[], margin: number): Float64Array {
  const rises = days.map(({ rise }) => cellsOf(widened(rise, margin)));
  const column = new Float64Array(days.length);
  return new Float64Array(CELLS).map((_, cell) => {
    for (let day = 0; day < column.length; day += 1) column[day] = rises[day]?.[cell] as number;
    return column.sort()[Math.floor((days.length - 1) / 2)] ?? 0;
  });
}

/** A large rise of one day: where it starts, and by how much demand climbs. */
interface Climb {
  readonly day: number;
  readonly start: number;
  readonly rise: number;
}

/**
 * The large rises around each cell, where more than half of the days have one. Others are left to Karpenter: a floor for
 * them would mostly stand unused.
 */
function climbsOf(days: readonly Day[], { small, margin }: Omit<FloorRule, 'kinds'>): readonly (readonly Climb[])[] {
  const cells = Array.from({ length: CELLS }, (): Climb[] => []);
  const daysWith = new Float64Array(CELLS);
  days.forEach(({ rise, top }, day) => {
    for (let bin = 0; bin < BINS; bin += 1) {
      const size = rise[bin] as number;
      if (!(size > small)) continue;
      const climb = { day, start: (top[bin] as number) - size, rise: size };
      const last = Math.floor((bin + margin) / BINS_PER_CELL);
      for (let near = Math.floor((bin - margin) / BINS_PER_CELL); near <= last; near += 1) {
        const cell = (near + CELLS) % CELLS;
        const climbs = cells[cell] as Climb[];
        if (climbs.at(-1)?.day !== day) daysWith[cell] = (daysWith[cell] as number) + 1;
        climbs.push(climb);
      }
    }
  });
  return cells.map((climbs, cell) => ((daysWith[cell] as number) > days.length / 2 ? climbs : []));
}

/** `least`, or the least of the days' own tops that covers enough of the climbs, above the nodes that each day counted. */
function levelFor(climbs: readonly Climb[], cover: number, least = 0, counts?: Float64Array): number {
  const isEnough = (level: number) => {
    let [covered, total] = [0, 0];
    for (const { day, start, rise } of climbs) {
      covered += Math.min(rise, Math.max(0, level + (counts?.[day] ?? 0) - start));
      total += rise;
    }
    return covered >= total * (cover - NOISE_SHARE);
  };
  if (isEnough(least)) return least;
  const tops = Float64Array.from(climbs, ({ day, start, rise }) => start + rise - (counts?.[day] ?? 0)).sort();
  let [low, high] = [0, tops.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(tops[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return tops[high] ?? 0;
}

interface SegmentRule {
  readonly weight: number;
  readonly cover: number;
  readonly shape: FloorShape;
}

/** A floor must reach what the large rises lead to. It holds only what demand leaves of it. */
function floorSegments(
  climbs: readonly (readonly Climb[])[],
  days: readonly Day[],
  { weight, cover, shape }: SegmentRule,
): Segments {
  const absolute = climbs.map((cell) => levelFor(cell, cover));
  const demands = days.map(({ demand }) => demand);
  const [levels, held] = [new Float64Array(CELLS * CELLS), new Float64Array(CELLS * CELLS)];
  for (let first = 0; first < CELLS; first += 1) {
    // A window begins where it is needed.
    if (climbs[first]?.length === 0) continue;
    const counts = Float64Array.from(demands, (demand) =>
      shape === 'more' ? countedAt(demand, first * BINS_PER_CELL) : 0,
    );
    let [level, sum] = [0, 0];
    for (let last = first; last < CELLS; last += 1) {
      const higher =
        shape === 'more'
          ? levelFor(climbs[last] ?? [], cover, level, counts)
          : Math.max(level, absolute[last] as number);
      sum =
        higher > level
          ? unused(demands, counts, higher, first, last)
          : sum + unused(demands, counts, level, last, last);
      level = higher;
      levels[last * CELLS + first] = level;
      held[last * CELLS + first] = sum;
    }
  }
  return { weight, floor: { levels, held }, needs: Float64Array.from(absolute), grows: shape === 'floor' };
}

/** The nodes that would be counted when the window is requested: demand at that time. */
function countedAt(demand: Float64Array, bin: number): number {
  const value = demand[bin] as number;
  return Number.isNaN(value) ? 0 : value;
}

/** What demand leaves of a floor from one cell to another, in bins, on the average day. */
function unused(
  demands: readonly Float64Array[],
  counts: Float64Array,
  level: number,
  first: number,
  last: number,
): number {
  let sum = 0;
  for (let day = 0; day < demands.length; day += 1) {
    const [demand, floor] = [demands[day] as Float64Array, (counts[day] as number) + level];
    for (let bin = first * BINS_PER_CELL; bin < (last + 1) * BINS_PER_CELL; bin += 1) {
      const left = floor - (demand[bin] as number);
      if (left > 0) sum += left;
    }
  }
  return sum / Math.max(1, demands.length);
}

/**
 * A floor in use costs nothing, so a window stays open until demand has fallen half-way back, unless noise leaves more
 * of it unused meanwhile than the rise itself needs.
 */
function heldUntilUnused(days: readonly Day[], pieces: readonly Piece[], shape: FloorShape): readonly Piece[] {
  const demands = days.map(({ demand }) => demand);
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return pieces.map((piece, index) => {
    const before = Float64Array.from(demands, (demand) => countedAt(demand, piece.from));
    const counts = shape === 'more' ? before : new Float64Array(before.length);
    const added = mean(counts) + piece.level - mean(before);
    const until = pieces[index + 1]?.from ?? BINS;
    const unusedIn = (from: number, to: number) =>
      unused(demands, counts, piece.level, from / BINS_PER_CELL, to / BINS_PER_CELL - 1);
    let { to } = piece;
    let left = HELD * unusedIn(piece.from, piece.to);
    while (to < until) {
      const next = unusedIn(to, to + BINS_PER_CELL);
      left -= next;
      if (left < 0 || next / BINS_PER_CELL > added / 2) break;
      to += BINS_PER_CELL;
    }
    return { ...piece, to };
  });
}

export function floorScore(shape: FloorShape, days: readonly Day[], rule: FloorRule, options: FloorOptions): Score {
  const { kinds, small } = rule;
  const newest = new Set(kinds.flatMap((weekdays) => newestOf(days, weekdays)));
  const unseen = onUnseenDays(
    days.filter((day) => newest.has(day)),
    (known) => {
      const { pieces } = fitFloor(daysOf, known, rule, shape, options);
      return (day) =>
        roomAbove(day, pieces[kinds.findIndex((weekdays) => weekdays.includes(day.weekday))] ?? [], shape);
    },
  );
  return scoreOf(unseen, small);
}

/** What demand leaves of a day's floors; adjacent windows share one count, as in the functions. */
function roomAbove({ demand, rise, top }: Day, pieces: readonly Piece[], shape: FloorShape): Float64Array {
  const room = new Float64Array(BINS);
  let [counted, until] = [0, -1];
  for (const { from, to, level } of pieces) {
    if (shape === 'more' && from !== until) counted = countedAt(demand, from);
    until = to;
    for (let bin = from; bin < to; bin += 1) {
      // Where demand climbs, room is needed above the start of the climb, not above the five-minute mean.
      const used = (rise[bin] as number) > 0 ? (top[bin] as number) - (rise[bin] as number) : (demand[bin] as number);
      if (!Number.isNaN(used)) room[bin] = Math.max(0, counted + level - used);
    }
  }
  return room;
}
