import { BINS, BINS_PER_CELL, BINS_PER_HOUR, CELLS } from './day-table';

export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly level: number;
}

export interface Segments {
  /** How many days a week are of this kind. */
  readonly weight: number;
  /** The level of a floor and what it holds on an average day, at `[last * CELLS + first]`, both inclusive. */
  readonly floor?: { readonly levels: Float64Array; readonly held: Float64Array };
  /** What each cell needs without a window. */
  readonly needs: Float64Array;
  /** A window that begins earlier never holds less. */
  readonly grows: boolean;
}

export interface Fit {
  readonly base: number;
  /** The windows of each kind of days, in order of time. */
  readonly pieces: readonly (readonly Piece[])[];
  readonly windows: number;
  /** Held in a week, in bins. */
  readonly held: number;
}

const MAX_BASES = 8;

export interface FitLimits {
  readonly most: number;
  /** A window that saves less, as a share of all and in bins a week, is not worth configuring. */
  readonly worth: { readonly share: number; readonly held: number };
}

/** The base and the windows that meet every need and hold least; fewer windows if more save too little. */
export function fitWindows(
  kinds: readonly Segments[],
  { most, worth }: FitLimits,
  bases: readonly number[] = basesOf(kinds),
): Fit {
  const days = kinds.reduce((sum, { weight }) => sum + weight, 0);
  const fits: Fit[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const base of bases) {
    // What a base alone holds may be too much already.
    if (base * CELLS * BINS_PER_CELL * days > least * (1 + worth.share) + 1e-9) continue;
    for (const fit of fitOver(kinds, base, most)) {
      fits.push(fit);
      least = Math.min(least, fit.held);
    }
  }
  const cost = ({ held, windows }: Fit) => held + windows * worth.held;
  const close = fits.filter(({ held }) => held <= least * (1 + worth.share) + 1e-9);
  if (worth.held > 0) return fits.reduce((a, b) => (cost(b) < cost(a) ? b : a));
  return close.reduce((a, b) => (b.windows < a.windows || (b.windows === a.windows && b.held < a.held) ? b : a));
}

/** The base and the window in every hour that hold least. */
export function fitHour(envelope: Float64Array, weight: number): Fit {
  const needs = envelope.subarray(0, BINS_PER_HOUR);
  const top = (from: number, length: number) =>
    Array.from({ length }, (_, bin) => needs[(from + bin) % BINS_PER_HOUR] as number).reduce(
      (a, b) => Math.max(a, b),
      0,
    );
  let best = { from: 0, length: 0, base: top(0, BINS_PER_HOUR), level: 0 };
  const heldIn = ({ length, base, level }: typeof best) => base * (BINS_PER_HOUR - length) + level * length;
  for (let from = 0; from < BINS_PER_HOUR; from += 1)
    for (let length = 1; length < BINS_PER_HOUR; length += 1) {
      const one = { from, length, level: top(from, length), base: top(from + length, BINS_PER_HOUR - length) };
      if (one.level > one.base && heldIn(one) < heldIn(best)) best = one;
    }
  const { from, length, base, level } = best;
  const starts =
    length === 0 ? [] : Array.from({ length: BINS / BINS_PER_HOUR }, (_, hour) => hour * BINS_PER_HOUR + from);
  // The window of the last hour may end in the first.
  const pieces = starts.flatMap((start) => [
    { from: start, to: Math.min(BINS, start + length), level },
    ...(start + length > BINS ? [{ from: 0, to: start + length - BINS, level }] : []),
  ]);
  return { base, pieces: [pieces], windows: Math.sign(length), held: heldIn(best) * (BINS / BINS_PER_HOUR) * weight };
}

/** The highest value of each cell. */
export function cellsOf(bins: Float64Array): Float64Array {
  const cells = new Float64Array(CELLS);
  bins.forEach((value, bin) => {
    const cell = Math.floor(bin / BINS_PER_CELL);
    if (value > (cells[cell] as number)) cells[cell] = value;
  });
  return cells;
}

/** For room, a window must reach the highest need of its cells. */
export function roomSegments(envelope: Float64Array, weight: number): Segments {
  return { weight, needs: cellsOf(envelope), grows: true };
}

