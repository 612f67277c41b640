import { handle } from '../../../../shared/core/handle';
import { loadEvent } from '../../../events/load-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { made, NOON, size } from './service';

describe('two stacks on one namespace', () => {
  class OtherService extends FakeRuntime {
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
});
