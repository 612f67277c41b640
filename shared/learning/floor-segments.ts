import { BINS, BINS_PER_CELL, CELLS, type Day } from './day-table';
import { daysOf, Ranking, type Rule, widened } from './envelope';
import { cellsOf, type Fit, fitWindows, type Piece, type Segments } from './fit-windows';
import { DAYS_FOR_KIND, KINDS, MARGINS } from './rhythm';
import { onUnseenDays, type Planner, type Score, scoreOf } from './unseen-days';

/** `floor`: nodes in total. `more`: nodes to add to those that there are when the window is requested (`addNodes`). */
export type FloorShape = 'floor' | 'more';

/** A window that saves less than half an hour of its nodes a day is not worth configuring. */
const WORTH_BINS = 6;
/** As a share of the largest usual rise. */
const SMALL = 0.25;
const SEEN = 0.75;
const CLEARLY = 0.9;

/** The floors for these days, and the days that are planned alike; weekends get their own if that is clearly cheaper. */
export interface FloorFit {
  readonly fit: Fit;
  readonly kinds: Rule['kinds'];
}

export function floorFit(shape: FloorShape, days: readonly Day[], rule: Rule, most: number): FloorFit {
  const fits = KINDS.map((kinds) => ({ kinds, alike: kinds.map((weekdays) => daysOf(days, weekdays)) }))
    .filter(({ alike }, index) => index === 0 || alike.every(({ length }) => length >= DAYS_FOR_KIND))
    .map(({ kinds, alike }) => ({ kinds, fit: fitFloor(alike, { ...rule, kinds }, shape, most) }));
  return fits.reduce((a, b) => (b.fit.held < a.fit.held * CLEARLY ? b : a));
}

/** Rises up to this are left to Karpenter: a floor for them would mostly stand unused. */
function smallRise(days: readonly Day[]): number {
  return SMALL * Math.max(...usualRise(days, marginFor([days])));
}

