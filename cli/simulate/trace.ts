import { parseDuration } from '../../shared/core/basics/duration';
import type { Config, NodePoolConfig } from '../../shared/core/config/config';
import { parseQuantity } from '../../shared/core/config/quantity';
import { demoDeployment } from '../../simulator/run/demo-workload';
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
const SHAPE = 'use time,pool,pods or time,pool,cpu,memory';

export interface TraceOptions {
  readonly file: string;
  readonly timezone?: string | undefined;
  /** What times such as `5m` count from. */
  readonly start: number;
}

/** Reads a demand trace; cpu and memory are counted into pods of the simulated workload. */
export function readTrace(text: string, config: Config, options: TraceOptions): Trace {
  const lines = text.split(/\r?\n/).map((line, index) => ({ number: index + 1, line: line.trim() }));
  const [head, ...rows] = lines.filter(({ line }) => line !== '' && !line.startsWith('#'));
  const columns = (head?.line ?? '').split(',').map((name) => name.trim().toLowerCase());
  const unknown = columns.filter((name) => !COLUMNS.includes(name));
  const sized = columns.includes('pods') || columns.includes('cpu') || columns.includes('memory');
  if (!head || unknown.length > 0 || !columns.includes('time') || !columns.includes('pool') || !sized)
    throw new InputError(`${options.file}:${head?.number ?? 1}: the first line must name the columns; ${SHAPE}`);
  const demands = rows.map(({ line, number }) => {
    const cells = line.split(',').map((cell) => cell.trim());
    const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
    const fail = (why: string): never => {
      throw new InputError(`${options.file}:${number}: ${why}`);
    };
    if (cells.length !== columns.length) fail(`has ${cells.length} values for ${columns.length} columns; ${SHAPE}`);
    const pool = config.nodePools.find(({ name }) => name === cell('pool'));
    const known = config.nodePools.map(({ name }) => name).join(', ');
    if (!pool) return fail(`pool ${JSON.stringify(cell('pool'))} is not in the config; write one of ${known}`);
    return { at: timeOf(cell('time'), options, fail), pool: pool.name, pods: podsOf(cell, pool, fail) };
  });
  if (demands.length < 2) throw new InputError(`${options.file}: has ${demands.length} rows; write at least two`);
  demands.sort((a, b) => a.at - b.at);
  const [from, to] = [demands[0]?.at ?? 0, demands.at(-1)?.at ?? 0];
  if (from === to)
    throw new InputError(`${options.file}: all rows have the same time; the last row must be later, it ends the trace`);
  return { from, to, demands };
}

type Fail = (why: string) => never;

function timeOf(text: string, { timezone, start }: TraceOptions, fail: Fail): number {
  const seconds = parseDuration(text);
  if (seconds !== undefined) return start + seconds * 1_000;
  try {
    return readTime(text, 'time', start, timezone);
  } catch (error) {
    return fail((error as Error).message);
  }
}

function podsOf(cell: (name: string) => string, pool: NodePoolConfig, fail: Fail): number {
  const pods = cell('pods');
  if (pods !== '')
    return /^\d+$/.test(pods) ? Number(pods) : fail(`pods is ${JSON.stringify(pods)}; write a whole number`);
  const [pod] = demoDeployment(pool, 0, []).spec.template.spec.containers;
  const requests = pod?.resources.requests ?? {};
  const counts = ['cpu', 'memory'].map((resource) => {
    const text = cell(resource);
    const [amount, each] = [parseQuantity(text), parseQuantity(requests[resource] ?? '')];
    if (text === '' || each === undefined || each === 0) return 0;
    return amount === undefined
      ? fail(`${resource} is ${JSON.stringify(text)}; write a quantity such as 12 or 48Gi`)
      : Math.ceil(amount / each - 1e-9);
  });
  return Math.max(0, ...counts);
}
