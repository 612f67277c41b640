import { handle } from '../../../shared/core/handle';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { reconcile } from '../../../shared/core/process-event';
import { configOf, FakeRuntime } from '../../fakes/fake-runtime';

const NIGHT = Date.parse('2026-11-16T12:00:00Z');
const config = configOf('  web: {max: 20, base: 2}\n');

const broken = async (record: string, replicas?: number) => {
  const service = new FakeRuntime(config, NIGHT);
  await handle({ headroom: 'web', atLeast: 12, for: '1h' }, service);
  service.cluster.edit('web', (current) => ({
    replicas: replicas ?? current.replicas,
    annotations: { ...current.annotations, [ANNOTATIONS.record]: record },
  }));
  return service;
};
const later = NIGHT + 2 * 3_600_000;

describe('while part of the record cannot be read', () => {
  test('the last decided size is held, counted as an error and told by status and next', async () => {
    const service = await broken('{oops');
    await reconcile(service, later, []);
    expect(service.cluster.headroom('web')?.replicas).toBe(12);
    expect(service.counted.unreadableRecords).toBe(1);
    service.time = later;
    await expect(handle({ status: true }, service)).resolves.toMatchObject({
      status: [{ wanted: 12, held: 12, unreadable: '{oops' }],
    });
  });

  test('the size of an override is held after it, so that its answer names no next change', async () => {
    const service = await broken('{oops');
    const response = await handle({ headroom: 'web', atLeast: 15, for: '30m' }, service);
    expect(response).toEqual({
      at: expect.any(String),
      decisions: [expect.not.objectContaining({ next: expect.anything() })],
    });
    await reconcile(service, NIGHT + 40 * 60_000, []);
    expect(service.cluster.headroom('web')?.replicas).toBe(15);
  });
});
