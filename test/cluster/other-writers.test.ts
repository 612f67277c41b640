import { installOnePool, type OnePool } from './functions/one-pool';
import { describeCluster } from './harness/shared-cluster';

const WRITER = 'argocd-controller';
const IMAGE = { spec: { template: { spec: { containers: [{ name: 'pause', image: 'pause:from-git' }] } } } };

describeCluster('a GitOps tool that reverts what Headstart writes', () => {
  let one: OnePool;

  beforeEach(async () => {
    one = await installOnePool('fought', { base: 3, max: 5 });
    await one.tick(0);
  });

  afterEach(() => one?.headstart.remove());

  test.each([
    { name: 'the image', patch: IMAGE, field: 'spec.template.spec.containers[0].image' },
    { name: 'the size', patch: { spec: { replicas: 1 } }, field: 'spec.replicas' },
  ])(
    '$name: Headstart restores it five times, reports it once with its writer, and still resizes at once',
    async ({ patch, field }) => {
      const written: number[] = [];
      for (let at = 1; at <= 9; at += 1) {
        await one.edit(WRITER, patch, { type: 'strategic-merge' });
        if ((await one.tick(at))?.change !== 'none') written.push(at);
      }
      expect(written).toEqual([1, 2, 3, 4, 5]);
      const reported = one.headstart.linesOf('reconcile').filter(({ message }) => message === 'field contested');
      expect(reported).toEqual([expect.objectContaining({ level: 'error', headroom: 'fought', field, by: WRITER })]);
      await one.pin(5, 9.5);
      expect(await one.size()).toBe(5);
    },
  );
});
