import type { QueueMessage } from '../../../shared/core/events/deliveries';
import { handle } from '../../../shared/core/handle';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { readRecord } from '../../../shared/core/record/record-codec';
import type { BatchResponse } from '../../../shared/core/respond';
import { loadEvent } from '../../events/load-event';
import { configOf, FakeService } from '../../fakes/fake-service';

const NOON = Date.parse('2026-11-16T03:00:00Z');
const NIGHT = Date.parse('2026-11-16T12:00:00Z');
const INSTANCE = 'i-0a1b2c3d4e5f60001';
const OTHER = 'i-0a1b2c3d4e5f60002';

const config = configOf(`
  service:
    max: 12
    leadTime: 5m
    schedules: [{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6}]
    alarms: [{alarmName: p95-high, add: 3, hold: 10m}, {alarmName: checkout-unhappy, add: 1}]
    interruptions: {surge: 1, max: 4, hold: 10m, on: [spot, rebalance, capacityReservation, health, stateChange]}
  batch:
    max: 5
    base: 1
    interruptions: {surge: 2, max: 4}
`);

function made(time = NOON): FakeService {
  const service = new FakeService(config, time);
  service.cluster.nodeClaims = [
    { instanceId: INSTANCE, nodePool: 'service', deleting: false },
    { instanceId: OTHER, nodePool: 'batch', deleting: false },
  ];
  return service;
}

const size = (service: FakeService, pool = 'service') => service.cluster.headroom(pool)?.replicas;
const record = (service: FakeService, pool = 'service') =>
  readRecord(service.cluster.headroom(pool)?.annotations[ANNOTATIONS.record]).record;
const handleInterruptions = async (Records: readonly QueueMessage[], service: FakeService) =>
  (await handle({ Records }, { ...service, ports: service.ports, accepts: 'interruption' })) as BatchResponse;
const message = (event: unknown, messageId = 'm1') => ({ messageId, body: JSON.stringify(event) });

describe('window edges, heartbeat and deploy', () => {
  test.each(['window-edge', 'heartbeat', 'deploy'])('%s brings every NodePool to its size', async (name) => {
    const service = made();
    await handle(loadEvent(name), service);
    expect([size(service), size(service, 'batch')]).toEqual([6, 1]);
  });

  test('an edge that fires a moment before its time by this clock still counts', async () => {
    const service = made(Date.parse('2026-11-16T02:24:40Z'));
    await handle(loadEvent('window-edge'), service);
    expect(size(service)).toBe(6);
  });

  test('a time far ahead does not move the day', async () => {
    const service = made(Date.parse('2026-11-16T00:00:00Z'));
    await handle(loadEvent('window-edge'), service);
    expect(size(service)).toBe(0);
  });

  test('a second run writes nothing, and reads with two lists', async () => {
    const service = made();
    await handle(loadEvent('heartbeat'), service);
    service.cluster.calls.length = 0;
    service.time += 60_000;
    await handle(loadEvent('heartbeat'), service);
    expect(service.cluster.calls.sort()).toEqual(['list', 'nodePools']);
  });

  test('closing a window records no surge although its nodes go', async () => {
    const service = made();
    await handle(loadEvent('heartbeat'), service);
    service.time = NIGHT;
    await handle(loadEvent('heartbeat', { time: '2026-11-16T12:00:00Z' }), service);
    service.cluster.nodeClaims = [{ instanceId: INSTANCE, nodePool: 'service', deleting: true }];
    await handleInterruptions([message(loadEvent('instance-state-change', { time: '2026-11-16T12:00:30Z' }))], service);
    expect([size(service), record(service).surges]).toEqual([0, {}]);
  });

  test('a NodePool that left the config loses its headroom by the deploy, and by nothing else', async () => {
    const service = made();
    await handle(loadEvent('heartbeat'), service);
    const smaller = new FakeService(configOf('  batch: {max: 5, base: 1}\n'), NOON);
    Object.assign(smaller, { cluster: service.cluster });
    await expect(handle(loadEvent('heartbeat'), smaller)).resolves.toMatchObject({ leftovers: ['headroom-service'] });
    expect(size(service)).toBe(6);
    await expect(handle(loadEvent('deploy'), smaller)).resolves.toMatchObject({ removed: ['headroom-service'] });
    expect([size(service), size(service, 'batch')]).toEqual([undefined, 1]);
  });

  test('during a deploy a function with the old config does not delete a new pool with the override in it', async () => {
    const service = made();
    await handle({ nodePool: 'service', atLeast: 10, for: '1h' }, service);
    const old = new FakeService(configOf('  batch: {max: 5, base: 1}\n'), NOON);
    Object.assign(old, { cluster: service.cluster });
    await handle(loadEvent('window-edge'), old);
    await handle({ nodePool: 'batch', atLeast: 2, for: '1h' }, old);
    expect([size(service), record(service).override?.replicas]).toEqual([10, 10]);
  });
});

