import { handle } from '../../../../shared/core/handle';
import { loadEvent } from '../../../events/load-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { handleInterruptions, INSTANCE, made, message, NOON, OTHER, record, size, tickNow } from './service';

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

  test('every notice of a batch counts', async () => {
    const service = made();
    const ids = ['i-0a1b2c3d4e5f60003', OTHER, INSTANCE];
    service.cluster.nodeClaims = ids.map((instanceId) => ({ instanceId, nodePool: 'service', deleting: false }));
    const notices = ids.map((id, index) =>
      message(loadEvent('spot-interruption', {}, { 'instance-id': id }), `m${index}`),
    );
    await handleInterruptions(notices, service);
    expect(Object.keys(record(service).surges).sort()).toEqual([...ids].sort());
  });

  describe('a notice for a full record', () => {
    const id = (index: number) => `i-0a1b2c3d4e5f6000${index}`;
    const notice = (index: number, time: string) =>
      message(loadEvent('spot-interruption', { time }, { 'instance-id': id(index) }), `m${index}`);
    const AT = '2026-11-16T03:00:00Z';

    async function full() {
      const service = made();
      service.cluster.nodeClaims = Array.from({ length: 9 }, (_, index) => ({
        instanceId: id(index),
        nodePool: 'service',
        deleting: false,
      }));
      await handleInterruptions(
        [3, 4, 5, 6].map((index) => notice(index, AT)),
        service,
      );
      service.cluster.calls.length = 0;
      return service;
    }

    test.each([0, 8])('that adds nothing writes nothing (node %d)', async (index) => {
      const service = await full();
      await handleInterruptions([notice(index, AT)], service);
      expect([service.cluster.writes, Object.keys(record(service).surges)]).toEqual([0, [3, 4, 5, 6].map(id)]);
    });

    test('that lasts longer takes the place of one that ends before', async () => {
      const service = await full();
      await handleInterruptions([notice(8, '2026-11-16T03:00:01Z')], service);
      expect([service.cluster.writes, Object.keys(record(service).surges)]).toEqual([1, [3, 4, 5, 8].map(id)]);
    });
  });

  test('a thousand notices of one NodePool, in one batch, are one write', async () => {
    const service = made();
    const ids = Array.from({ length: 1_000 }, (_, index) => `i-${String(index).padStart(17, '0')}`);
    service.cluster.nodeClaims = ids.map((instanceId) => ({ instanceId, nodePool: 'service', deleting: false }));
    const notices = ids.map((one) => message(loadEvent('spot-interruption', {}, { 'instance-id': one }), one));
    const { batchItemFailures } = await handleInterruptions(notices, service);
    expect([batchItemFailures, service.cluster.writes, size(service)]).toEqual([[], 2, 10]);
  });

  test('a state change does not count while Karpenter itself deletes the NodeClaim', async () => {
    const service = made();
    await handle(tickNow('heartbeat', service), service);
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
    const service = new FakeRuntime(twinned, NOON);
    service.cluster.nodeClaims = [{ instanceId: INSTANCE, nodePool: 'service-spot', deleting: false }];
    await handleInterruptions([message(loadEvent('spot-interruption'))], service);
    expect(size(service)).toBe(1);
  });

  test('a spot twin that has headroom of its own gets its surges itself', async () => {
    const twinned = configOf(
      '  service: {max: 5, interruptions: {}, pool: {role: nodes, spotTwin: true}}\n  service-spot: {max: 4, interruptions: {}}\n',
    );
    const service = new FakeRuntime(twinned, NOON);
    service.cluster.nodeClaims = [{ instanceId: INSTANCE, nodePool: 'service-spot', deleting: false }];
    await handleInterruptions([message(loadEvent('spot-interruption'))], service);
    expect([size(service), size(service, 'service-spot')]).toEqual([0, 1]);
  });

  test('a notice dated far ahead counts as of now', async () => {
    const service = made();
    await handleInterruptions([message(loadEvent('spot-interruption', { time: '9999-12-31T23:59:59Z' }))], service);
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
    await handle(tickNow('heartbeat', service), service);
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
