import { DEPLOYMENTS } from '../../../simulator/kube/kinds';
import { resultOf } from '../../../simulator/run/headless';
import { FULL, HOUR, MINUTE, SIMPLE, sessionOf } from './sessions';

jest.setTimeout(120_000);

test('in the lunch peak pods wait a moment with headroom and for a whole node without', async () => {
  const session = await sessionOf({ config: SIMPLE, scenario: 'lunch' });
  await session.runUntil(session.startedAt + 3 * HOUR);
  const { waiting } = resultOf(session, { seed: 1, nodeDelaySeconds: 50 });
  expect(waiting.with.pods).toBeGreaterThanOrEqual(6);
  expect(waiting.with.medianMs).toBeLessThanOrEqual(1_000);
  expect(waiting.without.medianMs).toBeGreaterThanOrEqual(50_000);
});

test('the headroom is ready before the window opens and gone after it has closed', async () => {
  const session = await sessionOf({ config: SIMPLE, scenario: 'lunch' });
  const [pool] = session.histories.views(session.now, () => false);
  expect(pool).toMatchObject({ wanted: 0, ready: 0, next: { replicas: 6 } });
  const opens = (pool?.next?.at ?? 0) + 5 * MINUTE;
  await session.runUntil(opens - 1);
  expect(session.histories.views(session.now, () => false)[0]).toMatchObject({ wanted: 6, ready: 6 });
  await session.runUntil(opens + 2 * HOUR + 5 * MINUTE);
  expect(session.histories.views(session.now, () => false)[0]).toMatchObject({ wanted: 0, ready: 0 });
});

test.each([{ scenario: 'lunch' }, { scenario: 'market' }, { scenario: 'storm' }, { scenario: 'flash' }])(
  'two runs of $scenario with the same seed are the same, and another seed differs',
  async ({ scenario }) => {
    const run = async (seed: number) => {
      const session = await sessionOf({ config: FULL, scenario, seed });
      await session.runUntil(session.startedAt + HOUR);
      return JSON.stringify(resultOf(session, { seed: 0, nodeDelaySeconds: 50 }));
    };
    const first = await run(1);
    expect(await run(1)).toBe(first);
    expect(await run(2)).not.toBe(first);
  },
);

test('a run is the same however its time is cut', async () => {
  const whole = await sessionOf({ config: FULL, scenario: 'storm' });
  await whole.runUntil(whole.startedAt + HOUR);
  const cut = await sessionOf({ config: FULL, scenario: 'storm' });
  for (let at = cut.startedAt; at < cut.startedAt + HOUR; at += 7_777) await cut.runUntil(at);
  await cut.runUntil(cut.startedAt + HOUR);
  const options = { seed: 1, nodeDelaySeconds: 50 };
  expect(resultOf(cut, options)).toEqual(resultOf(whole, options));
});

test('a spot node that is taken adds a surge, and its pods land on headroom at once', async () => {
  const session = await sessionOf({ config: FULL, scenario: 'lunch' });
  await session.runUntil(session.startedAt + 30 * MINUTE);
  const before = session.host.decisions.all.length;
  const [node] = session.world.spotNodes('service');
  if (!node) throw new Error('no spot node in service');
  session.takeNode(node);
  await session.runUntil(session.now + 5_000);
  const decision = session.host.decisions.all.slice(before).find(({ pool }) => pool === 'service');
  expect(decision?.trigger).toBe('spot notice');
  expect(decision?.reasons.join()).toContain('surge for 1 node being taken away: +1');
  await session.runUntil(session.now + 3 * MINUTE);
  expect(session.world.cluster.karpenterNodes().some(({ node: name }) => name === node.node)).toBe(false);
});

test('an alarm adds its boost and keeps it for the hold time', async () => {
  const session = await sessionOf({ config: FULL, scenario: 'flash' });
  const wanted = () => session.histories.views(session.now, () => false).find(({ name }) => name === 'service')?.wanted;
  await session.runUntil(session.startedAt + MINUTE);
  const before = wanted() ?? 0;
  session.host.setAlarm('orders-high', true);
  await session.runUntil(session.now + 1_000);
  expect(wanted()).toBe(before + 2);
  session.host.setAlarm('orders-high', false);
  await session.runUntil(session.now + 2 * MINUTE);
  expect(wanted()).toBe(before + 2);
});

test('a flash sale is met by an order, and without it the pods wait', async () => {
  const session = await sessionOf({ config: FULL, scenario: 'flash' });
  await session.runUntil(session.startedAt + 30 * MINUTE);
  expect(session.host.decisions.all.some(({ trigger }) => trigger === 'inflate by on-call')).toBe(true);
  const { waiting } = resultOf(session, { seed: 1, nodeDelaySeconds: 50 });
  expect(waiting.with.medianMs).toBeLessThanOrEqual(1_000);
  expect(waiting.without.medianMs).toBeGreaterThanOrEqual(50_000);
});

test('a changed config is deployed at once, with NodePools for new pools', async () => {
  const session = await sessionOf({ config: SIMPLE, scenario: 'lunch' });
  session.useConfig(FULL);
  await session.runUntil(session.now + 10 * MINUTE);
  expect(session.host.decisions.all.some(({ trigger, pool }) => trigger === 'deploy' && pool === 'service')).toBe(true);
  expect(session.histories.views(session.now, () => false).map(({ name }) => name)).toEqual(
    FULL.nodePools.map(({ name }) => name),
  );
});

test('a size that somebody set by hand is undone with a reason', async () => {
  const session = await sessionOf({ config: SIMPLE, scenario: 'lunch' });
  await session.runUntil(session.startedAt + 15 * MINUTE);
  const { api } = session.world.cluster;
  const live = api.get(DEPLOYMENTS, 'headroom', 'headroom-default');
  api.patch(DEPLOYMENTS, live, { kind: 'merge', body: { spec: { replicas: 1 } } }, { fieldManager: 'kubectl' });
  await session.runUntil(session.now + 2 * MINUTE);
  const undone = session.host.decisions.all.at(-1);
  expect(undone).toMatchObject({ from: 1, to: 6 });
  expect(undone?.reasons.join()).toContain('scaled by kubectl to 1, undone');
});
