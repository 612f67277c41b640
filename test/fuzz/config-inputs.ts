import fc from 'fast-check';
import { damaged, textOf } from './fuzz';

/** Small, so that many inputs are quick, and with every kind of block. */
export const VALID = `cluster: {name: demo, region: ap-northeast-2}
heartbeat: 1m
stack: {logRetentionDays: 90, dashboard: true}
defaults: &defaults
  max: 9
  leadTime: 5m
nodePools:
  web:
    unit: {node: {cpu: 2, memory: 4Gi}}
    schedules:
      - {name: lunch, timezone: Asia/Seoul, start: 30 11 * * MON-FRI, end: 30 13 * * *, desiredReplicas: 6}
      - {name: sale, timezone: UTC, from: 2026-11-27T08:00, to: 2026-11-27T20:00, desiredReplicas: 9}
    alarms:
      - {alarmName: p95-high, add: 1, hold: 10m}
      - {name: cpu, metric: {namespace: A, name: B, period: 1m}, threshold: "> 0.8", add: 2}
    interruptions: {surge: 1, max: 5, hold: 10m, on: [spot]}
  floor:
    max: 8
    leadTime: {auto: {min: 1m, max: 15m, start: 5m}}
    unit: {floor: {cpu: 4, memory: 16Gi}}
    schedules: [{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, addNodes: 6}]
  ci:
    <<: *defaults
    pool: {role: r, capacityType: [spot], labels: {team: a}, requirements: [{key: a, operator: In, values: [b]}]}
`;

/** What YAML gives a meaning, and the words of the config. */
export const PIECES = [
  ...'{}[]:,-?|>"\'#&*!%@`~ \n',
  ...[
    '\n  ',
    '\n    ',
    ': ',
    ', ',
    '- ',
    '---\n',
    '...\n',
    '&a ',
    '*a',
    '<<: ',
    '<<: *a',
    '<<: [*a, *a]',
    '!!str ',
    '? ',
  ],
  ...['remove: true', '"\\u0000"', '\ufeff', '\t', '\r\n', '* * * * *', '[]', '{}'],
  ...'null true .inf .nan 1e999 -1 0x10 1_000 999999999999d 2026-02-30 Asia/Seoul'.split(' '),
  ...'cluster name region nodePools defaults max base schedules alarms unit pool hold'.split(' '),
  ...'constructor __proto__ toString'.split(' '),
];

const scalar = fc.oneof(
  fc.constantFrom(0, 1, 5, -1, 1.5, 1e308, null, true, false, ''),
  fc.constantFrom(...'1m 5m 7d 90s 999999999999d 2 500m 4Gi 1e999'.split(' ')),
  fc.constantFrom('0 8 * * *', '* * * * *', 'H 9 * * *', '@daily', '0 0 29 2 *'),
  fc.constantFrom('2026-11-27T08:00', '0001-01-01T00:00', '9999-12-31T23:59', '> 1'),
  fc.constantFrom(...'UTC Asia/Seoul America/New_York Mars/Olympus spot spread constructor __proto__ p95'.split(' ')),
  fc.string({ maxLength: 8 }),
);
const anything = fc.oneof(
  scalar,
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(fc.string({ maxLength: 5 }), scalar, { maxKeys: 2 }),
);

