import { loadEvent } from '../../../events/load-event';
import { handleInterruptions, INSTANCE, made, message, OTHER, record, size } from './service';

describe('interruptions', () => {
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

  test.each([0, 8])('a notice for a full record that adds nothing writes nothing (node %d)', async (index) => {
    const service = made();
    const id = (one: number) => `i-0a1b2c3d4e5f6000${one}`;
    const notice = (one: number) => message(loadEvent('spot-interruption', {}, { 'instance-id': id(one) }), `m${one}`);
    const stored = [3, 4, 5, 6];
    service.cluster.nodeClaims = [...stored, index].map((one) => ({
      instanceId: id(one),
      nodePool: 'service',
      deleting: false,
    }));
    await handleInterruptions(stored.map(notice), service);
    service.cluster.calls.length = 0;
    await handleInterruptions([notice(index)], service);
    expect([service.cluster.writes, Object.keys(record(service).surges)]).toEqual([0, stored.map(id)]);
  });

  test('a thousand notices of one NodePool, in one batch, are one write', async () => {
    const service = made();
    const ids = Array.from({ length: 1_000 }, (_, index) => `i-${String(index).padStart(17, '0')}`);
    service.cluster.nodeClaims = ids.map((instanceId) => ({ instanceId, nodePool: 'service', deleting: false }));
    const notices = ids.map((one) => message(loadEvent('spot-interruption', {}, { 'instance-id': one }), one));
    const { batchItemFailures } = await handleInterruptions(notices, service);
    expect([batchItemFailures, service.cluster.writes, size(service)]).toEqual([[], 2, 10]);
  });

  test('a batch with nothing of ours reads one list and stops', async () => {
    const service = made();
    const foreign = loadEvent('spot-interruption', {}, { 'instance-id': 'i-0ffffffffffffffff' });
    const answer = await handleInterruptions([message(foreign), message(foreign, 'm2')], service);
    expect([answer.batchItemFailures, service.counted]).toEqual([[], { foreignEvents: 2 }]);
    expect(service.cluster.calls).toEqual(['nodeClaims']);
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
});
