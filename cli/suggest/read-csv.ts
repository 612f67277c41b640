import type { Config } from '../../shared/core/config/config';
import { type Cell, eachRow, type TraceOptions, timeOf, unitsOf } from '../simulate/trace';
import { InputError } from '../terminal/exit';
import { SampleStore } from './sample-store';

const UNKNOWN = ['', 'nan', 'null'];

/** Reads the CSV format of `simulate`, except that numbers may be missing and pools may be new. */
export function readCsv(text: string, { nodePools }: Config, options: TraceOptions): SampleStore {
  const store = new SampleStore();
  const pools = new Map(nodePools.map((pool) => [pool.name, pool]));
  const times = new Map<string, number>();
  let last: { readonly text: string; readonly at: number } | undefined;
  eachRow(text, options.file, (cell) => {
    const [time, name] = [cell('time'), cell('pool')];
    const at = last?.text === time ? last.at : (times.get(time) ?? timeOf(time, options));
    const pool = pools.get(name);
    const counted = isUnknown(cell, ['cpu', 'memory']);
    const value = counted ? numberOf(cell('pods')) : unitsOf(cell, pool);
    if (typeof at !== 'number') return [at.mistake];
    if (typeof value !== 'number') return value.mistakes;
    if (!pool && !counted)
      return [
        `pool ${JSON.stringify(name)} is not in the config, so cpu and memory cannot be converted to its unit; add it, or write pods`,
      ];
    // Rows of several pools share their times, usually consecutively, so parsed times are cached.
    if (last?.text !== time) {
      times.set(time, at);
      last = { text: time, at };
    }
    store.add(name, at, value);
    return [];
  });
  if (store.names.length === 0)
    throw new InputError(`${options.file}: has columns but no rows; give at least two days of demand`);
  return store;
}

function numberOf(text: string): number | { readonly mistakes: readonly string[] } {
  const value = Number(text);
  if (text !== '' && value >= 0 && Number.isFinite(value)) return value;
  if (UNKNOWN.includes(text.toLowerCase())) return Number.NaN;
  return { mistakes: [`pods is ${JSON.stringify(text)}; write a number, or leave it empty where it is not known`] };
}

function isUnknown(cell: Cell, columns: readonly string[]): boolean {
  return columns.every((column) => cell(column) === '' || UNKNOWN.includes(cell(column).toLowerCase()));
}