type Values = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** An object whose required keys are nearly always right, and whose other keys are there or not; `undefined` is absent. */
const mostly = (required: Values, optional: Values = {}): fc.Arbitrary<Readonly<Record<string, unknown>>> => {
  const odd = fc.oneof(fc.constant(undefined), anything);
  const weighted = (values: Values, weight: number, other: fc.Arbitrary<unknown>) =>
    Object.entries(values).map(([key, arbitrary]) => [key, fc.oneof({ weight, arbitrary }, other)] as const);
  const absent = fc.oneof({ weight: 60, arbitrary: fc.constant(undefined) }, anything);
  return fc.record(Object.fromEntries([...weighted(required, 150, odd), ...weighted(optional, 1, absent)]));
};
const cron = fc.constantFrom('30 11 * * MON-FRI', '* * * * *', '*/2 * * * *', '0 0 29 2 *', '57,41 20 11,11 * *');
const zone = fc.constantFrom('UTC', 'Asia/Seoul', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Almaty');
const name = fc.constantFrom('a', 'b', 'constructor', 'toString', '__proto__', 'lunch');
const duration = fc.constantFrom('0s', '1m', '5m', '1h30m', '7d');
const count = fc.integer({ min: 1, max: 12 });
const leadTime = fc.oneof(
  duration,
  fc.constant('auto'),
  mostly({ auto: mostly({}, { min: duration, max: duration, start: duration }) }),
);
const schedule = fc.oneof(
  mostly({ name, timezone: zone, start: cron, end: fc.constant('0 8 * * *'), addNodes: count }),
  mostly(
    {
      name,
      timezone: zone,
      start: cron,
      end: fc.constantFrom('0 8 * * *', '30 13 * * *', '1-59/2 * * * *'),
      desiredReplicas: count,
    },
    { excludeDates: fc.constant(['2026-12-25']) },
  ),
  mostly({
    name,
    timezone: zone,
    from: fc.constant('2026-11-27T08:00'),
    to: fc.constant('2026-11-28T08:00'),
    desiredReplicas: count,
  }),
  fc.record({ name, remove: fc.constant(true) }),
);
const metric = mostly(
  { namespace: name, name },
  { period: fc.constantFrom('10s', '1m'), dimensions: fc.dictionary(name, name) },
);
const alarm = fc.oneof(
  mostly({ alarmName: name, add: count }, { hold: duration }),
  mostly({ name, metric, threshold: fc.constant('> 1'), add: count }, { hold: duration }),
);
const named = (items: fc.Arbitrary<Readonly<Record<string, unknown>>>) =>
  fc.uniqueArray(items, { maxLength: 3, selector: (item) => JSON.stringify(item.alarmName ?? item.name) });
const settings: Values = {
  base: count,
  leadTime,
  unit: fc.oneof(
    mostly({ node: mostly({ cpu: count }, { memory: fc.constantFrom('1Gi', '500m', 2) }) }),
    mostly({ floor: mostly({ cpu: count }) }),
  ),
  schedules: named(schedule),
  alarms: named(alarm),
  interruptions: mostly(
    {},
    { surge: count, max: fc.integer({ min: 0, max: 500 }), hold: duration, on: fc.constant(['spot']) },
  ),
  nodeSelector: fc.dictionary(name, name),
  price: fc.constant(0.1),
};
const nodePool = mostly({ max: fc.integer({ min: 12, max: 20 }) }, settings);
const poolName = fc.oneof({ weight: 20, arbitrary: fc.constantFrom('web', 'ci', 'constructor', 'a.b') }, name);
const stack = mostly(
  {},
  {
    terminationProtection: fc.boolean(),
    logRetentionDays: fc.constantFrom(1, 30, 31),
    kmsKeyArn: name,
    permissionsBoundaryArn: fc.constantFrom('arn:aws:iam::123456789012:policy/a', 'a'),
    alarmTopicArn: fc.constantFrom('arn:aws:sns:eu-west-1:123456789012:a', 'a'),
    architecture: fc.constantFrom('arm64', 'x86_64'),
    inflateConcurrency: count,
    dashboard: fc.boolean(),
  },
);
const tree = mostly(
  {
    cluster: fc.constant({ name: 'demo', region: 'eu-west-1' }),
    nodePools: fc.dictionary(poolName, nodePool, { minKeys: 1, maxKeys: 3 }),
  },
  { defaults: nodePool, heartbeat: fc.constantFrom('1m', '5m'), stack },
);

/** Texts that are YAML, nearly YAML or nothing like it; configs, nearly configs. */
export const configText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: tree.map((value) => JSON.stringify(value)) },
  { weight: 3, arbitrary: damaged(VALID, PIECES) },
  textOf(PIECES),
);
