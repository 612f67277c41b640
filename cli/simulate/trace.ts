import { parseDuration } from '../../shared/core/basics/duration';
import { messageOf } from '../../shared/core/basics/errors';
import { LAST_TIME } from '../../shared/core/basics/record-limits';
import type { Config, NodePoolConfig } from '../../shared/core/config/config';
import { parseQuantity } from '../../shared/core/config/schema/quantity';
import { unitOfDemand } from '../../shared/learning/unit-of-demand';
import { readTime } from '../input/time';
import { InputError } from '../terminal/exit';

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
const [NEWLINE, SPACE, HASH, COMMA] = [10, 32, 35, 44];
const SHAPE = 'use time,pool,pods or time,pool,cpu,memory';

export interface TraceOptions {
  readonly file: string;
  readonly timezone?: string | undefined;
  /** What times such as `5m` count from. */
  readonly start: number;
}

/** Reads a demand trace; cpu and memory are converted to pods of the simulated workload. */
export function readTrace(text: string, config: Config, options: TraceOptions): Trace {
  const demands: Demand[] = [];
  eachRow([Buffer.from(text)], options.file, ({ cell }) => {
    const { demand, mistakes } = readRow(cell, config, options);
    if (demand) demands.push(demand);
    return mistakes;
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

/** Visits the rows of pieces of whole lines; throws with the mistakes that `visit` returned. */
export function eachRow(pieces: Iterable<Buffer>, file: string, visit: (row: Row) => readonly string[]): void {
  const mistakes: string[] = [];
  const row = new Row();
  let [number, more] = [0, 0];
  for (const bytes of pieces)
    for (let from = 0; from < bytes.length; from = row.end + 1) {
      number += 1;
      row.read(bytes, from);
      if (row.isEmpty()) continue;
      const isHead = row.columns.length === 0;
      if (isHead) row.columns = columnsOf(row.line, `${file}:${number}`);
      const found = isHead ? [] : (row.mistakes() ?? visit(row));
      if (found.length === 0) continue;
      const room = MAX_MISTAKES - mistakes.length;
      mistakes.push(...found.slice(0, room).map((why) => `${file}:${number}: ${why}`));
      // A file of another kind has mistakes in every row, so only the first ones are listed.
      more += Math.max(0, found.length - room);
    }
  if (row.columns.length === 0) columnsOf('', `${file}:1`);
  if (mistakes.length > 0) throw new InputError([...mistakes, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
}

function columnsOf(line: string, place: string): readonly string[] {
  const columns = line.split(',').map((name) => name.trim().toLowerCase());
  const unknown = columns.filter((name) => !COLUMNS.includes(name));
  const sized = columns.includes('pods') || columns.includes('cpu') || columns.includes('memory');
  const repeated = new Set(columns).size < columns.length;
  if (unknown.length > 0 || repeated || !columns.includes('time') || !columns.includes('pool') || !sized)
    throw new InputError(`${place}: the first line must name the columns; ${SHAPE}`);
  return columns;
}

/** One line as bytes, reused for all, because a long history has millions of them. */
export class Row {
  columns: readonly string[] = [];
  bytes: Buffer = Buffer.alloc(0);
  /** Where each cell begins, and where a next one would. */
  readonly begins: number[] = [];
  end = 0;
  private count = 0;

  read(bytes: Buffer, from: number): void {
    let [at, count] = [from, 1];
    this.begins[0] = from;
    for (; at < bytes.length && bytes[at] !== NEWLINE; at += 1)
      if (bytes[at] === COMMA) {
        this.begins[count] = at + 1;
        count += 1;
      }
    this.begins[count] = at + 1;
    this.bytes = bytes;
    this.end = at;
    this.count = count;
  }

  /** Nothing, or a comment. */
  isEmpty(): boolean {
    const first = this.bytes[this.begins[0] as number] as number;
    return first === HASH || (first <= SPACE && /^\s*(#|$)/.test(this.line));
  }

  get line(): string {
    return this.bytes.toString('utf8', this.begins[0], this.end);
  }

  mistakes(): readonly string[] | undefined {
    const wanted = this.columns.length;
    return this.count === wanted ? undefined : [`has ${this.count} values for ${wanted} columns; ${SHAPE}`];
  }

  readonly cell: Cell = (name) => {
    const place = this.columns.indexOf(name);
    return place < 0
      ? ''
      : this.bytes.toString('utf8', this.begins[place], (this.begins[place + 1] as number) - 1).trim();
  };
}

interface ReadRow {
  readonly demand?: Demand;
  readonly mistakes: readonly string[];
}

function readRow(cell: Cell, config: Config, options: TraceOptions): ReadRow {
  const pool = config.nodePools.find(({ name }) => name === cell('pool'));
  const known = config.nodePools.map(({ name }) => name).join(', ');
  const at = timeOf(cell('time'), options);
  const pods = podsOf(cell, pool);
  const mistakes = [
    ...(pool ? [] : [`pool ${JSON.stringify(cell('pool'))} is not in the config; write one of ${known}`]),
    ...(typeof at === 'number' ? [] : [at.mistake]),
    ...(typeof pods === 'number' ? [] : pods.mistakes),
  ];
  if (!pool || typeof at !== 'number' || typeof pods !== 'number') return { mistakes };
  return { demand: { at, pool: pool.name, pods }, mistakes };
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
function podsOf(cell: Cell, pool: NodePoolConfig | undefined): number | { readonly mistakes: readonly string[] } {
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
  pool: NodePoolConfig | undefined,
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
