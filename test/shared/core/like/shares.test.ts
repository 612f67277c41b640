import { handleAnnounced } from '../../../../shared/core/handle';
import { loadEvent } from '../../../events/load-event';
import { LikeWorld, MINUTE, NOON, workload } from './like-setup';

const BASE = 'unit: {like: shop/checkout}, base: 4, max: 900';

describe('a share of an override', () => {
  const world = () => new LikeWorld(`  web: {${BASE}}`);

  test('is counted by the function that got it, in pods', async () => {
    const one = world();
    await one.tick();
    const answer = await one.send({ headroom: 'web', atLeast: '50%', for: '1h', by: 'ana', reason: 'sale' });
    expect(one.size).toBe(5);
    expect(answer).toMatchObject({
      decisions: [
        {
          pods: 4,
          reasons: [
            'Override by ana: 4 → 50 % of the 40 replicas of shop/checkout = 20 pods until 2026-11-17T13:01Z (sale)',
          ],
        },
      ],
    });
    one.runs(workload(400));
    await one.tick(10);
    expect([one.size, one.record.override?.of?.replicas]).toEqual([5, 40]);
    await one.tick(60);
    expect(one.size).toBe(1);
  });

  test('says of a share that is counted later that the size is not known yet', async () => {
    const lunch = '{name: lunch, timezone: UTC, start: 0 14 * * *, end: 0 16 * * *, desiredReplicas: 50%}';
    const one = new LikeWorld(`  web: {${BASE}, leadTime: 5m, schedules: [${lunch}]}`);
    await one.tick();
    const answer = await one.send({ headroom: 'web', release: true, by: 'ana' });
    const lacks = ['50 % of the replicas of shop/checkout, counted at 2026-11-17T13:55Z'];
    expect(answer).toMatchObject({ decisions: [{ next: { at: '2026-11-17T13:55:00.000Z', replicas: 1, lacks } }] });
  });

  test('pins, too', async () => {
    const one = world();
    await one.tick();
    await one.send({ headroom: 'web', exactly: '5%', for: '1h', by: 'ana', reason: 'test' });
    expect(one.reasons).toEqual([
      'Override by ana: exactly 5 % of the 40 replicas of shop/checkout = 2 pods until 2026-11-17T13:01Z (test)',
    ]);
  });

  test('that cannot be counted at once holds the size and is counted by the next heartbeat', async () => {
    const one = world();
    await one.tick();
    one.cluster.fault = (call) => (call === 'workload' ? new Error('timed out') : undefined);
    await one.send({ headroom: 'web', exactly: '100%', for: '1h', by: 'ana', reason: 'test' });
    expect([one.size, one.record.override?.of]).toEqual([1, undefined]);
    one.cluster.fault = () => undefined;
    await one.tick();
    expect(one.size).toBe(10);
  });

  test('is refused where the headroom is for no workload', async () => {
    const slices = new LikeWorld('  web: {unit: {slice: {cpu: 1}}, base: 4, max: 9}');
    await expect(slices.send({ headroom: 'web', atLeast: '50%', for: '1h', by: 'ana' })).resolves.toMatchObject({
      rejected: 'atLeast 50% is a share of a workload, and the unit of web names none; write a number',
    });
  });
});

describe('a share of an alarm', () => {
  const world = () => new LikeWorld(`  web: {${BASE}, alarms: [{alarmName: queue-deep, add: 20%, hold: 10m}]}`);
  const alarm = (state: string, at: number) => ({
    ...(loadEvent('alarm-state-change') as object),
    time: new Date(at).toISOString(),
    detail: {
      alarmName: 'queue-deep',
      state: { value: state, timestamp: new Date(at).toISOString() },
      previousState: { value: state === 'ALARM' ? 'OK' : 'ALARM' },
    },
  });

  test('is counted when it goes to ALARM, for as long as it adds something', async () => {
    const one = world();
    await one.tick();
    await one.send(alarm('ALARM', one.runtime.time));
    expect([one.size, one.reads()]).toEqual([3, 2]);
    expect(one.reasons.at(-1)).toBe(
      'alarm queue-deep: +20 % of the 40 replicas of shop/checkout = 8 pods while in ALARM',
    );
    one.runs(workload(400));
    await one.tick(5);
    await one.send(alarm('OK', one.runtime.time));
    expect([one.size, one.reads()]).toEqual([3, 3]);
    await one.tick(11);
    expect([one.size, one.record.alarms['queue-deep']?.of]).toEqual([1, undefined]);
    await one.send(alarm('ALARM', one.runtime.time));
    expect(one.size).toBe(21);
  });

  test('is of an alarm that the headroom names: another one reads no workload', async () => {
    const one = new LikeWorld(`  web: {${BASE}}`);
    await one.tick();
    await one.send(alarm('ALARM', one.runtime.time));
    expect(one.reads()).toBe(1);
  });
});

describe('a share of an announced peak', () => {
  test('is counted when it is requested', async () => {
    const one = new LikeWorld(
      `  web: {${BASE}, leadTime: 5m, events: [{name: sale, pattern: {source: [shop]}, from: $.detail.from, to: $.detail.to, desiredReplicas: 100%}]}`,
    );
    await one.tick();
    const [from, to] = [NOON + 60 * MINUTE, NOON + 120 * MINUTE].map((at) => new Date(at).toISOString());
    const ingestedAt = new Date(one.runtime.time).toISOString();
    const event = { source: 'shop', time: ingestedAt, detail: { from, to } };
    await handleAnnounced(
      { announced: { headroom: 'web', event: 'sale', cancel: false }, ingestedAt, event },
      one.runtime,
    );
    expect([one.size, one.reads()]).toEqual([1, 2]);
    one.runs(workload(60));
    await one.tick(55);
    expect([one.size, one.reasons]).toEqual([
      15,
      [expect.stringMatching(/^sale: 100 % of the 60 replicas of shop\/checkout = 60 pods from 2026-11-17T13:00Z/)],
    ]);
  });
});

test('an interruption reads no workload', async () => {
  const one = new LikeWorld(`  web: {${BASE}, interruptions: {surge: 4, max: 20}}`);
  await one.tick();
  const notice = loadEvent('spot-interruption') as { readonly detail: Readonly<Record<string, string>> };
  one.cluster.nodeClaims = [{ instanceId: notice.detail['instance-id'] ?? '', nodePool: 'web' }];
  await one.send({ ...notice, time: new Date(one.runtime.time).toISOString() });
  expect([one.size, one.reads(), one.reasons.at(-1)]).toEqual([2, 1, expect.stringContaining('+4 pods until')]);
});