/** Zero, and levels that occur: a base between two of them only costs more. */
function basesOf(kinds: readonly Segments[]): readonly number[] {
  const levels = [...new Set([0, ...kinds.flatMap(({ needs }) => [...needs])])].sort((a, b) => a - b);
  const count = Math.min(MAX_BASES, levels.length);
  const step = count < 2 ? 0 : (levels.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => levels[Math.round(index * step)] as number);
}

/** The best fits over one base, by number of windows. */
function fitOver(kinds: readonly Segments[], base: number, most: number): readonly Fit[] {
  let fits: (Fit | undefined)[] = [{ base, pieces: [], windows: 0, held: 0 }];
  for (const kind of kinds) {
    const own = coversOf(kind, base, most);
    const joined: (Fit | undefined)[] = [];
    for (const fit of fits)
      for (const cover of own) {
        if (!fit || !cover) continue;
        const windows = fit.windows + cover.pieces.length;
        const held = fit.held + cover.held * kind.weight;
        if (windows > most || held >= (joined[windows]?.held ?? Number.POSITIVE_INFINITY)) continue;
        joined[windows] = { base, pieces: [...fit.pieces, cover.pieces], windows, held };
      }
    fits = joined;
  }
  return fits.filter((fit) => fit !== undefined);
}

interface Cover {
  readonly pieces: readonly Piece[];
  readonly held: number;
}

/** One day's cheapest cover with each number of windows, by dynamic programming over where the last one begins. */
function coversOf(kind: Segments, base: number, most: number): readonly (Cover | undefined)[] {
  const width = CELLS + 1;
  const costs = new Float64Array((most + 1) * width).fill(Number.POSITIVE_INFINITY);
  const begins = new Int32Array((most + 1) * width).fill(-1);
  costs[0] = 0;
  for (let windows = 0; windows <= most; windows += 1)
    for (let end = 1; end <= CELLS; end += 1) {
      const at = windows * width + end;
      // A window that ends where none is needed holds more than one that ends earlier.
      if ((kind.needs[end - 1] as number) <= base) costs[at] = (costs[at - 1] as number) + base * BINS_PER_CELL;
      else if (windows > 0) {
        const best = lastWindow(kind, base, costs.subarray(at - end - width, at - end), end);
        [costs[at], begins[at]] = [best.cost, best.begin];
      }
    }
  return Array.from({ length: most + 1 }, (_, windows) => {
    const cost = costs[windows * width + CELLS] as number;
    return cost === Number.POSITIVE_INFINITY ? undefined : { held: cost, pieces: traced(kind, begins, windows) };
  });
}

/** The cheapest way to cover the cells up to `end` with one more window; `costs` are those of one window less. */
function lastWindow({ needs, floor, grows }: Segments, base: number, costs: Float64Array, end: number) {
  let [cost, begin, level] = [Number.POSITIVE_INFINITY, -1, base];
  for (let first = end - 1; first >= 0; first -= 1) {
    const need = needs[first] as number;
    if (floor && need <= base) continue;
    if (!floor && need > level) level = need;
    const segment = (end - 1) * CELLS + first;
    // A floor below the base changes nothing, unless it keeps nodes that were counted.
    const isAbove = floor && (!grows || (floor.levels[segment] as number) > base);
    const own = isAbove ? (floor.held[segment] as number) : level * (end - first) * BINS_PER_CELL;
    if (grows && own >= cost) break;
    const sum = (costs[first] as number) + own;
    if (sum < cost) {
      cost = sum;
      begin = first;
    }
  }
  return { cost, begin };
}

function traced({ needs, floor }: Segments, begins: Int32Array, windows: number): readonly Piece[] {
  const pieces: Piece[] = [];
  let [left, end] = [windows, CELLS];
  while (end > 0) {
    const begin = begins[left * (CELLS + 1) + end] as number;
    if (begin < 0) end -= 1;
    else {
      const level = floor
        ? (floor.levels[(end - 1) * CELLS + begin] as number)
        : Math.max(...needs.subarray(begin, end));
      pieces.unshift({ from: begin * BINS_PER_CELL, to: end * BINS_PER_CELL, level });
      [left, end] = [left - 1, begin];
    }
  }
  return pieces;
}
