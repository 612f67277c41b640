import fc from 'fast-check';
import { countResources, MAX_RESOURCES } from '../../shared/core/schedules/count-resources';
import { compileSchedules } from '../../shared/core/schedules/schedules';
import { configOf, NOW, synthesized } from './synthesized';

const REGION = 'eu-central-1';
const CAUSES = ['spot', 'rebalance', 'capacityReservation', 'health', 'stateChange'];

const vpcs = fc.oneof(
  fc.constant(undefined),
  fc.constant({ subnetIds: ['subnet-0a1b2c3d'] }),
  fc.record({
    subnetIds: fc.constant(['subnet-0a1b2c3d']),
    securityGroupIds: fc.constantFrom(['sg-0a1b2c3d'], ['sg-0a1b2c3d', 'sg-0d4c3b2a']),
    admitSecurityGroups: fc.boolean(),
  }),
);

const windows = fc.array(fc.record({ minute: fc.nat(59), hour: fc.nat(22), once: fc.boolean(), more: fc.boolean() }), {
  maxLength: 12,
});

/** Names of many lengths: they decide how many patterns there are. */
const alarms = fc.array(fc.record({ length: fc.integer({ min: 1, max: 200 }), create: fc.boolean() }), {
  maxLength: 30,
});

const events = fc.array(fc.record({ cancel: fc.boolean() }), { maxLength: 3 });

const pools = fc.array(fc.record({ windows, alarms, events, on: fc.subarray(CAUSES), auto: fc.boolean() }), {
  minLength: 1,
  maxLength: 6,
});

/** Everything in a config that decides how many resources its stack has. */
const inputs = fc.record({
  access: fc.constantFrom('entry', 'manual'),
  liveSchedules: fc.boolean(),
  vpc: vpcs,
  pools,
  stack: fc.record(
    {
      dashboard: fc.boolean(),
      alarmTopicArn: fc.constant(`arn:aws:sns:${REGION}:123456789012:pager`),
      kmsKeyArn: fc.constant(`arn:aws:kms:${REGION}:123456789012:key/11111111-2222-3333-4444-555555555555`),
      inflateConcurrency: fc.constant(2),
    },
    { requiredKeys: [] },
  ),
});
type Input = typeof inputs extends fc.Arbitrary<infer T> ? T : never;

function written({ access, liveSchedules, vpc, pools: all, stack }: Input): string {
  const nodePools = all.map((pool, index) => [`pool-${index}`, poolOf(pool, index)] as const);
  return JSON.stringify({
    cluster: { name: 'demo', region: REGION, access, liveSchedules, ...(vpc && { vpc }) },
    stack,
    nodePools: Object.fromEntries(nodePools),
  });
}

function poolOf({ windows: some, alarms: others, events: announced, on, auto }: Input['pools'][number], pool: number) {
  return {
    max: 9,
    leadTime: auto ? 'auto' : '5m',
    schedules: some.map(({ minute, hour, once, more }, index) => ({
      name: `w${index}`,
      timezone: more ? 'Asia/Seoul' : 'UTC',
      desiredReplicas: 1,
      ...(once
        ? { from: `2026-12-0${1 + (index % 9)}T08:00`, to: `2026-12-1${index % 9}T08:00` }
        : { start: `${minute} ${hour} * * ${more ? 'MON-FRI' : '*'}`, end: `${minute} ${hour + 1} * * *` }),
    })),
    alarms: others.map(({ length, create }, index) =>
      create
        ? { name: `a${index}`, metric: { namespace: 'A', name: 'B' }, threshold: '> 1', add: 1 }
        : { alarmName: `${pool}-${index}-${'x'.repeat(length)}`, add: 1 },
    ),
    events: announced.map(({ cancel }, index) => ({
      name: `e${index}`,
      pattern: { source: ['shop'] },
      desiredReplicas: 1,
      hold: '1h',
      ...(cancel && { cancel: { source: ['shop'] } }),
    })),
    ...(on.length > 0 && { interruptions: { on } }),
  };
}

/** Synthesizes so many random configs, and compares what is made with what core says. */
export function compareWithSynth(numRuns: number, seed: number): void {
  fc.assert(
    fc.property(inputs, (input) => {
      const config = configOf(written(input));
      const max = MAX_RESOURCES - countResources(config);
      const edges = compileSchedules(config, { now: NOW.getTime(), max }).schedules.length;
      const { resources } = synthesized(config, {}, { props: { analyticsReporting: true } });
      expect(Object.keys(resources)).toHaveLength(countResources(config) + edges);
    }),
    { numRuns, seed },
  );
}