/** The floors of each kind of days, each open until demand has gone back. */
function fitFloor(
  kinds: readonly (readonly Day[])[],
  { kinds: weekdays, drop }: Rule,
  shape: FloorShape,
  most: number,
): Fit {
  const rule = { drop, kinds: weekdays, margin: marginFor(kinds) };
  const usual = kinds.map((days) => usualRise(days, rule.margin));
  const small = SMALL * usual.reduce((top, rises) => Math.max(top, ...rises), 0);
  const segments = kinds.map((days, kind) => {
    const counts = (usual[kind] ?? new Float64Array(CELLS)).map((rise) => (rise > small ? 1 : 0));
    return floorSegments({ days, counts, weight: rule.kinds[kind]?.length ?? 0 }, rule, shape);
  });
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
function marginFor(kinds: readonly (readonly Day[])[]): number {
  const highest = (margin: number) => Math.max(...kinds.flatMap((days) => [...usualRise(days, margin)]));
  const [widest = 0] = MARGINS.slice(-1);
  return MARGINS.find((margin) => highest(margin) >= SEEN * highest(widest)) ?? widest;
}

/** The rise of at least half of the days. */
function usualRise(days: readonly Day[], margin: number): Float64Array {
  const rises = days.map(({ rise }) => cellsOf(widened(rise, margin)));
  return new Ranking(rises, Math.floor(days.length / 2), CELLS).envelope();
}

interface AlikeDays {
  readonly days: readonly Day[];
  /** 1 for cells whose rises a floor must cover. */
  readonly counts: Float64Array;
  readonly weight: number;
}

/**
 * A floor must reach the highest demand that a rise leads to. It holds only what demand leaves of it. Rises that are
 * small, or that fewer than half of the days have, are left to Karpenter: a floor for them would mostly stand unused.
 */
function floorSegments({ days, counts: usual, weight }: AlikeDays, rule: Rule, shape: FloorShape): Segments {
  const tops = days.map(({ top }) =>
    cellsOf(widened(top, rule.margin)).map((level, cell) => level * (usual[cell] as number)),
  );
  const needs = new Ranking(tops, rule.drop, CELLS).envelope();
  const demands = days.map(({ demand }) => demand);
  const [levels, held] = [new Float64Array(CELLS * CELLS), new Float64Array(CELLS * CELLS)];
  for (let first = 0; first < CELLS; first += 1) {
    const counts = Float64Array.from(demands, (demand) =>
      shape === 'more' ? countedAt(demand, first * BINS_PER_CELL) : 0,
    );
    let [level, sum] = [0, 0];
    for (let last = first; last < CELLS; last += 1) {
      const higher = (needs[last] as number) > 0 ? Math.max(level, neededAt(tops, counts, last, rule.drop)) : level;
      sum =
        higher > level
          ? unused(demands, counts, higher, first, last)
          : sum + unused(demands, counts, level, last, last);
      level = higher;
      levels[last * CELLS + first] = level;
      held[last * CELLS + first] = sum;
    }
  }
  return { weight, floor: { levels, held }, needs, grows: shape === 'floor' };
}

/** The nodes that would be counted when the window is requested: demand at that time. */
function countedAt(demand: Float64Array, bin: number): number {
  const value = demand[bin] as number;
  return Number.isNaN(value) ? 0 : value;
}

/** The largest need of any day at a cell after the dropped ones; the smallest need if there are no more. */
function neededAt(tops: readonly Float64Array[], counts: Float64Array, cell: number, drop: number): number {
  const largest: number[] = [];
  for (let day = 0; day < tops.length; day += 1) {
    const needed = ((tops[day] as Float64Array)[cell] as number) - (counts[day] as number);
    if (!(needed > 0) || (largest.length > drop && needed <= (largest[drop] as number))) continue;
    let place = Math.min(largest.length, drop);
    for (; place > 0 && (largest[place - 1] as number) < needed; place -= 1)
      largest[place] = largest[place - 1] as number;
    largest[place] = needed;
  }
  return largest.at(-1) ?? 0;
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

/** A floor in use costs nothing, so a window stays open until demand has fallen half-way back. */
function heldUntilUnused(days: readonly Day[], pieces: readonly Piece[], shape: FloorShape): readonly Piece[] {
  const demands = days.map(({ demand }) => demand);
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return pieces.map((piece, index) => {
    const before = Float64Array.from(demands, (demand) => countedAt(demand, piece.from));
    const counts = shape === 'more' ? before : new Float64Array(before.length);
    const added = mean(counts) + piece.level - mean(before);
    const until = pieces[index + 1]?.from ?? BINS;
    let { to } = piece;
    const unusedNext = () =>
      unused(demands, counts, piece.level, to / BINS_PER_CELL, to / BINS_PER_CELL) / BINS_PER_CELL;
    while (to < until && unusedNext() <= added / 2) to += BINS_PER_CELL;
    return { ...piece, to };
  });
}

/** The score of floors on unseen days, by the rises that a floor must cover. */
export function floorScore(shape: FloorShape, days: readonly Day[], rule: Rule, most: number): Score {
  const planner: Planner = (known) => {
    const { fit, kinds } = floorFit(shape, known, rule, most);
    return (day) => {
      const kind = kinds.findIndex((weekdays) => weekdays.includes(day.weekday));
      return roomAbove(day, fit.pieces[kind] ?? [], shape);
    };
  };
  return scoreOf(onUnseenDays(days, planner), smallRise(days));
}

/** What demand leaves of a day's floors; adjacent windows share one count, as in the functions. */
function roomAbove({ demand, rise, top }: Day, pieces: readonly Piece[], shape: FloorShape): Float64Array {
  const room = new Float64Array(BINS);
  let [counted, until] = [0, -1];
  for (const { from, to, level } of pieces) {
    if (shape === 'more' && from !== until) counted = knownAt(demand, from);
    until = to;
    for (let bin = from; bin < to; bin += 1) {
      // Where demand climbs, room is needed above the start of the climb, not above the five-minute mean.
      const used = (rise[bin] as number) > 0 ? (top[bin] as number) - (rise[bin] as number) : (demand[bin] as number);
      if (!Number.isNaN(used)) room[bin] = Math.max(0, counted + level - used);
    }
  }
  return room;
}

function knownAt(demand: Float64Array, bin: number): number {
  const value = demand[bin] as number;
  return Number.isNaN(value) ? 0 : value;
}
