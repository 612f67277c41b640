import { type Demand, MINUTE } from './demand';

const HOUR = 60 * MINUTE;
/** A single stretch of zeros this long, in minutes, is an outage or a closed day. */
const LONG_ZERO = 6 * 60;
/** The share of similar distances in a regular series. */
const REGULAR = 0.9;
/** The same, where values that stay the same are not repeated. */
const MOSTLY = 0.6;
/** Demand that changes less often is no series of steps. */
const MAX_STEP = 2 * HOUR;
/** A counter falls only when it restarts. */
const COUNTER_RISES = 50;
const YEAR = 366 * 24 * HOUR;
/** Every minute of it is held in memory. */
const MAX_YEARS = 10;

/** Demand as recorded: in any order, with repeated times, NaN where it is unknown. */
export interface Samples {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

export interface History {
  readonly demand: Demand;
  /** What was found and how it was interpreted, in sentences. */
  readonly notes: readonly string[];
}

export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

/** Each sample holds until the next; what looks like an error is left out, with a note. */
export function historyOf(samples: Samples): History {
  const { times, values, repeated, unordered } = inOrder(samples);
  if (times.length < 2) throw new HistoryError(`has ${plural(times.length, 'sample')}; give at least two days`);
  if ((times.at(-1) ?? 0) - (times[0] ?? 0) > MAX_YEARS * YEAR)
    throw new HistoryError(
      `spans ${iso(times[0])} to ${iso(times.at(-1))}; check its times, or give at most ${MAX_YEARS} years`,
    );
  refuseCounter(values);
  const { typical, alike, gaps } = distancesOf(times);
  // In any other series only changes are recorded, at their own times.
  const isStep = alike >= MOSTLY && typical <= MAX_STEP;
  const stepMinutes = isStep ? Math.max(1, Math.round(typical / MINUTE)) : 1;
  const demand = { ...onMinutes(times, values, gaps), stepMinutes };
  if (demand.values.every(Number.isNaN)) throw new HistoryError('has no number in it; check the query or the column');
  let unknown = 0;
  for (const value of values) if (Number.isNaN(value)) unknown += 1;
  const zeros = withoutLongZero(demand);
  return {
    demand: zeros.demand,
    notes: [
      ...(unordered ? ['the samples were not in order of time; they were sorted'] : []),
      ...(repeated > 0 ? [`${plural(repeated, 'sample')} repeated the time of another; the last one counts`] : []),
      ...(unknown > 0 ? [`${plural(unknown, 'sample')} had no number; that time is left out`] : []),
      ...(gaps.size > 0 ? [`nothing was recorded ${gapText(times, gaps)}; that time is left out`] : []),
      ...zeros.notes,
    ],
  };
}

function inOrder({ times, values }: Samples) {
  let [unordered, clean, before] = [false, true, -1];
  for (let index = 0; index < times.length; index += 1) {
    const at = times[index] as number;
    const value = values[index] as number;
    if (at < before) unordered = true;
    if (at <= before || value < 0 || value === Number.POSITIVE_INFINITY) clean = false;
    before = at;
  }
  if (clean) return { times, values, repeated: 0, unordered };
  // Sorting is stable, so of equal times the last one stays last.
  const order = unordered
    ? Array.from(times.keys()).sort((a, b) => (times[a] as number) - (times[b] as number))
    : undefined;
  const [kept, read] = [new Float64Array(times.length), new Float64Array(times.length)];
  let count = 0;
  for (let index = 0; index < times.length; index += 1) {
    const from = order ? (order[index] as number) : index;
    const at = times[from] as number;
    if (count > 0 && kept[count - 1] === at) count -= 1;
    kept[count] = at;
    const value = values[from] as number;
    read[count] = Number.isFinite(value) && value >= 0 ? value : Number.NaN;
    count += 1;
  }
  return { times: kept.subarray(0, count), values: read.subarray(0, count), repeated: times.length - count, unordered };
}

/** How far samples are apart, the share that are about as far, and the samples that a gap follows in a regular series. */
function distancesOf(times: Float64Array) {
  const distances = new Float64Array(times.length - 1);
  let isEven = true;
  for (let index = 0; index < distances.length; index += 1) {
    distances[index] = (times[index + 1] as number) - (times[index] as number);
    if (distances[index] !== distances[0]) isEven = false;
  }
  const gaps = new Set<number>();
  if (isEven) return { typical: distances[0] ?? 0, alike: 1, gaps };
  const typical = median(distances);
  let count = 0;
  for (const distance of distances) if (Math.abs(distance - typical) <= typical / 2) count += 1;
  const alike = count / distances.length;
  // Demand may stay constant for some samples if only changes are recorded.
  const longest = Math.max(12 * typical, HOUR);
  if (alike >= REGULAR)
    distances.forEach((distance, index) => {
      if (distance > longest) gaps.add(index);
    });
  return { typical, alike, gaps };
}

/** A counter is not demand: it only climbs, and falls to nearly zero when its process restarts. */
function refuseCounter(values: Float64Array): void {
  let [rises, falls, resets] = [0, 0, 0];
  for (let index = 1; index < values.length; index += 1) {
    const before = values[index - 1] as number;
    const now = values[index] as number;
    if (now > before) rises += 1;
    if (now < before) falls += 1;
    if (now < before * 0.1) resets += 1;
  }
  if (rises < COUNTER_RISES || falls > resets || falls > rises / COUNTER_RISES) return;
  const seen = falls === 0 ? 'it never falls' : `it falls only ${plural(falls, 'time')}, to nearly nothing`;
  throw new HistoryError(`looks like a counter: ${seen}; give a rate, such as sum(rate(requests_total[5m]))`);
}

export function median(values: Float64Array): number {
  return values.slice().sort()[Math.floor(values.length / 2)] ?? 0;
}

function gapText(times: Float64Array, gaps: ReadonlySet<number>): string {
  const spans = [...gaps].slice(0, 3).map((index) => `from ${iso(times[index])} to ${iso(times[index + 1])}`);
  return `${spans.join(', ')}${gaps.size > 3 ? ` and ${gaps.size - 3} more times` : ''}`;
}

function onMinutes(times: Float64Array, values: Float64Array, gaps: ReadonlySet<number>): Demand {
  const from = Math.floor((times[0] as number) / MINUTE) * MINUTE;
  const minuteOf = (at: number) => Math.floor((at - from) / MINUTE);
  const demand = new Float64Array(Math.max(1, minuteOf(times.at(-1) as number)));
  let minute = 0;
  for (let index = 0; index < times.length - 1; index += 1) {
    const next = minuteOf(times[index + 1] as number);
    const value = gaps.size > 0 && gaps.has(index) ? Number.NaN : (values[index] as number);
    for (; minute < next; minute += 1) demand[minute] = value;
  }
  return { from, values: demand };
}

function withoutLongZero(demand: Demand): { readonly demand: Demand; readonly notes: readonly string[] } {
  const { from, values } = demand;
  const stretches: [number, number][] = [];
  let begin = -1;
  for (let minute = 0; minute <= values.length; minute += 1) {
    if (values[minute] === 0) begin = begin < 0 ? minute : begin;
    else if (begin >= 0) {
      if (minute - begin >= LONG_ZERO) stretches.push([begin, minute]);
      begin = -1;
    }
  }
  const [only] = stretches;
  if (!only || stretches.length > 1 || values.length < 3 * (only[1] - only[0])) return { demand, notes: [] };
  const cleaned = values.slice().fill(Number.NaN, ...only);
  const [first, last] = only.map((minute) => iso(from + minute * MINUTE));
  return {
    demand: { ...demand, values: cleaned },
    notes: [`demand was zero from ${first} to ${last} and at no other time for so long; that time is left out`],
  };
}

function iso(at = 0): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
