import type { Config } from '../../shared/core/config/config';
import { eachRow, type Row, type TraceOptions, timeOf, unitsOf } from '../simulate/trace';
import { InputError } from '../terminal/exit';
import { SampleStore } from './sample-store';

const UNKNOWN = ['', 'nan', 'null'];
const NO_MISTAKES: readonly string[] = [];
const [DOT, ZERO, COLON, Z] = [46, 48, 58, 90];
const DATE_LENGTH = '2026-11-17T'.length;
const SECONDS_LENGTH = '2026-11-17T08:05:00'.length;

/** Reads the CSV format of `simulate`, except that numbers may be missing and pools may be new. */
export function readCsv(pieces: Iterable<Buffer>, { nodePools }: Config, options: TraceOptions): SampleStore {
  const store = new SampleStore();
  const pools = new Map(nodePools.map((pool) => [pool.name, pool]));
  const [clock, names] = [new Clock(options), new Names()];
  eachRow(pieces, options.file, (row) => {
    const { cell } = row;
    const name = names.read(row);
    const at = clock.read(row);
    const counted = row.columns.length === 3 || (isUnknown(cell('cpu')) && isUnknown(cell('memory')));
    const value = counted
      ? (digits(row, row.columns.indexOf('pods')) ?? numberOf(cell('pods')))
      : unitsOf(cell, pools.get(name));
    if (typeof at !== 'number') return [at.mistake];
    if (typeof value !== 'number') return value.mistakes;
    if (!counted && !pools.has(name))
      return [
        `pool ${JSON.stringify(name)} is not in the config, so cpu and memory cannot be converted to its unit; add it, or write pods`,
      ];
    store.add(name, at, value);
    return NO_MISTAKES;
  });
  if (store.names.length === 0)
    throw new InputError(`${options.file}: has columns but no rows; give at least two days of demand`);
  return store;
}

/** Whether a cell is this text, without a copy of it. */
function isCell({ bytes, begins }: Row, place: number, part: string, length = part.length): boolean {
  const begin = begins[place] as number;
  if ((begins[place + 1] as number) - 1 - begin !== length) return false;
  let index = part.length - 1;
  while (index >= 0 && bytes[begin + index] === part.charCodeAt(index)) index -= 1;
  return index < 0;
}

/** Pools usually come in the same order for each time. */
class Names {
  private readonly known: string[] = [];
  private next = 0;

  read(row: Row): string {
    const place = row.columns.indexOf('pool');
    for (const guess of [this.next, Math.max(0, this.next - 1)]) {
      const name = this.known[guess];
      if (name === undefined || !isCell(row, place, name)) continue;
      this.next = (guess + 1) % this.known.length;
      return name;
    }
    const name = row.cell('pool');
    const found = this.known.indexOf(name);
    this.next = found < 0 ? 0 : (found + 1) % this.known.length;
    if (found < 0) this.known.push(name);
    return name;
  }
}

/** Reads times such as `2026-11-17T08:05:00.000Z` fast: most have the date of the time before them. */
class Clock {
  private day = ' ';
  private midnight = 0;

  constructor(private readonly options: TraceOptions) {}

  read(row: Row): number | { readonly mistake: string } {
    const place = row.columns.indexOf('time');
    const clock = clockMs(row, place);
    const length = (row.begins[place + 1] as number) - 1 - (row.begins[place] as number);
    if (clock !== undefined && isCell(row, place, this.day, length)) return this.midnight + clock;
    const text = row.cell('time');
    const at = timeOf(text, this.options);
    if (clock !== undefined && typeof at === 'number')
      [this.day, this.midnight] = [text.slice(0, DATE_LENGTH), at - clock];
    return at;
  }
}

/** The time of day of `2026-11-17T08:05:00Z` or `2026-11-17T08:05:00.000Z`; undefined for any other form. */
function clockMs({ bytes, begins }: Row, place: number): number | undefined {
  const begin = begins[place] as number;
  const rest = (begins[place + 1] as number) - 1 - begin - SECONDS_LENGTH;
  // Milliseconds are 000 in most histories; others are read as text.
  const isWhole =
    rest === 1 ||
    (rest === 5 &&
      bytes[begin + 19] === DOT &&
      bytes[begin + 20] === ZERO &&
      bytes[begin + 21] === ZERO &&
      bytes[begin + 22] === ZERO);
  if (
    !isWhole ||
    bytes[begin + SECONDS_LENGTH + rest - 1] !== Z ||
    bytes[begin + 13] !== COLON ||
    bytes[begin + 16] !== COLON
  )
    return undefined;
  const two = (at: number) => ((bytes[begin + at] as number) - ZERO) * 10 + (bytes[begin + at + 1] as number) - ZERO;
  const [hours, minutes, seconds] = [two(11), two(14), two(17)];
  const inRange = hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60 && seconds >= 0 && seconds < 60;
  return inRange ? ((hours * 60 + minutes) * 60 + seconds) * 1_000 : undefined;
}

/** A whole number without a copy of its text; undefined for anything else. */
function digits({ bytes, begins }: Row, place: number): number | undefined {
  const [begin, end] = [begins[place] as number, (begins[place + 1] as number) - 1];
  let value = 0;
  for (let at = begin; at < end; at += 1) {
    const digit = (bytes[at] as number) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    value = value * 10 + digit;
  }
  return end > begin && end - begin < 16 ? value : undefined;
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
