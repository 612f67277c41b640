import { spotInterruptionEvent } from '../../../../lab/simulator/bus/aws-events';
import { EventBus, type Invoke } from '../../../../lab/simulator/bus/event-bus';
import { seededRandom } from '../../../../lab/simulator/deterministic/seeded-random';
import { EVENT_QUEUE } from '../../../../shared/core/events/delivery-limits';
import { loadedConfig } from '../../../fakes/loaded-config';

const ORIGIN = { region: 'ap-northeast-2', account: '111122223333' };
const MINUTE = 60_000;
const START = Date.parse('2026-03-02T02:20:00Z');

const CONFIG = loadedConfig(`
cluster: { name: c, region: ap-northeast-2 }
nodePools:
  default:
    max: 8
    leadTime: 5m
    schedules:
      - { name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6 }
`);

interface Told {
  readonly at: number;
  readonly trigger: string;
  readonly raw: Record<string, unknown>;
}

/** A bus with a clock of its own that remembers every invocation. */
function busOf(options: { invoke?: (raw: unknown) => Promise<unknown>; seed?: number; lateSchedules?: boolean } = {}) {
  const told: Told[] = [];
  let now = START;
  const invoke: Invoke = async (raw, trigger) => {
    told.push({ at: now, trigger, raw: raw as Record<string, unknown> });
    return options.invoke?.(raw);
  };
  const bus = new EventBus({
    origin: ORIGIN,
    random: seededRandom(options.seed ?? 1),
    invoke,
    lateSchedules: options.lateSchedules ?? false,
  });
  const runUntil = async (until: number) => {
    for (let next = bus.nextAt; next !== undefined && next <= until; next = bus.nextAt) {
      now = Math.max(now, next);
      await bus.runDue(now);
    }
    now = until;
  };
  return { bus, told, runUntil };
}

const minutesOf = (told: readonly Told[]) => told.map(({ at, trigger }) => `${(at - START) / MINUTE} ${trigger}`);
const failing = () => Promise.reject(new Error('no cluster'));

test('a deploy is looked at once, then edges and heartbeats come when they are due', async () => {
  const { bus, told, runUntil } = busOf();
  bus.deploy(CONFIG, START);
  await runUntil(START + 6 * MINUTE);
  const beats = [1, 2, 3, 4, 5, 6].map((minute) => `${minute} heartbeat`);
  const edge = '5 schedule default: lunch opens 11:30, requested at 11:25 Asia/Seoul';
  expect(minutesOf(told)).toEqual(['0 deploy', ...beats.slice(0, 4), edge, ...beats.slice(4)]);
});

test('an edge carries the time at which it was due, however late it comes', async () => {
  const { bus, told, runUntil } = busOf({ lateSchedules: true, seed: 7 });
  bus.deploy(CONFIG, START);
  await runUntil(START + 7 * MINUTE);
  const edge = told.find(({ trigger }) => trigger.startsWith('schedule'));
  expect(edge?.raw).toMatchObject({ 'detail-type': 'Headstart Window Edge', time: '2026-03-02T02:25:00Z' });
  expect(edge?.at).toBeGreaterThanOrEqual(START + 5 * MINUTE);
  expect(edge?.at).toBeLessThan(START + 6 * MINUTE);
});

test('an event that fails comes again after one minute and after two more, then it is a dead letter', async () => {
  const { bus, told, runUntil } = busOf({ invoke: failing });
  bus.sendAlarm({ alarmName: 'orders', state: 'ALARM', previous: 'OK', at: START, previousAt: START });
  await runUntil(START + 60 * MINUTE);
  expect(told.map(({ at }) => (at - START) / MINUTE)).toEqual([0, 1, 3]);
  expect(bus.deadLetters).toBe(1);
});

test('a heartbeat that fails is neither retried nor a dead letter: the next one is the retry', async () => {
  const { bus, told, runUntil } = busOf({ invoke: failing });
  bus.deploy(CONFIG, START);
  await runUntil(START + 3 * MINUTE);
  expect(minutesOf(told)).toEqual(['0 deploy', '1 heartbeat', '2 heartbeat', '3 heartbeat']);
  expect(bus.deadLetters).toBe(0);
});

test('notices of one second come as one batch, and only the failed ones come again', async () => {
  let first = true;
  const { bus, told, runUntil } = busOf({
    invoke: async (raw) => {
      const [one] = (raw as { Records: { messageId: string }[] }).Records;
      const batchItemFailures = first ? [{ itemIdentifier: one?.messageId }] : [];
      first = false;
      return { batchItemFailures };
    },
  });
  for (const id of ['i-1', 'i-2', 'i-3']) bus.sendNotice(spotInterruptionEvent(ORIGIN, id, START), START);
  await runUntil(START + 10 * MINUTE);
  expect(told.map(({ raw }) => (raw.Records as unknown[]).length)).toEqual([3, 1]);
  expect(told[0]?.trigger).toBe('3 spot notices');
});

test('a batch holds no more notices than the real one', async () => {
  const { bus, told, runUntil } = busOf({ invoke: async () => ({ batchItemFailures: [] }) });
  for (let count = 0; count < EVENT_QUEUE.batchSize + 2; count += 1)
    bus.sendNotice(spotInterruptionEvent(ORIGIN, `i-${count}`, START), START);
  await runUntil(START + 10 * MINUTE);
  expect(told.map(({ raw }) => (raw.Records as unknown[]).length)).toEqual([EVENT_QUEUE.batchSize, 2]);
});

test('a notice that keeps failing is a dead letter too', async () => {
  const { bus, runUntil } = busOf({ invoke: failing });
  bus.sendNotice(spotInterruptionEvent(ORIGIN, 'i-1', START), START);
  await runUntil(START + 30 * MINUTE);
  expect(bus.deadLetters).toBe(1);
});

test('faults lose, double and delay events, and the same seed does the same', async () => {
  const timesOf = async () => {
    const { bus, told, runUntil } = busOf({ seed: 3 });
    bus.faults = { lost: 0.1, doubled: 0.1, late: 0.1, apiErrors: 0 };
    bus.deploy(CONFIG, START);
    await runUntil(START + 300 * MINUTE);
    return told.map(({ at }) => at);
  };
  const times = await timesOf();
  expect(await timesOf()).toEqual(times);
  const onTime = times.filter((at) => at % MINUTE === 0);
  expect(onTime.length).toBeLessThan(300);
  expect(times.length).toBeGreaterThan(onTime.length);
});

test('a new config replaces the schedules', async () => {
  const { bus, told, runUntil } = busOf();
  bus.deploy(CONFIG, START);
  bus.deploy({ ...CONFIG, headrooms: [] }, START);
  await runUntil(START + 6 * MINUTE);
  expect(told.some(({ trigger }) => trigger.startsWith('schedule'))).toBe(false);
});
