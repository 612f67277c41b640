import { BINS, BINS_PER_CELL, CELLS, type Day } from './day-table';
import { daysOf, Ranking, type Rule, widened } from './envelope';
import { cellsOf, type Fit, fitWindows, type Piece, type Segments } from './fit-windows';
import { median } from './history';
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

/** The floors for these days, and the days that are planned alike; weekends get their own if that is clearly cheaper. */
export interface FloorFit {
  readonly fit: Fit;
  readonly kinds: Rule['kinds'];
}

export function floorFit(shape: FloorShape, days: readonly Day[], options: FloorOptions): FloorFit {
  const fits = KINDS.map((kinds) => ({ kinds, alike: kinds.map((weekdays) => newestOf(days, weekdays)) }))
    .filter(({ alike }, index) => index === 0 || alike.every(({ length }) => length >= DAYS_FOR_KIND))
    .map(({ kinds, alike }) => ({ kinds, fit: fitFloor(alike, kinds, shape, options) }));
  return fits.reduce((a, b) => (b.fit.held < a.fit.held * CLEARLY ? b : a));
}

/** Rises up to this are left to Karpenter: a floor for them would mostly stand unused. */
function smallRise(kinds: readonly (readonly Day[])[]): number {
  const margin = shownBy(kinds);
  const usual = Float64Array.from(kinds.flatMap((days) => [...usualRise(days, margin)])).sort();
  const top = usual.at(-1) ?? 0;
  return Math.min(MOST_SMALL * top, Math.max(SMALL * top, ABOVE_NOISE * median(usual)));
}

/** The floors of each kind of days, each open until demand has gone back. */
function fitFloor(
  kinds: readonly (readonly Day[])[],
  weekdays: Rule['kinds'],
  shape: FloorShape,
  { most, cover }: FloorOptions,
): Fit {
  const small = smallRise(kinds);
  const margin = validatedMargin(kinds, small, cover);
  const segments = kinds.map((days, kind) =>
    floorSegments(climbsOf(days, { small, margin }), days, { weight: weekdays[kind]?.length ?? 0, cover, shape }),
  );
  const climb = kinds.flat().reduce((top, day) => Math.max(top, climbOf(day)), 0);
  const fit = fitWindows(segments, { most, worth: { share: 0, held: (climb * WORTH_BINS * 7) / kinds.length } }, [0]);
  return { ...fit, pieces: fit.pieces.map((pieces, kind) => heldUntilUnused(kinds[kind] ?? [], pieces, shape)) };
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
  const [widest = 0] = MARGINS.slice(-1);
  return MARGINS.find((margin) => highest(margin) >= SEEN * highest(widest)) ?? widest;
}

/** The least margin whose floors cover enough of the large rises on unseen days, or nearly as much as a wider one. */
function validatedMargin(kinds: readonly (readonly Day[])[], small: number, cover: number): number {
  const least = shownBy(kinds);
  const tried: { readonly margin: number; readonly share: number }[] = [];
  for (const margin of MARGINS.filter((one) => one >= least)) {
    const unseen = kinds.flatMap((days) =>
      onUnseenDays(days, (known) => {
        const climbs = climbsOf(known, { small, margin });
        const levels = climbs.map((cell) => levelFor(cell, undefined, cover));
        return (day) =>
          roomAbove(
            day,
            levels.map((level, cell) => ({ ...cellAt(cell), level })),
            'floor',
          );
      }),
    );
    tried.push({ margin, share: coveredBy(unseen, small).share });
    if ((tried.at(-1)?.share ?? 0) >= cover) break;
  }
  return tried.reduce((a, b) => (b.share > a.share + WORTH_SHARE ? b : a)).margin;
}

function cellAt(cell: number): Pick<Piece, 'from' | 'to'> {
  return { from: cell * BINS_PER_CELL, to: (cell + 1) * BINS_PER_CELL };
}

