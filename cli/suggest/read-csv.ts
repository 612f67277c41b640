import type { Config } from '../../shared/core/config/config';
import { eachRow, type TraceOptions, timeOf, unitsOf } from '../simulate/trace';
import { InputError } from '../terminal/exit';
import { SampleStore } from './sample-store';

const UNKNOWN = ['', 'nan', 'null'];
const NO_MISTAKES: readonly string[] = [];
const WHOLE_SECOND = /^(\d{4}-\d\d-\d\dT)([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.000)?Z$/;

/** Reads the CSV format of `simulate`, except that numbers may be missing and pools may be new. */
export function readCsv(pieces: Iterable<Buffer>, { nodePools }: Config, options: TraceOptions): SampleStore {
  const store = new SampleStore();
  const pools = new Map(nodePools.map((pool) => [pool.name, pool]));
  const clock = new Clock(options);
  eachRow(pieces, options.file, (cell, columns) => {
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
  });
  if (store.names.length === 0)
    throw new InputError(`${options.file}: has columns but no rows; give at least two days of demand`);
  return store;
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
