import { worstRecordSize } from '../../../../../shared/core/config/check/record-size';
import { load, pool, problemsIn } from '../config-text';

const PATTERN = 'pattern: {source: [shop.cms]}';
const events = (event: string, ...more: string[]) => pool('max: 8', ...more, `events: [{${event}}]`);
const problems = (event: string, ...more: string[]) =>
  problemsIn(events(event, ...more)).map((text) => text.replace(/^headroom.yaml:\d+:\d+: nodePools\.web\./, ''));
const DATED = `${PATTERN}, desiredReplicas: 6, from: $.detail.start, to: $.detail.end`;

test('an event with every key is resolved as it was written', () => {
  const text = `name: campaign, bus: shop, ${DATED}, key: "$.detail.items[0].id", cancel: {source: [shop.cms], detail: {state: [off]}}`;
  const [web] = load(events(text, 'leadTime: 5m')).config.headrooms;
  expect(web?.events).toEqual([
    {
      name: 'campaign',
      bus: 'shop',
      pattern: { source: ['shop.cms'] },
      cancel: { source: ['shop.cms'], detail: { state: ['off'] } },
      replicas: 6,
      from: '$.detail.start',
      to: '$.detail.end',
      key: '$.detail.items[0].id',
      earlyMinutes: 1,
    },
  ]);
});

test.each([
  { name: 'the default bus', event: `name: import, ${PATTERN}, hold: 30m, desiredReplicas: 2`, more: [], early: 1 },
  { name: 'a learned lead time', event: `name: a, ${DATED}, key: $.id`, more: ['leadTime: auto'], early: 0 },
])('$name', ({ event, more, early }) => {
  const [web] = load(events(event, ...more)).config.headrooms;
  expect(web?.events).toMatchObject([{ bus: 'default', earlyMinutes: early }]);
});

test('a floor pool may add nodes', () => {
  const [web] = load(events(`name: a, ${PATTERN}, hold: 5m, addNodes: 3`, 'unit: {floor: {cpu: 4}}')).config.headrooms;
  expect(web?.events).toMatchObject([{ replicas: 3, relative: true, holdSeconds: 300 }]);
});

test.each([
  {
    event: `name: a, desiredReplicas: 2, hold: 5m`,
    says: 'events[0].pattern is missing; write an EventBridge pattern',
  },
  {
    event: `name: a, pattern: {detail-type: [x]}, desiredReplicas: 2, hold: 5m`,
    says: 'events[0].pattern.source is missing; write who sends the event',
  },
  {
    event: `name: a, pattern: {source: shop.cms}, desiredReplicas: 2, hold: 5m`,
    says: 'events[0].pattern.source is no list',
  },
  {
    event: `name: a, pattern: {source: [a], detail: {state: on}}, desiredReplicas: 2, hold: 5m`,
    says: 'events[0].pattern.detail.state is no list',
  },
  {
    event: `name: a, pattern: {source: []}, desiredReplicas: 2, hold: 5m`,
    says: 'events[0].pattern.source is no list',
  },
  {
    event: `name: a, pattern: {source: [a], $or: [{detail: {a: 1}}]}, desiredReplicas: 2, hold: 5m`,
    says: 'events[0].pattern["$or"][0].detail.a is no list',
  },
  {
    event: `name: a, ${PATTERN}, cancel: {detail: {a: [1]}}, desiredReplicas: 2, hold: 5m`,
    says: 'events[0].cancel.source is missing',
  },
  {
    event: `name: a, pattern: {source: [${'a'.repeat(2_010)}]}, desiredReplicas: 2, hold: 5m`,
    says: 'bytes as JSON with the account, and EventBridge takes 2048; write less',
  },
  { event: `name: ${'n'.repeat(41)}, ${PATTERN}, desiredReplicas: 2, hold: 5m`, says: 'up to 40 printable characters' },
  { event: `name: "a\\u0007", ${PATTERN}, desiredReplicas: 2, hold: 5m`, says: 'up to 40 printable characters' },
  {
    event: `name: a, bus: "arn:aws:sqs:x", ${PATTERN}, desiredReplicas: 2, hold: 5m`,
    says: 'write the name of an event bus',
  },
  {
    event: `name: a, ${DATED.replace('$.detail.start', 'detail.start')}`,
    says: 'events[0].from is "detail.start"; write a path of fields and indexes',
  },
  {
    event: `name: a, ${PATTERN}, desiredReplicas: 2, hold: 5m, key: "$[\\"x\\"]"`,
    says: 'write a path of fields and indexes',
  },
  { event: `name: a, ${DATED}, hold: 5m`, says: 'events[0].hold does not go with from and to' },
  {
    event: `name: a, ${PATTERN}, desiredReplicas: 2`,
    says: 'events[0].hold is missing; write how long the peak lasts',
  },
  { event: `name: a, ${PATTERN}, desiredReplicas: 2, from: $.a`, says: 'events[0].to is missing' },
  { event: `name: a, ${PATTERN}, hold: 5m`, says: 'events[0].desiredReplicas is missing' },
  { event: `name: a, ${PATTERN}, hold: 5m, desiredReplicas: 9`, says: 'events[0].desiredReplicas is "9", above max 8' },
  { event: `name: a, ${PATTERN}, hold: 5m, addNodes: 2`, says: 'events[0].addNodes goes with a floor only' },
])('is refused: $says', ({ event, says }) => {
  expect(problems(event).join('\n')).toContain(says.replace('"9"', '9'));
});

