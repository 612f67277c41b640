import { handle } from '../../../../shared/core/handle';
import { reconcile } from '../../../../shared/core/process-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const ORDER = { headroom: 'web', exactly: 4, for: '10m', by: 'ana' };

async function serviceWhoseHeadroomIsBeingDeleted(): Promise<FakeRuntime> {
  const service = new FakeRuntime(configOf('  web: {max: 5, base: 2}\n  batch: {max: 5, base: 1}\n'), NOW);
  await reconcile(service, NOW, []);
  service.cluster.edit('web', () => ({ deleting: true }));
  return service;
}

test('an override for headroom that is being deleted fails instead of being lost with it', async () => {
  const service = await serviceWhoseHeadroomIsBeingDeleted();
  await expect(handle(ORDER, service)).rejects.toThrow('headroom web: Deployment headroom-web is being deleted');
  expect(service.cluster.headroom('web')?.replicas).toBe(2);

  service.cluster.remove('web');
  await handle(ORDER, service);
  expect(service.cluster.headroom('web')?.replicas).toBe(4);
});
