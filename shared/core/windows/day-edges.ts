import type { ClockChange } from './clock-change';
import type { CronFields } from './cron';
import { firesOn, timesOfDay } from './cron-times';
import type { CronWindow } from './window';
import { endInstant, startInstant } from './zone';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** One kind of edge of a window: its expression, the days that count, and the instants of its local times. */
export interface EdgeRule {
  readonly timezone: string;
  readonly cron: CronFields;
  skips(day: number): boolean;
  toInstant(timezone: string, local: number): number;
  /** The instants of the last clock change, which is often needed next too. */
  readonly memory: { from?: number; instants?: readonly number[] };
}

interface Rules {
  readonly starts: EdgeRule;
  readonly ends: EdgeRule;
}

const known = new WeakMap<CronWindow, Rules>();

/** The starts of a window, without those on excluded dates, and its ends, which always count. */
export function edgeRules(window: CronWindow): Rules {
  let rules = known.get(window);
  if (!rules) {
    const { timezone, start, end } = window;
    rules = {
      starts: { timezone, cron: start, skips: skipper(window), toInstant: startInstant, memory: {} },
      ends: { timezone, cron: end, skips: () => false, toInstant: endInstant, memory: {} },
    };
    known.set(window, rules);
  }
  return rules;
}

export function fallsOn({ cron, skips }: EdgeRule, day: number): boolean {
  return firesOn(cron, day) && !skips(day);
}

/** The instants of all edges of the days around a clock change, sorted, since local times may be in another order. */
export function instantsAround(rule: EdgeRule, { from, to }: ClockChange): readonly number[] {
  const { memory } = rule;
  if (memory.from === from && memory.instants) return memory.instants;
  const instants: number[] = [];
  for (let day = from; day < to; day += DAY) if (fallsOn(rule, day)) pushInstants(rule, day, instants);
  instants.sort((a, b) => a - b);
  Object.assign(memory, { from, instants });
  return instants;
}

function pushInstants({ timezone, cron, toInstant }: EdgeRule, day: number, instants: number[]): void {
  let [hour, offset]: [number, number | undefined] = [Number.NaN, undefined];
  for (const time of timesOfDay(cron)) {
    if (Math.floor(time / HOUR) !== hour) {
      hour = Math.floor(time / HOUR);
      offset = offsetOfHour(timezone, day + hour * HOUR, toInstant);
    }
    instants.push(offset === undefined ? toInstant(timezone, day + time) : day + time - offset);
  }
}

/** If the first and the last minute of an hour are 59 minutes apart, the clock does not change in between. */
function offsetOfHour(timezone: string, local: number, toInstant: EdgeRule['toInstant']): number | undefined {
  const [first, last] = [toInstant(timezone, local), toInstant(timezone, local + HOUR - MINUTE)];
  return last - first === HOUR - MINUTE ? local - first : undefined;
}

/** Whether the starts of a local day, given by its midnight, do not count. */
function skipper({ excludeDates }: CronWindow): (day: number) => boolean {
  const dates = new Set(excludeDates);
  return (day) => dates.size > 0 && dates.has(new Date(day).toISOString().slice(0, 10));
}