test('names are taken once, and there are no more events than peaks are kept', () => {
  const one = `{name: a, ${PATTERN}, hold: 5m, desiredReplicas: 2}`;
  const many = Array.from({ length: 13 }, (_, index) => one.replace('name: a', `name: a${index}`));
  expect(problemsIn(pool('max: 8', `events: [${one}, ${one}]`)).join()).toContain('is "a", which is taken');
  expect(problemsIn(pool('max: 8', `events: [${many}]`)).join()).toContain('has 13 events; write at most 12');
});

test('only heartbeats see the edges of announced peaks, so that they are not slow', () => {
  const text = events(`name: a, ${PATTERN}, hold: 5m, desiredReplicas: 2`);
  expect(problemsIn(text.replace('nodePools', 'heartbeat: 6m\nnodePools')).join()).toContain(
    'too slow for events; write at most 5m',
  );
  expect(problemsIn(text.replace('nodePools', 'heartbeat: 5m\nnodePools'))).toEqual([]);
});

test('window names that begin like those of announced peaks are refused', () => {
  const schedule = '{name: "event:a", timezone: UTC, start: 0 1 * * *, end: 0 2 * * *, desiredReplicas: 1}';
  expect(problemsIn(pool('max: 8', `schedules: [${schedule}]`)).join()).toContain('does not begin with event:');
});

describe('twelve peaks count as windows', () => {
  const windows = (count: number, size: string) =>
    Array.from(
      { length: count },
      (_, index) => `{name: w${index}, timezone: UTC, start: 0 1 * * *, end: 0 2 * * *, ${size}}`,
    );
  const announced = (size: string) => `events: [{name: a, ${PATTERN}, hold: 5m, ${size}}]`;

  test.each([
    { count: 13, problem: '' },
    { count: 14, problem: 'is auto with 14 schedules; write at most 13' },
  ])('with a learned lead time: $count schedules', ({ count, problem }) => {
    const text = pool(
      'max: 8',
      'leadTime: auto',
      `schedules: [${windows(count, 'desiredReplicas: 1')}]`,
      announced('desiredReplicas: 2'),
    );
    expect(problemsIn(text).join()).toContain(problem);
  });

  test('with nodes that are added: 14 windows are too many', () => {
    const text = pool(
      'max: 8',
      'unit: {floor: {cpu: 4}}',
      `schedules: [${windows(14, 'addNodes: 1')}]`,
      announced('addNodes: 2'),
    );
    expect(problemsIn(text).join()).toContain('has 14 windows with addNodes; write at most 13');
  });

  test('and in the size of the record', () => {
    const [web] = load(events(`name: a, ${PATTERN}, hold: 5m, desiredReplicas: 2`)).config.headrooms;
    if (!web) throw new Error('there is no NodePool');
    const { events: _events, ...without } = web;
    expect(worstRecordSize(web) - worstRecordSize(without)).toBeGreaterThan(24 * 130);
  });
});

test('without a key a second announcement replaces the first, which is warned about', () => {
  const warnings = load(events(`name: a, ${DATED}`)).warnings.map(({ message }) => message);
  expect(warnings).toEqual([expect.stringContaining('has no key, so that each announcement replaces')]);
  expect(load(events(`name: a, ${DATED}, key: $.detail.id`)).warnings).toEqual([]);
  expect(load(events(`name: a, ${PATTERN}, hold: 5m, desiredReplicas: 2`)).warnings).toEqual([]);
});

describe('the bus of an event', () => {
  const arn = (region: string, account: string) => `arn:aws:events:${region}:${account}:event-bus/shop`;
  const said = (bus: string, account?: string) =>
    problemsIn(
      events(`name: a, bus: "${bus}", ${PATTERN}, desiredReplicas: 2, hold: 5m`).replace(
        'region: ap-northeast-2',
        `region: ap-northeast-2${account === undefined ? '' : `, account: "${account}"`}`,
      ),
    ).map((text) => text.replace(/^.*: nodePools\.web\./, ''));
  const OURS = '123456789012';
  const FORWARD =
    'Headstart adds no rule there: forward to a bus of the cluster with a rule of yours, and write its name';

  test.each([
    { name: 'a name', bus: 'shop', account: undefined },
    { name: 'a partner bus', bus: 'aws.partner/example.com/shop/1', account: undefined },
    { name: "an ARN of the cluster's account and region", bus: arn('ap-northeast-2', OURS), account: OURS },
  ])('may be $name', ({ bus, account }) => {
    expect(said(bus, account)).toEqual([]);
  });

  test.each([
    {
      name: 'in another region',
      bus: arn('eu-west-1', OURS),
      says: `events[0].bus is in eu-west-1 of account ${OURS}, and the cluster is in ap-northeast-2 of account ${OURS}; ${FORWARD}`,
    },
    {
      name: 'of another account',
      bus: arn('ap-northeast-2', '111122223333'),
      says: `events[0].bus is in ap-northeast-2 of account 111122223333, and the cluster is in ap-northeast-2 of account ${OURS}; ${FORWARD}`,
    },
  ])('is refused if it is $name', ({ bus, says }) => {
    expect(said(bus, OURS)).toEqual([says]);
  });

  test('is refused as an ARN if the config does not say which account is ours', () => {
    expect(said(arn('ap-northeast-2', OURS))).toEqual([
      `events[0].bus is in account ${OURS}, and the config has no cluster.account to compare; write its name, shop, if it is in the account of the cluster`,
    ]);
  });
});
