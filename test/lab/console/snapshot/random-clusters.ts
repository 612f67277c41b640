import fc from 'fast-check';
import { PoolHistories } from '../../../../lab/console/snapshot/pool-histories';
import type { Config, HeadroomConfig } from '../../../../shared/core/config/config';
import { occurrenceKey } from '../../../../shared/core/occurrences/occurrence-key';
import { EMPTY_RECORD, type HeadroomRecord } from '../../../../shared/core/record/record';
import { startsOf } from '../../../../shared/core/windows/edges';
import { configOf } from '../../../fakes/fake-runtime';
import { shown } from './shown-pool';

export const DAY = Date.parse('2026-11-17T00:00:00Z');
const MINUTE = 60_000;
const { constantFrom, integer, option, record, array, boolean, nat } = fc;

const size = integer({ min: 1, max: 12 });
const UNITS = {
  floor: '{floor: {cpu: 4, memory: 16Gi}}',
  node: '{node: {cpu: 1, memory: 2Gi}}',
  slice: '{slice: {cpu: 500m, memory: 1Gi}}',
  like: '{like: shop/checkout}',
};
const headroom = record({
  unit: constantFrom(...(Object.keys(UNITS) as (keyof typeof UNITS)[])),
  base: integer({ min: 0, max: 3 }),
  windows: array(record({ from: nat(22), hours: integer({ min: 1, max: 3 }), size, adds: boolean() }), {
    maxLength: 3,
  }),
  alarm: option(size),
  surges: boolean(),
});
/** What was seen of it; some of it at odds with the rest, as between two heartbeats. */
const seen = record({
  replicas: nat(14),
  /** As many as are wanted, if absent. */
  ready: option(nat(14), { nil: undefined }),
  before: nat(14),
  inUse: option(nat(14), { nil: undefined }),
  preempted: nat(5),
  requests: array(option(nat(20))),
  count: option(nat(6)),
  alarm: constantFrom('none', 'firing', 'held'),
  notices: nat(3),
  override: option(constantFrom('atLeast', 'exactly', 'addNodes')),
});
export const cluster = record({
  headrooms: array(fc.tuple(headroom, seen), { minLength: 1, maxLength: 4 }),
  minute: nat(24 * 60 - 1),
});
type Generated<T> = T extends fc.Arbitrary<infer Value> ? Value : never;
type Headroom = Generated<typeof headroom>;
export type Seen = Generated<typeof seen>;

/** The first three are on one NodePool, of which one may be a floor. */
function configFor(headrooms: readonly Headroom[]) {
  let floors = 0;
  const lines = headrooms.map(({ unit: asked, base, windows, alarm, surges }, index) => {
    const unit = asked === 'floor' && index < 3 && floors++ > 0 ? 'node' : asked;
    const schedules = windows.map(({ from, hours, size, adds }, number) => {
      const kind = adds && unit === 'floor' ? 'addNodes' : 'desiredReplicas';
      const share = adds && unit === 'like' ? `"${size * 10}%"` : size;
      return `{name: w${number}, timezone: UTC, start: 0 ${from} * * *, end: 0 ${from + hours > 23 ? 0 : from + hours} * * *, ${kind}: ${share}}`;
    });
    const rest = [
      ...(alarm === null ? [] : [`alarms: [{name: queue, alarmName: q${index}, add: ${alarm}, hold: 30m}]`]),
      ...(surges ? ['interruptions: {surge: 1, max: 4, hold: 15m}'] : []),
    ];
    return `  h${index}: {${[...(index < 3 ? ['nodePool: web'] : []), `max: 40, base: ${base}, leadTime: 5m, unit: ${UNITS[unit]}, schedules: [${schedules}]`, ...rest].join(', ')}}\n`;
  });
  return configOf(lines.join(''));
}

function recordFor(
  pool: HeadroomConfig,
  { requests, count, alarm, notices, override }: Seen,
  now: number,
): HeadroomRecord {
  const keys = pool.windows.flatMap((window, index) => {
    const start = startsOf(window).previous(now + 5 * MINUTE);
    const ready = requests[index];
    const at = (start ?? 0) - 5 * MINUTE;
    return start === undefined || ready === undefined
      ? []
      : [{ key: occurrenceKey(window, start), at, ready: ready === null ? undefined : at + ready * MINUTE }];
  });
  const until = now + 30 * MINUTE;
  return {
    ...EMPTY_RECORD,
    requests: Object.fromEntries(
      keys.map(({ key, at, ready }) => [key, { at, ...(ready !== undefined && { ready }) }]),
    ),
    ...(count !== null && {
      counts: Object.fromEntries(keys.map(({ key, at }) => [key, { nodes: count, at, until }])),
    }),
    alarms: Object.fromEntries(
      alarm === 'none'
        ? []
        : pool.alarms.map(({ alarmName }) => [
            alarmName,
            alarm === 'firing' ? { state: 'ALARM' as const, at: now } : { state: 'OK' as const, at: now, ended: now },
          ]),
    ),
    surges: Object.fromEntries(
      Array.from({ length: notices }, (_, index) => [`i-${index}`, { cause: 'spot' as const, until: until + index }]),
    ),
    ...(override && {
      override: { mode: override, replicas: 3, at: now, until, by: 'ana', reason: 'sale' },
    }),
  };
}

export interface RandomCluster {
  readonly config: Config;
  readonly histories: PoolHistories;
  readonly records: readonly HeadroomRecord[];
  readonly now: number;
}

/** What the console has seen of such a cluster. */
export function observed({ headrooms, minute }: Generated<typeof cluster>): RandomCluster {
  const now = DAY + minute * MINUTE;
  const config = configFor(headrooms.map(([one]) => one));
  const histories = new PoolHistories(config);
  const records = config.headrooms.map((pool, index) => {
    const one = headrooms[index]?.[1] as Seen;
    const kept = recordFor(pool, one, now);
    const deployment = (ready: number) =>
      ({
        metadata: { generation: 1, annotations: shown(0, 0, kept).annotations },
        spec: { replicas: one.replicas },
        status: { observedGeneration: 1, replicas: ready, updatedReplicas: ready, readyReplicas: ready },
      }) as never;
    histories.observe(pool.name, deployment(one.before), now - 2 * MINUTE);
    histories.observeWork(pool.name, { inUse: one.inUse }, now - MINUTE);
    for (let taken = 0; taken < one.preempted; taken += 1) histories.observePreemption(pool.name, now - 1_000);
    histories.observe(pool.name, deployment(one.ready ?? one.replicas), now);
    return kept;
  });
  return { config, histories, records, now };
}