describe('two stacks on one namespace', () => {
  class OtherService extends FakeService {
    override readonly owner = '123456789012/ap-northeast-2/demo/headroom/other';
  }
  const pair = () => {
    const service = made();
    const other = new OtherService(configOf('  service: {max: 3, base: 3}\n  alone: {max: 2, base: 2}\n'), NOON);
    Object.assign(other, { cluster: service.cluster });
    return { service, other };
  };

  test('never write or delete what the other one owns, and say whose it is', async () => {
    const { service, other } = pair();
    await handle(loadEvent('deploy'), service);
    await expect(handle(loadEvent('deploy'), other)).rejects.toThrow(
      'Deployment headroom-service belongs to 123456789012/ap-northeast-2/demo/headroom/headstart-demo, and this is 123456789012/ap-northeast-2/demo/headroom/other; give one of the two another cluster.namespace',
    );
    await handle(loadEvent('deploy'), service);
    expect([size(service), size(service, 'batch'), size(service, 'alone')]).toEqual([6, 1, 2]);
    expect(other.counted.errors).toBe(1);
  });

  test('status says that the headroom is of another owner', async () => {
    const { service, other } = pair();
    await handle(loadEvent('deploy'), service);
    await expect(handle({ status: true }, other)).resolves.toMatchObject({
      status: [
        { nodePool: 'service', foreignOwner: service.owner },
        { nodePool: 'alone', missing: true },
      ],
    });
  });
});

describe('alarms', () => {
  test('a boost comes with ALARM and goes after the hold', async () => {
    const service = made();
    await handle(loadEvent('alarm-state-change'), service);
    expect(size(service)).toBe(9);
    service.alarmStates.set('p95-high', { state: 'OK', at: Date.parse('2026-11-16T03:20:00Z') });
    service.time = Date.parse('2026-11-16T03:20:02Z');
    await handle(loadEvent('alarm-metric-ok'), service);
    expect(size(service)).toBe(9);
    service.time = Date.parse('2026-11-16T03:30:00Z');
    await handle(loadEvent('heartbeat', { time: '2026-11-16T03:30:00Z' }), service);
    expect(size(service)).toBe(6);
  });

  test('composite alarms and direct actions count in the same way', async () => {
    const service = made();
    await handle(loadEvent('alarm-composite-alarm'), service);
    await handle(loadEvent('alarm-direct-action'), service);
    expect(size(service)).toBe(10);
  });

  test('an alarm of nobody here changes nothing and is counted', async () => {
    const service = made();
    await handle(loadEvent('alarm-state-change', {}, { alarmName: 'billing' }), service);
    expect([size(service), service.counted]).toEqual([6, { foreignEvents: 1 }]);
  });

  test('a lost event is made up for by asking CloudWatch', async () => {
    const service = made();
    service.alarmStates.set('p95-high', { state: 'ALARM', at: NOON - 1_000 });
    await handle(loadEvent('heartbeat'), service);
    expect(size(service)).toBe(9);
  });

  test("CloudWatch's own reading counts over an event that lies in the future", async () => {
    const service = made();
    service.alarmStates.set('p95-high', { state: 'OK', at: NOON - 60_000 });
    const state = { value: 'ALARM', timestamp: '2031-01-01T00:00:00Z' };
    await handle(loadEvent('alarm-state-change', {}, { state }), service);
    expect([size(service), record(service).alarms['p95-high']?.state]).toEqual([6, 'OK']);
  });

  test('an alarm that was deleted while in ALARM counts as OK from now on', async () => {
    const service = made();
    await handle(loadEvent('alarm-state-change'), service);
    service.time = NOON + 60_000;
    await handle(loadEvent('heartbeat', { time: '2026-11-16T03:01:00Z' }), service);
    expect(record(service).alarms['p95-high']).toMatchObject({ state: 'OK', ended: expect.any(Number) });
    service.time = NOON + 12 * 60_000;
    await handle(loadEvent('heartbeat', { time: '2026-11-16T03:12:00Z' }), service);
    expect(size(service)).toBe(6);
  });
});