/** The rise of at least half of the days. */
function usualRise(days: readonly Day[], margin: number): Float64Array {
  const rises = days.map(({ rise }) => cellsOf(widened(rise, margin)));
  const half = Math.floor(days.length / 2);
  return new Ranking(rises, half + 1, CELLS).after(half);
}

/** A large rise of one day: where it starts, and by how much demand climbs. */
interface Climb {
  readonly day: number;
  readonly start: number;
  readonly rise: number;
}

/**
 * The large rises around each cell, where at least half of the days have one. Others are left to Karpenter: a floor for
 * them would mostly stand unused.
 */
function climbsOf(
  days: readonly Day[],
  { small, margin }: { readonly small: number; readonly margin: number },
): readonly (readonly Climb[])[] {
  const usual = usualRise(days, margin);
  return Array.from({ length: CELLS }, (_, cell) => {
    const climbs: Climb[] = [];
    if (!((usual[cell] as number) > small)) return climbs;
    const [first, last] = [cell * BINS_PER_CELL - margin, (cell + 1) * BINS_PER_CELL + margin];
    days.forEach(({ rise, top }, day) => {
      for (let near = first; near < last; near += 1) {
        const bin = (near + BINS) % BINS;
        const size = rise[bin] as number;
        if (size > small) climbs.push({ day, start: (top[bin] as number) - size, rise: size });
      }
    });
    return climbs;
  });
}

/** The least of the days' own tops that covers enough of the climbs, above the nodes that each day counted. */
function levelFor(climbs: readonly Climb[], counts: Float64Array | undefined, cover: number): number {
  const needs = climbs.map(({ day, start, rise }) => ({ from: start - (counts?.[day] ?? 0), rise }));
  const tops = Float64Array.from(needs, ({ from, rise }) => Math.max(0, from + rise)).sort();
  const total = needs.reduce((sum, { rise }) => sum + rise, 0);
  const covers = (level: number) =>
    needs.reduce((sum, { from, rise }) => sum + Math.min(rise, Math.max(0, level - from)), 0) >=
    total * (cover - NOISE_SHARE);
  let [low, high] = [0, tops.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (covers(tops[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return tops[high] ?? 0;
}

interface FloorRule {
  readonly weight: number;
  readonly cover: number;
  readonly shape: FloorShape;
}

/** A floor must reach what the large rises lead to. It holds only what demand leaves of it. */
function floorSegments(
  climbs: readonly (readonly Climb[])[],
  days: readonly Day[],
  { weight, cover, shape }: FloorRule,
): Segments {
  const absolute = climbs.map((cell) => levelFor(cell, undefined, cover));
  const demands = days.map(({ demand }) => demand);
  const [levels, held] = [new Float64Array(CELLS * CELLS), new Float64Array(CELLS * CELLS)];
  for (let first = 0; first < CELLS; first += 1) {
    const counts = Float64Array.from(demands, (demand) =>
      shape === 'more' ? countedAt(demand, first * BINS_PER_CELL) : 0,
    );
    let [level, sum] = [0, 0];
    for (let last = first; last < CELLS; last += 1) {
      const needed = shape === 'more' ? levelFor(climbs[last] ?? [], counts, cover) : (absolute[last] as number);
      const higher = Math.max(level, needed);
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

/** The score of floors on unseen days, by the rises that a floor must cover. */
export function floorScore(shape: FloorShape, days: readonly Day[], options: FloorOptions): Score {
  const { kinds } = floorFit(shape, days, options);
  const alike = kinds.map((weekdays) => newestOf(days, weekdays));
  const unseen = onUnseenDays(
    days.filter((day) => alike.flat().includes(day)),
    (known) => {
      const fit = fitFloor(
        kinds.map((weekdays) => daysOf(known, weekdays)),
        kinds,
        shape,
        options,
      );
      return (day) => {
        const kind = kinds.findIndex((weekdays) => weekdays.includes(day.weekday));
        return roomAbove(day, fit.pieces[kind] ?? [], shape);
      };
    },
  );
  return scoreOf(unseen, smallRise(alike));
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
