import { worstRecordSize } from '../../../../../shared/core/config/check/record-size';
import { load, pool, problemsIn } from '../config-text';

const PATTERN = 'pattern: {source: [shop.cms]}';
const events = (event: string, ...more: string[]) => pool('max: 8', ...more, `events: [{${event}}]`);
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
  {
    name: 'the default bus',
    event: `name: import, ${PATTERN}, hold: 30m, desiredReplicas: 2`,
    more: ['leadTime: 5m'],
    early: 1,
  },
  { name: 'a learned lead time', event: `name: a, ${DATED}, key: $.id`, more: ['leadTime: auto'], early: 0 },
])('$name', ({ event, more, early }) => {
  const [web] = load(events(event, ...more)).config.headrooms;
  expect(web?.events).toMatchObject([{ bus: 'default', earlyMinutes: early }]);
});

test('a floor pool may add nodes', () => {
  const [web] = load(events(`name: a, ${PATTERN}, hold: 5m, addNodes: 3`, 'unit: {floor: {cpu: 4}}')).config.headrooms;
  expect(web?.events).toMatchObject([{ replicas: 3, relative: true, holdSeconds: 300 }]);
});

test('a pattern is no longer than EventBridge takes', () => {
  const event = `name: a, pattern: {source: [${'a'.repeat(2_010)}]}, desiredReplicas: 2, hold: 5m`;
  expect(problemsIn(events(event))).toEqual([
    expect.stringContaining('takes 2052 bytes as JSON with the account, and EventBridge takes 2048; write less'),
  ]);
});

test('there are no more events than peaks are kept', () => {
  const one = `{name: a, ${PATTERN}, hold: 5m, desiredReplicas: 2}`;
  const many = Array.from({ length: 13 }, (_, index) => one.replace('name: a', `name: a${index}`));
  expect(problemsIn(pool('max: 8', `events: [${many}]`)).join()).toContain('has 13 events; write at most 12');
});

test('only heartbeats see the edges of announced peaks, so that they are not slow', () => {
  const text = events(`name: a, ${PATTERN}, hold: 5m, desiredReplicas: 2`);
  expect(problemsIn(text.replace('nodePools', 'heartbeat: 6m\nnodePools')).join()).toContain(
    'too slow for events; write at most 5m',
  );
  expect(problemsIn(text.replace('nodePools', 'heartbeat: 5m\nnodePools'))).toEqual([]);
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
    { count: 14, problem: 'is auto, which allows at most 13 schedules; for 14 write leadTime: 5m' },
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