describe('interruptions', () => {
  test.each([
    { name: 'spot-interruption', replicas: 7 },
    { name: 'rebalance-recommendation', replicas: 7 },
    { name: 'capacity-reservation', replicas: 7 },
    { name: 'health-scheduled-change', replicas: 7 },
    { name: 'instance-state-change', replicas: 7 },
    { name: 'state-change-running', replicas: undefined },
    { name: 'health-issue', replicas: undefined },
    { name: 'unknown', replicas: undefined },
  ])('$name makes service $replicas', async ({ name, replicas }) => {
    const service = made();
    await handleInterruptions([message(loadEvent(name))], service);
    expect(size(service)).toBe(replicas);
  });

  test('one instance counts once, however often and for whatever reason it is announced', async () => {
    const service = made();
    const events = ['rebalance-recommendation', 'spot-interruption', 'spot-interruption', 'instance-state-change'];
    await handleInterruptions(
      events.map((name, i) => message(loadEvent(name), `m${i}`)),
      service,
    );
    await handleInterruptions([message(loadEvent('spot-interruption'))], service);
    expect([size(service), Object.keys(record(service).surges)]).toEqual([7, [INSTANCE]]);
  });

  test('a state change does not count while Karpenter itself deletes the NodeClaim', async () => {
    const service = made();
    await handle(loadEvent('heartbeat'), service);
    service.cluster.nodeClaims = [{ instanceId: INSTANCE, nodePool: 'service', deleting: true }];
    await handleInterruptions([message(loadEvent('instance-state-change'))], service);
    expect([size(service), record(service).surges]).toEqual([6, {}]);
  });

  test('instances of other clusters are dropped and counted', async () => {
    const service = made();
    const foreign = loadEvent('spot-interruption', {}, { 'instance-id': 'i-0ffffffffffffffff' });
    await expect(handleInterruptions([message(foreign)], service)).resolves.toMatchObject({ batchItemFailures: [] });
    expect(service.counted).toEqual({ foreignEvents: 1 });
  });

  test('a batch with nothing of ours reads one list and stops', async () => {
    const service = made();
    const foreign = loadEvent('spot-interruption', {}, { 'instance-id': 'i-0ffffffffffffffff' });
    await handleInterruptions([message(foreign), message(foreign, 'm2')], service);
    expect(service.cluster.calls).toEqual(['nodeClaims']);
  });

  test("a spot twin's nodes count for its NodePool", async () => {
    const twinned = configOf('  service: {max: 5, interruptions: {}, pool: {role: nodes, spotTwin: true}}\n');
    const service = new FakeService(twinned, NOON);
    service.cluster.nodeClaims = [{ instanceId: INSTANCE, nodePool: 'service-spot', deleting: false }];
    await handleInterruptions([message(loadEvent('spot-interruption'))], service);
    expect(size(service)).toBe(1);
  });

  test('a spot twin that has headroom of its own gets its surges itself', async () => {
    const twinned = configOf(
      '  service: {max: 5, interruptions: {}, pool: {role: nodes, spotTwin: true}}\n  service-spot: {max: 4, interruptions: {}}\n',
    );
    const service = new FakeService(twinned, NOON);
    service.cluster.nodeClaims = [{ instanceId: INSTANCE, nodePool: 'service-spot', deleting: false }];
    await handleInterruptions([message(loadEvent('spot-interruption'))], service);
    expect([size(service), size(service, 'service-spot')]).toEqual([0, 1]);
  });

  test('a notice dated far ahead counts as of now', async () => {
    const service = made();
    await handleInterruptions([message(loadEvent('spot-interruption', { time: '+275760-09-12T00:00:00Z' }))], service);
    expect(record(service).surges[INSTANCE]?.until).toBe(NOON + 10 * 60_000);
  });

  test('a health event with one bad entity keeps the others', async () => {
    const service = made();
    const affectedEntities = [{ entityValue: 7 }, null, { entityValue: INSTANCE }];
    await handleInterruptions([message(loadEvent('health-scheduled-change', {}, { affectedEntities }))], service);
    expect(size(service)).toBe(7);
  });

  test('a kind that the NodePool does not ask for is ignored', async () => {
    const service = made();
    await handle(loadEvent('heartbeat'), service);
    const stateChange = loadEvent('instance-state-change', {}, { 'instance-id': OTHER });
    await handleInterruptions([message(stateChange)], service);
    expect([size(service, 'batch'), record(service, 'batch').surges]).toEqual([1, {}]);
  });

  test('a malformed message is reported and dropped, the others of its batch count', async () => {
    const service = made();
    const answer = await handleInterruptions(
      [
        message(loadEvent('spot-malformed'), 'bad'),
        { messageId: 'text', body: 'not json' },
        message(loadEvent('spot-interruption'), 'good'),
      ],
      service,
    );
    expect(answer.batchItemFailures).toEqual([]);
    expect([size(service), service.counted]).toEqual([7, { rejectedEvents: 2 }]);
  });

  test('only messages of the NodePool that failed come again', async () => {
    const service = made();
    service.cluster.fault = (call, name) =>
      call === 'create' && name === 'headroom-batch' ? new Error('503 slow down') : undefined;
    const forBatch = loadEvent('spot-interruption', {}, { 'instance-id': OTHER });
    const answer = await handleInterruptions(
      [message(loadEvent('spot-interruption'), 'service'), message(forBatch, 'batch')],
      service,
    );
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'batch' }]);
    service.cluster.fault = () => undefined;
    await handleInterruptions([message(forBatch, 'batch')], service);
    expect([size(service), size(service, 'batch')]).toEqual([7, 3]);
  });

  test('all come again when the NodeClaims cannot be read', async () => {
    const service = made();
    service.cluster.fault = (call) => (call === 'nodeClaims' ? new Error('connection refused') : undefined);
    const answer = await handleInterruptions([message(loadEvent('spot-interruption'), 'a')], service);
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'a' }]);
  });
});

