import type { Window } from '../../../shared/core/windows/window';
import { expectedSize, leadOf, type SizeInput } from './expected-size';
import { edgesBetween, MINUTE } from './minute-windows';

const HOUR = 60 * MINUTE;
/** How far the model looks, a little at first. */
const HORIZONS = [HOUR, 6 * HOUR, 60 * HOUR];
/** Windows of one size that take turns may hide a change that is further away. */
const SURELY_FOUND_MS = 3 * HOUR;

/** As an answer says it. */
export interface Next {
  readonly at: string;
  readonly replicas: number;
  readonly addNodes?: number;
  readonly lacks?: readonly string[];
}

/** The next change of a size is the first moment at which anything ends or begins and the size is another one. */
export function wrongNext(input: SizeInput, answered: Next | undefined): string | undefined {
  const expected = expectedNext(input);
  const text = `${JSON.stringify(answered)} as the next change, and ${JSON.stringify(expected)} is right`;
  if (!expected) {
    const last = input.now + (HORIZONS.at(-1) ?? 0);
    return answered && Date.parse(answered.at) <= last ? text : undefined;
  }
  if (!answered) return Date.parse(expected.at) < input.now + SURELY_FOUND_MS ? text : undefined;
  const isSame = (['at', 'replicas', 'addNodes'] as const).every((key) => answered[key] === expected[key]);
  return isSame && answered.lacks?.length === expected.lacks?.length ? undefined : text;
}

function expectedNext(input: SizeInput): Next | undefined {
  const here = sizeOf(input);
  let from = input.now;
  for (const horizon of HORIZONS) {
    const to = input.now + horizon;
    for (const at of momentsOf(input, from, to)) {
      const there = sizeOf({ ...input, now: at });
      if (JSON.stringify(there) !== JSON.stringify(here)) return { at: new Date(at).toISOString(), ...there };
    }
    from = to;
  }
  return undefined;
}

function sizeOf(input: SizeInput): Omit<Next, 'at'> {
  const { replicas, uncounted, lacks } = expectedSize(input);
  return { replicas, ...(uncounted !== undefined && { addNodes: uncounted }), ...(lacks && { lacks }) };
}

/** After `from`, up to `to`, in order. */
function momentsOf({ pool, record }: SizeInput, from: number, to: number): readonly number[] {
  const { override } = record;
  const ends = pool.alarms.flatMap(({ alarmName, holdSeconds }) => {
    const ended = record.alarms[alarmName]?.ended;
    return ended === undefined ? [] : [Date.parse(ended) + holdSeconds * 1_000];
  });
  const surges = Object.values(record.surges).map(({ until }) => Date.parse(until));
  const edges = pool.windows.flatMap((window) => edgesOf(window, leadOf(window, pool, record) * MINUTE, from, to));
  const all = [...ends, ...surges, ...edges, ...(override ? [Date.parse(override.until)] : [])];
  return [...new Set(all)].filter((one) => one > from && one <= to).toSorted((a, b) => a - b);
}

function edgesOf(window: Window, lead: number, from: number, to: number): readonly number[] {
  const { starts, ends } = edgesBetween(window, from, to + lead);
  return [...starts, ...starts.map((start) => start - lead), ...ends];
}
