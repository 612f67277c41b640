import { isAscii } from 'node:buffer';
import { readTime } from '../../cli/input/time';
import { InputError } from '../../cli/terminal/exit';
import { parseDuration } from '../../shared/core/basics/duration';
import { messageOf } from '../../shared/core/basics/errors';
import { LAST_TIME } from '../../shared/core/basics/record-limits';
import type { Config, HeadroomConfig } from '../../shared/core/config/config';
import { parseQuantity } from '../../shared/core/config/schema/quantity';
import { unitOfDemand } from '../learning/unit-of-demand';

/** How many pods are wanted in a pool from `at` on. */
export interface Demand {
  readonly at: number;
  readonly pool: string;
  readonly pods: number;
}

export interface Trace {
  readonly from: number;
  /** The last row ends it. */
  readonly to: number;
  /** In order of time. */
  readonly demands: readonly Demand[];
}

const COLUMNS = ['time', 'pool', 'pods', 'cpu', 'memory'];
const MAX_MISTAKES = 20;
/** More would take hours to simulate, and is most likely a typo. */
const MAX_PODS = 20_000;
const MAX_DAYS = 400;
const DAY = 86_400_000;
const [SPACE, HASH] = [32, 35];
const NOTHING: readonly string[] = [];
const PLAIN = 'time,pool,pods';
const SHAPE = 'use time,pool,pods or time,pool,cpu,memory';

export interface TraceOptions {
  readonly file: string;
  readonly timezone?: string | undefined;
  /** What times such as `5m` count from. */
  readonly start: number;
}

export function readTrace(text: string, config: Config, options: TraceOptions): Trace {
  const demands: Demand[] = [];
  eachRow([Buffer.from(text)], options.file, (cell) => {
    const pool = config.headrooms.find(({ name }) => name === cell('pool'));
    const [at, pods] = [timeOf(cell('time'), options), podsOf(cell, pool)];
    if (pool && typeof at === 'number' && typeof pods === 'number') {
      demands.push({ at, pool: pool.name, pods });
      return NOTHING;
    }
    const known = config.headrooms.map(({ name }) => name).join(', ');
    return [
      ...(pool ? [] : [`pool ${JSON.stringify(cell('pool'))} is not in the config; write one of ${known}`]),
      ...(typeof at === 'number' ? [] : [at.mistake]),
      ...(typeof pods === 'number' ? [] : pods.mistakes),
    ];
  });
  if (demands.length < 2) throw new InputError(`${options.file}: has ${demands.length} rows; write at least two`);
  demands.sort((a, b) => a.at - b.at);
  const [from, to] = [demands[0]?.at ?? 0, demands.at(-1)?.at ?? 0];
  if (from === to)
    throw new InputError(`${options.file}: all rows have the same time; the last row must be later, it ends the trace`);
  if (to - from > MAX_DAYS * DAY)
    throw new InputError(`${options.file}: goes ${span(from, to)}; write at most ${MAX_DAYS} days`);
  return { from, to, demands };
}

function span(from: number, to: number): string {
  const [first, last] = [from, to].map((at) => new Date(at).toISOString());
  return `from ${first} to ${last}`;
}

/** The text in a column; empty if the column is missing. */
export type Cell = (name: string) => string;

/** Reads the line of time, pool and pods at `from`; returns where it ends, or -1 if it must be read cell by cell. */
export type ReadLine = (bytes: Buffer, text: string, from: number) => number;