describe('orders', () => {
  test('inflate answers with the decision, its reasons and what it replaced', async () => {
    const service = made(NIGHT);
    await handle({ nodePool: 'service', atLeast: 4, for: '30m', by: 'ana', reason: 'test' }, service);
    service.time += 60_000;
    const answer = await handle(
      { nodePool: 'service', atLeast: 8, for: '1h', by: 'bo', reason: 'flash sale' },
      service,
    );
    expect(answer).toMatchObject({
      decisions: [
        {
          nodePool: 'service',
          replicas: 8,
          from: 4,
          reasons: ['inflated to at least 8 by bo until 2026-11-16T13:01Z: flash sale'],
          replaced: { by: 'ana', replicas: 4, until: '2026-11-16T12:30:00.000Z' },
          next: { at: '2026-11-16T13:01:00.000Z', replicas: 0 },
        },
      ],
    });
  });

  test('an override ends by itself', async () => {
    const service = made(NIGHT);
    await handle({ nodePool: 'service', exactly: 2, for: '30m' }, service);
    service.time += 30 * 60_000;
    await handle(loadEvent('heartbeat', { time: '2026-11-16T12:30:00Z' }), service);
    expect([size(service), record(service).override]).toEqual([0, undefined]);
  });

  test('release takes the override away', async () => {
    const service = made();
    await handle({ nodePool: 'service', atLeast: 10, for: '1h' }, service);
    await expect(handle({ nodePool: 'service', release: true }, service)).resolves.toMatchObject({
      decisions: [{ replicas: 6, replaced: { replicas: 10 } }],
    });
  });

  test('who released, when and why is in the record', async () => {
    const service = made();
    await handle({ nodePool: 'service', atLeast: 10, for: '1h' }, service);
    service.time += 1_000;
    await handle({ nodePool: 'service', release: true, by: 'bo', reason: 'sale is over' }, service);
    expect(record(service).released).toEqual({ at: NOON + 1_000, by: 'bo', reason: 'sale is over' });
  });

  test('the loser of a race is told what stands instead', async () => {
    const service = made();
    await handle({ nodePool: 'service', atLeast: 9, for: '1h', by: 'ana' }, service);
    const late = { nodePool: 'service', atLeast: 12, for: '1h', by: 'bo', at: '2026-11-16T02:59:59Z' };
    const response = await handle(late, service);
    expect(response).toMatchObject({ decisions: [{ replicas: 9, supersededBy: { by: 'ana', replicas: 9 } }] });
    expect(JSON.stringify(response)).not.toContain('replaced');
  });

  test('an order that is given twice with its own time counts once', async () => {
    const service = made();
    const order = { nodePool: 'service', atLeast: 9, for: '30m', at: '2026-11-16T03:00:00Z' };
    await handle(order, service);
    service.time += 60_000;
    const again = await handle(order, service);
    expect(record(service).override?.until).toBe(NOON + 30 * 60_000);
    expect(JSON.stringify(again)).not.toMatch(/replaced|superseded/);
  });

  test('an order with 300,000 keys gets a short response and a short log line', async () => {
    const service = made();
    const order = Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`key-${i}`, i]));
    const response = await handle(order, service);
    expect(JSON.stringify(response).length).toBeLessThan(600);
    expect(JSON.stringify(service.logged).length).toBeLessThan(1_500);
  });

  test('status looks and changes nothing', async () => {
    const service = made();
    const answer = await handle({ status: true }, service);
    expect(answer).toMatchObject({
      status: [
        {
          nodePool: 'service',
          wanted: 6,
          replicas: 0,
          shortfall: 6,
          missing: true,
          next: { at: '2026-11-16T04:30:00.000Z', replicas: 0 },
        },
        { nodePool: 'batch', wanted: 1 },
      ],
    });
    expect(service.cluster.writes).toBe(0);
  });

  test('wrong input answers with what to write', async () => {
    const service = made();
    await expect(handle({ nodePool: 'service', atLeast: 99, for: '1h' }, service)).resolves.toEqual({
      rejected: expect.stringContaining('write at most 12'),
      example: expect.objectContaining({ atLeast: 6 }),
    });
    expect(service.counted).toEqual({ rejectedEvents: 1 });
  });

  test("another NodePool's trouble is told beside the order, which took effect", async () => {
    const service = made();
    service.cluster.fault = (call, name) =>
      call === 'create' && name === 'headroom-batch' ? new Error('503') : undefined;
    await expect(handle({ nodePool: 'service', atLeast: 10, for: '1h' }, service)).resolves.toMatchObject({
      decisions: [{ replicas: 10 }],
      alsoFailed: 'NodePool batch: 503',
    });
  });
});

describe('permanent errors', () => {
  test.each(['spot-malformed', 'alarm-malformed'])('%s is reported, counted and dropped', async (name) => {
    const service = made();
    await expect(handle(loadEvent(name), service)).resolves.toHaveProperty('rejected');
    expect(service.counted).toEqual({ rejectedEvents: 1 });
    expect(service.logged).toMatchObject([{ level: 'error', message: 'event rejected' }]);
  });
});
