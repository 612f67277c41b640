import { type Random, seededRandom } from '../../../../lab/simulator/deterministic/seeded-random';
import { MAX_BEGUN } from '../../../../shared/core/basics/record-limits';
import { leadTimeOf } from '../../../../shared/core/occurrences/lead-time';
import { withStarts } from '../../../../shared/core/occurrences/node-starts';
import { occurrenceKey } from '../../../../shared/core/occurrences/occurrence-key';
import { LATE } from '../../../../shared/core/occurrences/why-late';
import { EMPTY_RECORD, type HeadroomRecord } from '../../../../shared/core/record/record';
import { cronWindow } from '../windows/sample-windows';

const [MINUTE, DAY] = [60_000, 86_400_000];
const FIRST = Date.parse('2026-01-01T02:30:00Z');
/** Until the newest forty nodes are known at the smallest size. */
const LEARNS_FOR = 30;
const COUNTED_FOR = 100;
const OUTAGE_MINUTES = 60;
const POOL = {
  leadMinutes: 6,
  autoLead: { minMinutes: 1, maxMinutes: 15, heartbeatMinutes: 1 },
  unit: { kind: 'node', requests: {} },
  max: 100,
} as const;

/** How many seconds a node takes. */
export type StartTimes = (random: Random) => number;

const lognormal =
  (median: number): StartTimes =>
  (random) =>
    median * Math.exp(0.45 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
const usual = lognormal(70);

export interface Kind {
  readonly startTimes: StartTimes;
  /** On these days nothing starts in the hour after the request. @default none */
  readonly hasOutage?: (day: number) => boolean;
}

export const KINDS = {
  'lognormal, median 70 s, σ 0.45': { startTimes: usual },
  'the same, but 4 % of nodes take 4 to 10 min': {
    startTimes: (random) => (random() < 0.04 ? 240 + 360 * random() : usual(random)),
  },
  'lognormal, median 35 s, σ 0.45': { startTimes: lognormal(35) },
  'median 70 s, and every 20th day an hour without capacity': {
    startTimes: usual,
    hasOutage: (day) => day % 20 === 10,
  },
} as const satisfies Readonly<Record<string, Kind>>;

export interface Day {
  readonly hasOutage: boolean;
  /** By one node only, as before, and by all nodes of the window. */
  readonly one: Request;
  readonly all: Request;
}

interface Request {
  /** The lead time, with its heartbeat. */
  readonly minutes: number;
  readonly isLate: boolean;
}

/**
 * A window that asks for so many nodes once a day. The heartbeat of a minute requests them up to a minute after their
 * lead time has begun, and sees to the minute when they are ready; the record keeps what it would.
 */
export function simulateDays(
  { startTimes, hasOutage = () => false }: Kind,
  nodes: number,
  seed: number,
): readonly Day[] {
  const random = seededRandom(seed);
  const window = cronWindow('30 2 * * *', '30 4 * * *', 'UTC', { name: 'lunch', replicas: nodes });
  let record: HeadroomRecord = EMPTY_RECORD;
  const days = Array.from({ length: LEARNS_FOR + COUNTED_FOR }, (_, day): Day => {
    const { requests: _requests, ...singles } = record;
    const leads = {
      one: leadTimeOf(POOL, singles, { ...window, replicas: 1 }).minutes,
      all: leadTimeOf(POOL, record, window).minutes,
    };
    const start = FIRST + day * DAY;
    const after = Math.floor(random() * MINUTE);
    const waits = hasOutage(day) ? OUTAGE_MINUTES * MINUTE : 0;
    const took = Array.from({ length: nodes }, () => 1_000 * startTimes(random));
    const slowest = after + waits + Math.max(...took);
    const requestOf = (minutes: number) => ({ minutes, isLate: slowest > minutes * MINUTE });
    const at = start - leads.all * MINUTE + after;
    const starts = took.map((ms, index) => ({
      nodePool: 'web',
      id: `n${index}`,
      createdAt: at + waits,
      initializedAt: at + waits + ms,
      deleting: false,
    }));
    const ready = at + Math.ceil((slowest - after) / MINUTE) * MINUTE;
    const request = { at, ready, ...(waits > 0 && { why: LATE.noneStarting() }) };
    const requests = Object.entries({ ...record.requests, [occurrenceKey(window, start)]: request });
    record = {
      ...record,
      nodeStarts: withStarts(record.nodeStarts ?? {}, starts),
      requests: Object.fromEntries(requests.slice(-MAX_BEGUN)),
    };
    return { hasOutage: waits > 0, one: requestOf(leads.one), all: requestOf(leads.all) };
  });
  return days.slice(LEARNS_FOR);
}

export interface Compared {
  /** Per cent of windows that waited for a node. What is late for lack of capacity is no rule's fault. */
  readonly late: Readonly<Record<'one' | 'all', number>>;
  /** Mean lead times. */
  readonly minutes: Readonly<Record<'one' | 'all', number>>;
  /** The most that one window was requested earlier, and the node-hours that one costs more on average. */
  readonly mostLonger: number;
  readonly nodeHours: number;
}

export function compareRules(kind: Kind, nodes: number, runs: number): Compared {
  const days = Array.from({ length: runs }, (_, run) => simulateDays(kind, nodes, 4_000 + run)).flat();
  const counted = days.filter(({ hasOutage }) => !hasOutage);
  const each = (figure: (rule: 'one' | 'all') => number) => ({ one: figure('one'), all: figure('all') });
  const longer = days.map(({ one, all }) => all.minutes - one.minutes);
  return {
    late: each((rule) => 100 * mean(counted.map((day) => Number(day[rule].isLate)))),
    minutes: each((rule) => mean(days.map((day) => day[rule].minutes))),
    mostLonger: longer.reduce((most, one) => Math.max(most, one)),
    nodeHours: (nodes * mean(longer)) / 60,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
