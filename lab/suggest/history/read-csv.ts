import { InputError } from '../../../cli/terminal/exit';
import type { Config } from '../../../shared/core/config/config';
import { type Cell, eachRow, type ReadLine, type TraceOptions, timeOf, unitsOf } from '../../simulate/trace';
import { SampleStore } from './sample-store';

const UNKNOWN = ['', 'nan', 'null'];
const NO_MISTAKES: readonly string[] = [];
const [NEWLINE, SPACE, COMMA, ZERO] = [10, 32, 44, 48];
const MAX_DIGITS = 9;
const WHOLE_SECOND = /^(\d{4}-\d\d-\d\dT)([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.000)?Z$/;

/** Reads the CSV format of `simulate`, except that numbers may be missing and pools may be new. */
export function readCsv(pieces: Iterable<Buffer>, { headrooms }: Config, options: TraceOptions): SampleStore {
  const store = new SampleStore();
  const pools = new Map(headrooms.map((pool) => [pool.name, pool]));
  const clock = new Clock(options);
  const visit = (cell: Cell, columns: number) => {
    const name = cell('pool');
    const at = clock.read(cell('time'));
    const counted = columns === 3 || (isUnknown(cell('cpu')) && isUnknown(cell('memory')));
    const value = counted ? numberOf(cell('pods')) : unitsOf(cell, pools.get(name));
    if (typeof at !== 'number') return [at.mistake];
    if (typeof value !== 'number') return value.mistakes;
    if (!counted && !pools.has(name))
      return [
        `pool ${JSON.stringify(name)} is not in the config, so cpu and memory cannot be converted to its unit; add it, or write pods`,
      ];
    store.add(name, at, value);
    return NO_MISTAKES;
  };
  eachRow(pieces, options.file, visit, plainLines(store, clock));
  if (store.names.length === 0)
    throw new InputError(`${options.file}: has columns but no rows; give at least two days of demand`);
  return store;
}

/** Reads `2026-11-17T08:05Z,default,12` from its bytes, and its time only if it is not that of the line before. */
function plainLines(store: SampleStore, clock: Clock): ReadLine {
  let [before, begin, time]: [Buffer, number, number] = [Buffer.alloc(0), 0, 0];
  const poolAt = poolNames();
  return (bytes, text, from) => {
    const first = endOfCell(bytes, from);
    const second = endOfCell(bytes, first + 1);
    const end = endOfDigits(bytes, second + 1);
    if (first < 0 || second < 0 || end < 0) return -1;
    let same = from;
    while (same <= first && bytes[same] === before[begin + same - from]) same += 1;
    if (same <= first) {
      const at = clock.read(text.slice(from, first));
      if (typeof at !== 'number') return -1;
      [before, begin, time] = [bytes, from, at];
    }
    let value = 0;
    for (let at = second + 1; at < end; at += 1) value = value * 10 + (bytes[at] as number) - ZERO;
    store.add(poolAt(bytes, text, first + 1, second), time, value);
    return end;
  };
}

interface PoolName {
  readonly text: string;
  readonly bytes: Buffer;
  /** The one that came after it the last time. */
  next?: PoolName;
}

/** Mostly the same names follow each other, so that a look at the bytes is enough. */
function poolNames(): (bytes: Buffer, text: string, from: number, to: number) => string {
  const known = new Map<string, PoolName>();
  let last: PoolName | undefined;
  return (bytes, text, from, to) => {
    let name = last?.next;
    if (!name || name.bytes.length !== to - from || !isAt(bytes, from, name.bytes)) {
      const read = text.slice(from, to);
      name = known.get(read) ?? { text: read, bytes: Buffer.from(read) };
      known.set(read, name);
      if (last) last.next = name;
    }
    last = name;
    return name.text;
  };
}

function isAt(bytes: Buffer, from: number, wanted: Buffer): boolean {
  for (let at = 0; at < wanted.length; at += 1) if (bytes[from + at] !== wanted[at]) return false;
  return true;
}

/** Where the comma after a cell without spaces is; -1 if there is none in this line. */
function endOfCell(bytes: Buffer, from: number): number {
  let at = from;
  while ((bytes[at] as number) > SPACE && bytes[at] !== COMMA) at += 1;
  return bytes[at] === COMMA && at > from ? at : -1;
}

/** Where a line ends that has only some digits from here on; otherwise -1. */
function endOfDigits(bytes: Buffer, from: number): number {
  let at = from;
  while ((bytes[at] as number) >= ZERO && (bytes[at] as number) < ZERO + 10) at += 1;
  const isEnd = at === bytes.length || bytes[at] === NEWLINE;
  return isEnd && at > from && at <= from + MAX_DIGITS ? at : -1;
}

/** Reads times such as `2026-11-17T08:05:00.000Z` fast: most have the date of the time before them. */
class Clock {
  private text = '';
  private at: number | { readonly mistake: string } = 0;
  private day = '';
  private midnight = 0;

  constructor(private readonly options: TraceOptions) {}

  read(text: string): number | { readonly mistake: string } {
    if (text === this.text) return this.at;
    const [, day, hours, minutes, seconds] = WHOLE_SECOND.exec(text) ?? [];
    const clock = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
    this.text = text;
    this.at = day === this.day ? this.midnight + clock : timeOf(text, this.options);
    if (day !== undefined && typeof this.at === 'number') [this.day, this.midnight] = [day, this.at - clock];
    return this.at;
  }
}

function numberOf(text: string): number | { readonly mistakes: readonly string[] } {
  const value = Number(text);
  if (text !== '' && value >= 0 && Number.isFinite(value)) return value;
  if (UNKNOWN.includes(text.toLowerCase())) return Number.NaN;
  return { mistakes: [`pods is ${JSON.stringify(text)}; write a number, or leave it empty where it is not known`] };
}

function isUnknown(text: string): boolean {
  return text === '' || UNKNOWN.includes(text.toLowerCase());
}
