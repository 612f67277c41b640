import { startCloudWatch } from './functions/cloudwatch';
import { alarmChange } from './functions/events';
import { installOnePool, type OnePool } from './functions/one-pool';
import { describeCluster } from './harness/shared-cluster';

const WRITER = 'argocd-controller';
const IMAGE = { spec: { template: { spec: { containers: [{ name: 'pause', image: 'pause:from-git' }] } } } };
const SIZE = { spec: { replicas: 1 } };

describeCluster('a GitOps tool that reverts what Headstart writes', () => {
  let one: OnePool;

  const revert = (patch: object) => one.edit(WRITER, patch, { type: 'strategic-merge' });
  /** Lets both write every minute; gives the minutes at which Headstart did. */
  async function fight(patch: object, minutes: number): Promise<number[]> {
    const written: number[] = [];
    for (let at = 1; at <= minutes; at += 1) {
      await revert(patch);
      if ((await one.tick(at))?.change !== 'none') written.push(at);
    }
    return written;
  }
  const reported = () => one.headstart.linesOf('reconcile').filter(({ message }) => message === 'field contested');

  beforeEach(async () => {
    one = await installOnePool('fought', { base: 3, max: 5 });
    await one.tick(0);
  });

  afterEach(() => one?.headstart.remove());

  test.each([
    { name: 'the image', patch: IMAGE, field: 'spec.template.spec.containers[0].image' },
    { name: 'the size', patch: SIZE, field: 'spec.replicas' },
  ])(
    '$name: it is fought a few times, reported once by its name, and tried again every ten minutes',
    async ({ patch, field }) => {
      const written = await fight(patch, 35);
      expect(written.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
      // A heartbeat may come a moment before ten minutes are over; then it is the next one.
      const later = written.slice(4);
      expect(later.length).toBeGreaterThanOrEqual(3);
      for (const [index, at] of later.slice(1).entries()) expect([10, 11]).toContain(at - (later[index] ?? 0));
      expect(reported()).toEqual([expect.objectContaining({ level: 'error', headroom: 'fought', field, by: WRITER })]);
    },
  );

  test('a size that the decision changes is written at once, in the middle of the fight', async () => {
    await fight(IMAGE, 12);
    await revert(IMAGE);
    await one.pin(5, 12.5);
    expect(await one.size()).toBe(5);
  });

  test('when the other writer gives way, the next try settles it', async () => {
    await fight(IMAGE, 12);
    for (let at = 13; at <= 25; at += 1) await one.tick(at);
    const { spec } = await one.headroom();
    expect(spec.template.spec.containers).toMatchObject([{ image: 'registry.k8s.io/pause:3.10' }]);
    expect(await one.tick(26)).toMatchObject({ change: 'none' });
  });
});

describeCluster('a GitOps tool that caps the size every minute, beside an alarm that changes every four', () => {
  test('the fight is remembered: reported once, counted every minute, and not fought every minute', async () => {
    const cloudwatch = await startCloudWatch();
    const alarms = [{ alarmName: 'busy', add: 2, hold: '1m' }];
    const one = await installOnePool('capped', { base: 3, max: 9, alarms }, { cloudwatch: cloudwatch.url });
    try {
      await one.tick(0);
      const written: number[] = [];
      for (let at = 1; at < 60; at += 1) {
        await one.edit(WRITER, SIZE, { type: 'strategic-merge' });
        const before = (await one.headroom()).metadata.generation;
        if (at % 4 === 0) {
          const [state, previous] = at % 8 === 4 ? (['ALARM', 'OK'] as const) : (['OK', 'ALARM'] as const);
          cloudwatch.setAlarm('busy', state, one.minute(at));
          await one.headstart.invoke('alarm', alarmChange('busy', state, previous, one.minute(at)), one.minute(at));
          // What the alarm asks for is there at once, whoever fights over the size.
          if (state === 'ALARM') expect(await one.size()).toBe(5);
        }
        await one.tick(at);
        if ((await one.headroom()).metadata.generation > before) written.push(at);
      }
      expect(written.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
      expect(written.length).toBeLessThan(35);
      const lines = [...one.headstart.linesOf('reconcile'), ...one.headstart.linesOf('alarm')];
      expect(lines.filter(({ message }) => message === 'field contested')).toEqual([
        expect.objectContaining({ level: 'error', headroom: 'capped', field: 'spec.replicas', by: WRITER }),
      ]);
      expect(lines.filter(({ ContestedFields }) => ContestedFields === 1).length).toBeGreaterThan(50);
    } finally {
      await one.headstart.remove();
      await cloudwatch.close();
    }
  });
});

describeCluster('an image that another writer keeps setting back', () => {
  test('does not hide a size that somebody sets to 0', async () => {
    const one = await installOnePool('relabelled', { base: 3, max: 5 });
    try {
      await one.tick(0);
      for (let at = 1; at <= 8; at += 1) {
        await one.edit(WRITER, IMAGE, { type: 'strategic-merge' });
        await one.tick(at);
      }
      await one.edit('kubectl', { spec: { replicas: 0 } }, { subresource: 'scale' });
      await one.tick(9);
      expect(await one.size()).toBe(3);
    } finally {
      await one.headstart.remove();
    }
  });
});