/** Visits the rows of pieces of whole lines, except those that `readLine` reads; throws with the mistakes that `visit` returned. */
export function eachRow(
  pieces: Iterable<Buffer>,
  file: string,
  visit: (cell: Cell, columns: number) => readonly string[],
  readLine: ReadLine = () => -1,
): void {
  const mistakes: string[] = [];
  const cells: string[] = [];
  let places: ReadonlyMap<string, number> = new Map();
  const cell: Cell = (name) => cells[places.get(name) ?? cells.length]?.trim() ?? '';
  let [number, more] = [0, 0];
  const visitLine = (line: string): readonly string[] => {
    const count = splitInto(cells, line);
    if (count === 0) return NOTHING;
    if (count === places.size) return visit(cell, count);
    if (places.size > 0) return [`has ${count} values for ${places.size} columns; ${SHAPE}`];
    places = columnsOf(cells, `${file}:${number}`);
    return NOTHING;
  };
  // A file of another kind has mistakes in every row, so only the first ones are listed.
  const note = (found: readonly string[]) => {
    if (found.length === 0) return;
    mistakes.push(...found.map((why) => `${file}:${number}: ${why}`));
    more += mistakes.splice(MAX_MISTAKES).length;
  };
  for (const piece of pieces) {
    const text = piece.toString(isAscii(piece) ? 'latin1' : 'utf8');
    const isPlain = text.length === piece.length && [...places.keys()].join() === PLAIN;
    for (let from = 0; from < text.length; ) {
      number += 1;
      let end = isPlain ? readLine(piece, text, from) : -1;
      if (end < 0) {
        end = endOfLine(text, from);
        note(visitLine(text.slice(from, end)));
      }
      from = end + 1;
    }
  }
  if (places.size === 0) columnsOf([], `${file}:1`);
  if (mistakes.length > 0) throw new InputError([...mistakes, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline < 0 ? text.length : newline;
}

/**
 * Splits a line and returns how many cells it has: none if it is empty or a comment. The list is the same each time,
 * because a history has millions of lines.
 */
function splitInto(cells: string[], line: string): number {
  const first = line.charCodeAt(0);
  // NaN for a line of no characters.
  if (!(first > SPACE) ? /^\s*(#|$)/.test(line) : first === HASH) return 0;
  let [count, begin] = [0, 0];
  for (let at = line.indexOf(','); at >= 0; at = line.indexOf(',', begin)) {
    cells[count] = line.slice(begin, at);
    count += 1;
    begin = at + 1;
  }
  cells[count] = line.slice(begin);
  return count + 1;
}

function columnsOf(cells: readonly string[], place: string): ReadonlyMap<string, number> {
  const columns = cells.map((name) => name.trim().toLowerCase());
  const unknown = columns.filter((name) => !COLUMNS.includes(name));
  const sized = columns.includes('pods') || columns.includes('cpu') || columns.includes('memory');
  const repeated = new Set(columns).size < columns.length;
  if (unknown.length > 0 || repeated || !columns.includes('time') || !columns.includes('pool') || !sized)
    throw new InputError(`${place}: the first line must name the columns; ${SHAPE}`);
  return new Map(columns.map((name, index) => [name, index]));
}

export function timeOf(text: string, { timezone, start }: TraceOptions): number | { readonly mistake: string } {
  const seconds = parseDuration(text);
  if (seconds !== undefined) {
    const at = start + seconds * 1_000;
    return at <= LAST_TIME ? at : { mistake: `time is ${JSON.stringify(text)}, after the year 9999; write less` };
  }
  try {
    return readTime(text, 'time', start, timezone);
  } catch (error) {
    return { mistake: messageOf(error) };
  }
}

/** Reads the amounts even if the pool is unknown, to find mistakes in them. */
function podsOf(cell: Cell, pool: HeadroomConfig | undefined): number | { readonly mistakes: readonly string[] } {
  const written = cell('pods');
  const units = written === '' ? unitsOf(cell, pool) : Number(written);
  if (typeof units !== 'number') return units;
  const pods = Math.max(0, Math.ceil(units - 1e-9));
  if (written !== '' && !/^\d+$/.test(written))
    return { mistakes: [`pods is ${JSON.stringify(written)}; write a whole number`] };
  if (pods <= MAX_PODS) return pods;
  return { mistakes: [`asks for ${pods} pods; a simulation takes at most ${MAX_PODS}`] };
}

/** cpu and memory as pods of the simulated workload, whichever needs more of them. */
export function unitsOf(
  cell: Cell,
  pool: HeadroomConfig | undefined,
): number | { readonly mistakes: readonly string[] } {
  const wrong = ['cpu', 'memory'].filter(
    (resource) => cell(resource) !== '' && parseQuantity(cell(resource)) === undefined,
  );
  if (wrong.length > 0)
    return {
      mistakes: wrong.map((one) => `${one} is ${JSON.stringify(cell(one))}; write a quantity such as 12 or 48Gi`),
    };
  const requests = pool ? unitOfDemand(pool) : {};
  const counts = ['cpu', 'memory'].map((resource) => {
    const [amount, each] = [parseQuantity(cell(resource)), parseQuantity(requests[resource] ?? '')];
    return amount === undefined || each === undefined || each === 0 ? 0 : amount / each;
  });
  return Math.max(0, ...counts);
}
