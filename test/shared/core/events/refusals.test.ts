import { MAX_INSTANCE_ID } from '../../../../shared/core/basics/record-limits';
import { believedTime, isBelieved } from '../../../../shared/core/events/believed-time';
import { deliveriesOf, parseDeliveries } from '../../../../shared/core/events/deliveries';
import { EVENT_QUEUE } from '../../../../shared/core/events/delivery-limits';
import { quote, zonedTime } from '../../../../shared/core/events/event-fields';
import { deploy, heartbeat, tickEvent, windowEdge } from '../../../../shared/core/events/heartbeat-and-edges';
import {
  DEFAULT_CAUSES,
  INTERRUPTION_CAUSES,
  INTERRUPTION_SOURCES,
} from '../../../../shared/core/events/interruption-causes';
import { parseAwsEvent, parseEvent } from '../../../../shared/core/events/parse-event';
import { loadEvent } from '../../../events/load-event';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/refusals.txt`);
const TIME = '2026-11-16T03:00:00Z';
const NOW = Date.parse(TIME);
const INSTANCE = 'i-0a1b2c3d4e5f60001';
const NOTICES = ['spot-interruption', 'rebalance-recommendation', 'capacity-reservation', 'instance-state-change'];
const without = (name: string, key: string, value?: unknown) => loadEvent(name, {}, { [key]: value });
/** `Date.parse` takes all of them for 2 March. */
const OTHER_FORMS = ['Mon, 30 Feb 2026 10:00:00 GMT', 'Feb 30, 2026', '2/30/2026', '2026-2-30'];
const refusal = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
};

describe('an event of AWS', () => {
  // Each is named after what is wrong with it; what is said is in refusals.txt.
  test.each<readonly [string, unknown]>([
    ...NOTICES.flatMap((name): [string, unknown][] => [
      [`${name} without an id`, without(name, 'instance-id')],
      [`${name} with an empty id`, without(name, 'instance-id', '')],
      [`${name} with an id that is too long`, without(name, 'instance-id', `i-${'0'.repeat(80)}`)],
      [`${name} with a word before its id`, without(name, 'instance-id', 'x i-1')],
      [`${name} with a word after its id`, without(name, 'instance-id', 'i-1 x')],
    ]),
    ['a state change without a state', without('instance-state-change', 'state')],
    ['a health event without a service', without('health-scheduled-change', 'service')],
    ['a health event without a category', without('health-scheduled-change', 'eventTypeCategory')],
    ['a health event whose entities are no list', without('health-scheduled-change', 'affectedEntities', 'i-1')],
    ['an alarm without a state', without('alarm-state-change', 'state')],
    ['an alarm whose state is a list', without('alarm-state-change', 'state', [])],
    ['an alarm whose state is a number', without('alarm-state-change', 'state', { value: 3 })],
    ['an alarm in a list of states', without('alarm-state-change', 'state', { value: ['OK'], timestamp: TIME })],
    ['an alarm without the time of its state', without('alarm-state-change', 'state', { value: 'OK' })],
    ['an alarm at no time', without('alarm-state-change', 'state', { value: 'OK', timestamp: 'soon' })],
    ['an alarm whose earlier state is a text', without('alarm-state-change', 'previousState', 'OK')],
    ['an alarm without a name', without('alarm-state-change', 'alarmName')],
    ['alarm data that is a number', { alarmData: 3 }],
    ['empty alarm data', { alarmData: {} }],
    ['no detail type', { source: 'aws.ec2' }],
    ['no source', { 'detail-type': 'x' }],
    ['a text as its detail', { ...loadEvent('spot-interruption'), detail: 'x' }],
    ...OTHER_FORMS.flatMap((time): [string, unknown][] => [
      [`an alarm of ${time}`, without('alarm-state-change', 'state', { value: 'OK', timestamp: time })],
      [`a notice of ${time}`, loadEvent('spot-interruption', { time })],
    ]),
    ['a number as its time', loadEvent('spot-interruption', { time: 3 })],
    ['a list', []],
    ['nothing', undefined],
    ['an empty object', {}],
  ])('is refused with the field: %s', (name, event) => {
    said(name, String(refusal(() => parseAwsEvent(event, NOW))));
  });

  test('an alarm whose earlier state nobody knows is read without it', () => {
    for (const previousState of [undefined, { value: 'BROKEN' }, {}])
      expect(parseEvent(without('alarm-state-change', 'previousState', previousState), NOW)).not.toHaveProperty(
        'previous',
      );
  });

  test('an instance id may be as long as the record has room for', () => {
    const longest = `i-${'0'.repeat(MAX_INSTANCE_ID - 2)}`;
    expect(parseEvent(without('spot-interruption', 'instance-id', longest), NOW)).toMatchObject({
      instanceIds: [longest],
    });
  });

  test.each(['stopping', 'stopped', 'shutting-down', 'terminated'])('an instance that is %s is going away', (state) => {
    expect(parseEvent(without('instance-state-change', 'state', state), NOW)).toMatchObject({
      instanceIds: [INSTANCE],
    });
  });

  test('of what AWS Health names, instances count, and none is no event', () => {
    const named = (...affectedEntities: unknown[]) =>
      parseEvent(without('health-scheduled-change', 'affectedEntities', affectedEntities), NOW);
    const values = ['vol-1', INSTANCE, 3, 'arn i-1', 'i-1 x'].map((entityValue) => ({ entityValue }));
    expect(named(null, {}, ...values)).toMatchObject({ instanceIds: [INSTANCE] });
    expect(named()).toBeUndefined();
    expect(parseEvent(without('health-scheduled-change', 'affectedEntities'), NOW)).toBeUndefined();
  });

  test.each([
    { source: 'aws.ec2', 'detail-type': 'CloudWatch Alarm State Change' },
    { source: 'aws.cloudwatch', 'detail-type': 'EC2 Spot Instance Interruption Warning' },
    { source: 'aws.s3', 'detail-type': 'x', time: 'soon' },
  ])('of another kind is nothing for us: $source, $detail-type', (event) => {
    expect(parseAwsEvent({ ...loadEvent('spot-interruption'), ...event }, NOW)).toBeUndefined();
  });
});

describe('our own ticks', () => {
  test.each([
    { source: windowEdge, trigger: 'edge', detailType: 'Headstart Window Edge', from: 'headstart.schedule' },
    { source: heartbeat, trigger: 'heartbeat', detailType: 'Headstart Heartbeat', from: 'headstart.schedule' },
    { source: deploy, trigger: 'deploy', detailType: 'Headstart Deploy', from: 'headstart.deploy' },
  ])('are read as they are sent, with or without a time: $trigger', ({ source, trigger, detailType, from }) => {
    const event = tickEvent(source, '2026-11-16T03:00:00Z');
    expect(event).toEqual({ source: from, 'detail-type': detailType, time: '2026-11-16T03:00:00Z', detail: {} });
    expect(parseEvent(event, 0)).toStrictEqual({ kind: 'tick', trigger, at: NOW });
    const { detail: _detail, ...bare } = tickEvent(source, '');
    expect(parseEvent(bare, 0)).toStrictEqual({ kind: 'tick', trigger });
  });
});

describe('a delivery', () => {
  test.each([
    { name: 'text', raw: 'x', excerpt: '"x"' },
    { name: 'nothing', raw: null, excerpt: 'null' },
    { name: 'an event', raw: { source: 'x' }, excerpt: '{"source":"x"}' },
    { name: 'records that are no list', raw: { Records: 3 }, excerpt: '{"Records":3}' },
  ])('of $name is one', ({ raw, excerpt }) => {
    const deliveries = deliveriesOf(raw);
    expect(deliveries).toEqual([{ id: 'event', read: expect.any(Function), excerpt }]);
    expect(deliveries[0]?.read()).toBe(raw);
  });

  test('of a batch is one for each message, with the beginning of its body', () => {
    const records = [{ messageId: 'a', body: 'x'.repeat(600) }, { body: { b: 1 } }, null];
    expect(deliveriesOf({ Records: records })).toMatchObject([
      { id: 'a', excerpt: 'x'.repeat(500) },
      { id: '1', excerpt: '{"b":1}' },
      { id: '2', excerpt: 'nothing' },
    ]);
  });

  test('that is for another function, or no JSON, is refused with its beginning; any other error is thrown', () => {
    const [tick] = deliveriesOf(loadEvent('heartbeat'));
    const [broken] = deliveriesOf({ Records: [{ messageId: 'a', body: '{' }] });
    if (!tick || !broken) throw new Error('no delivery');
    expect(parseDeliveries([tick, broken], parseEvent, NOW, 'alarm')).toEqual({
      events: [],
      rejected: [
        { id: 'event', excerpt: tick.excerpt, reason: 'event is not for this function: expected alarm, got tick' },
        { id: 'a', excerpt: '{', reason: 'message is not JSON' },
      ],
    });
    expect(parseDeliveries([tick], parseEvent, NOW, 'tick').events).toHaveLength(1);
    const odd = () => {
      throw new TypeError('odd');
    };
    expect(() => parseDeliveries([tick], odd, NOW)).toThrow('odd');
  });
});

test.each([
  { text: '2026-11-16T03:00:00Z', instant: NOW },
  { text: '2026-11-16T12:00:00+09:00', instant: NOW },
  { text: '2026-11-16T12:00:00+0900', instant: NOW },
  { text: '2026-11-16T03:00:00', instant: undefined },
  { text: 'x2026-11-16T03:00:00Z', instant: undefined },
  { text: '2026-11-16T03:00:00Zx', instant: undefined },
  { text: '2026-11-16T99:00:00Z', instant: undefined },
  { text: 1_763_262_000, instant: undefined },
])('$text is a time with its zone: $instant', ({ text, instant }) => {
  expect(zonedTime(text)).toBe(instant);
});

test.each([
  { at: 0, believed: true },
  { at: -1, believed: false },
  { at: NOW + 60_000, believed: true },
  { at: NOW + 60_001, believed: false },
  { at: Number.NaN, believed: false },
])('a time of $at is believed: $believed', ({ at, believed }) => {
  expect([isBelieved(at, NOW), believedTime(at, NOW)]).toEqual([believed, believed ? at : NOW]);
});

test('a quotation is short, and says so where there is nothing or too much', () => {
  const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000));
  expect([undefined, 'x'.repeat(99), deep, Symbol('s')].map((value) => quote(value))).toEqual([
    'nothing',
    `"${'x'.repeat(79)}`,
    'something deeply nested',
    'Symbol(s)',
  ]);
});

test('causes are named in order; a state change has to be asked for', () => {
  expect(INTERRUPTION_CAUSES).toEqual(['capacityReservation', 'health', 'rebalance', 'spot', 'stateChange']);
  expect(DEFAULT_CAUSES).toEqual(['capacityReservation', 'health', 'rebalance', 'spot']);
  for (const { meaning } of INTERRUPTION_SOURCES) expect(meaning).toMatch(/^\w/);
  expect(EVENT_QUEUE.visibilitySeconds).toBeGreaterThan(EVENT_QUEUE.functionTimeoutSeconds);
});
