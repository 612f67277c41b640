import { SimulationSource } from '../../../../lab/console/sources/simulation-source';
import { atLeast } from '../../../../lab/simulator/engine/karpenter/node-delay';
import { scenarioOf } from '../../../../lab/simulator/scenarios/scenarios';
import { configOf } from '../../../fakes/fake-runtime';
import { AFTER, FULL } from '../../simulator/run/simulations';

let source: SimulationSource;

beforeEach(async () => {
  source = new SimulationSource({
    config: FULL,
    scenario: scenarioOf('lunch'),
    seed: 1,
    nodeDelay: atLeast(50),
    after: AFTER,
    speed: 1,
  });
  await source.start();
});

afterEach(() => source.stop());

/** Waits until the simulated clock shows a moment. */
async function reached(at: number): Promise<void> {
  while (source.snapshot().clock.now < at) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A jump stops earlier where nodes get ready. */
async function jump(): Promise<void> {
  await source.command({ kind: 'jump' });
  while (source.isJumping) await new Promise((resolve) => setTimeout(resolve, 20));
}

test.each(['flash sale; see incident 42', '["not", "a list"]', 'a: b, until 12:00'])(
  'the reason %s reaches the page as one reason',
  async (reason) => {
    await source.command({ kind: 'inflate', pool: 'service', atLeast: 9, for: '30m', reason });
    const { pools, decisions } = source.snapshot();
    const [override, ...others] = pools[0]?.reasons ?? [];
    expect(override).toMatch(/^Override by console: \d → 9 until .* \(/);
    expect(override?.endsWith(` (${reason})`)).toBe(true);
    expect(others).toEqual([]);
    expect(decisions[0]).toMatchObject({ pool: 'service', to: 9, reasons: [override] });
  },
);

test('a spot node that is taken where no rule says what to do is said to have none', async () => {
  const { headrooms } = FULL;
  const quiet = { ...FULL, headrooms: headrooms.map(({ interruptions: _rule, ...pool }) => pool) };
  await source.useConfig(quiet);
  const note = expect.stringMatching(/^Nothing is configured for that in .*: add interruptions: \{surge: 1\}$/);
  expect(await source.command({ kind: 'takeNode' })).toMatchObject({ note });
  expect(await source.command({ kind: 'spotStorm' })).toMatchObject({ note });
});

test('a run is shown again from its scenario, seed, start, moment and what was done in it', async () => {
  await source.command({ kind: 'pause', paused: true });
  await jump();
  await source.command({ kind: 'inflate', pool: 'service', atLeast: 9, for: '30m', reason: 'sale' });
  await source.command({ kind: 'takeNode' });
  await jump();
  const seen = source.snapshot();
  const { run, scenario, clock } = seen;
  if (!run || !scenario) throw new Error('no run');
  expect(run.actions.map(({ command }) => command.kind)).toEqual(['inflate', 'takeNode']);

  await source.command({ kind: 'scenario', id: 'storm' });
  await source.command({ kind: 'replay', scenario: scenario.id, at: clock.now, ...run });
  await reached(clock.now);
  const again = source.snapshot();
  expect(again.clock.paused).toBe(true);
  expect({ ...again, pools: again.pools.map(({ timeline: _, ...pool }) => pool) }).toEqual({
    ...seen,
    pools: seen.pools.map(({ timeline: _, ...pool }) => pool),
  });
});

describe('the history of a floor’s nodes in use', () => {
  const floor = configOf(`  web:
    max: 8
    leadTime: 5m
    unit: {floor: {cpu: 4, memory: 16Gi}}
    schedules: [{name: lunch, timezone: UTC, start: 30 11 * * *, end: 30 13 * * *, addNodes: 6}]
`);
  const start = Date.parse('2026-11-17T11:00:00Z');
  const at = Date.parse('2026-11-17T12:00:00Z');

  test('is kept while no page is open, so that a link shows the ramp, and who would have waited', async () => {
    await source.useConfig(floor);
    await source.command({ kind: 'replay', scenario: 'lunch', seed: 1, start, at });
    await reached(at);
    const [pool] = source.snapshot().pools;
    const ramp = pool?.timeline.filter((point) => point.at > Date.parse('2026-11-17T11:20:00Z')) ?? [];
    const used = [...new Set(ramp.map((point) => point.inUse))];
    expect(used.slice(0, 6)).toEqual([0, 2, 3, 4, 5, 6]);
    expect(Math.max(...ramp.map(({ wouldWait = 0 }) => wouldWait))).toBeGreaterThanOrEqual(2);
    expect(ramp.at(-1)?.wouldWait).toBeUndefined();
    expect(pool).toMatchObject({ wanted: 8, ready: 8, inUse: 7, free: 1, missing: 0 });
    expect(pool?.sentence).toMatch(
      /^Lunch .*: 6 more nodes, ready 3 min early\. 7 nodes in use, 1 free\. Headroom cost \$0\.\d\d so far, \$[\d.–]+ a month as planned\. Next, lunch closes /,
    );
  });

  test('has none while no floor is wanted, whatever runs on the NodePool', async () => {
    await source.useConfig(floor);
    await source.command({ kind: 'scenario', id: 'lunch' });
    expect(source.snapshot().nodes.length).toBeGreaterThan(0);
    expect(source.snapshot().pools[0]).toMatchObject({ wanted: 0, ready: 0, inUse: 0, free: 0 });
  });
});

test('the clock stands still until somebody looks', async () => {
  const { clock } = source.snapshot();
  expect(clock).toMatchObject({ now: clock.startedAt, unseen: true, paused: false });
  // Commands take turns with the clock, which has had one by then.
  await source.command({ kind: 'speed', speed: 1_000 });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(source.snapshot().clock.now).toBe(clock.startedAt);
  source.viewed();
  await reached(clock.startedAt + 1);
  expect(source.snapshot().clock.unseen).toBeUndefined();
});

test('a jump stops at each moment that matters: requested, ready, the first pods, the last, refilled', async () => {
  const stops: string[] = [];
  for (let jumps = 0; jumps < 6; jumps += 1) {
    await jump();
    const { clock, pools } = source.snapshot();
    const [service] = pools;
    stops.push(`${new Date(clock.now).toISOString().slice(11, 16)} ${service?.wanted} wanted, ${service?.ready} ready`);
  }
  expect(stops).toEqual([
    '02:25 2 wanted, 2 ready',
    '02:26 6 wanted, 6 ready',
    '02:30 6 wanted, 6 ready',
    '02:31 6 wanted, 3 ready',
    '02:32 6 wanted, 6 ready',
    '02:58 6 wanted, 6 ready',
  ]);
});

test('another scenario resumes a paused clock', async () => {
  await source.command({ kind: 'pause', paused: true });
  await source.command({ kind: 'scenario', id: 'storm' });
  expect(source.snapshot().clock.paused).toBe(false);
});

test('a paused clock stands still, and a release takes the override back', async () => {
  await source.command({ kind: 'pause', paused: true });
  const before = source.snapshot();
  await source.command({ kind: 'inflate', pool: 'cicd', atLeast: 3, for: '1h', reason: 'test' });
  expect(source.snapshot().pools[1]).toMatchObject({ wanted: 3, override: { size: 'at least 3', by: 'console' } });
  await source.command({ kind: 'release', pool: 'cicd' });
  const after = source.snapshot();
  expect(after.pools[1]?.override).toBeUndefined();
  expect(after.clock.now).toBe(before.clock.now);
});

test('the plan ahead keeps an override, and a jump stops where it ends', async () => {
  await source.command({ kind: 'pause', paused: true });
  const { now } = source.snapshot().clock;
  await source.command({ kind: 'inflate', pool: 'service', atLeast: 9, for: '3m', reason: 'test' });
  const { clock, pools } = source.snapshot();
  const end = now + 180_000;
  expect(pools[0]?.plan[0]).toMatchObject({ at: now, replicas: 9 });
  expect(pools[0]?.plan[1]?.at).toBeLessThanOrEqual(end);
  expect(clock.next?.at).toBeLessThanOrEqual(end);
  for (let jumps = 0; jumps < 6 && source.snapshot().clock.now < end; jumps += 1) await jump();
  expect(source.snapshot().clock.now).toBe(end);
});

test.each([
  { command: { kind: 'takeNode', node: 'nobody' }, says: 'node "nobody" is not a ready spot node' },
  { command: { kind: 'scenario', id: 'none' }, says: 'scenario "none" is unknown' },
  { command: { kind: 'replay', scenario: 'none', seed: 1, start: AFTER, at: AFTER }, says: 'is unknown' },
  { command: { kind: 'replay', scenario: 'lunch', seed: 1, start: AFTER, at: AFTER * 2 }, says: 'within 14 days' },
  { command: { kind: 'inflate', pool: 'none', atLeast: 1, for: '1h', reason: '' }, says: 'none' },
  { command: { kind: 'inflate', pool: 'service', atLeast: 99, for: '1h', reason: '' }, says: '20' },
] as const)('$command.kind is refused with what is wrong: $says', async ({ command, says }) => {
  await expect(source.command(command)).rejects.toThrow(says);
});

test('what was done is part of the run as soon as its effect can be seen, and not if it is refused', async () => {
  await source.stop();
  source = new SimulationSource({
    ...{ config: FULL, scenario: scenarioOf('lunch'), seed: 1, nodeDelay: atLeast(50), after: AFTER, speed: 1 },
    // As over the wire: the API has written, and its response is on its way.
    connect: async ({ underTest }) => {
      const { apply } = underTest.transport;
      const slow: typeof apply = async (...call) => {
        const written = await apply(...call);
        await new Promise((resolve) => setTimeout(resolve, 50));
        return written as never;
      };
      underTest.transport = { ...underTest.transport, apply: slow };
    },
  });
  await source.start();
  await source.command({ kind: 'pause', paused: true });
  const done = source.command({ kind: 'inflate', pool: 'service', atLeast: 9, for: '30m', reason: 'sale' });
  let shown = source.snapshot();
  while (!shown.pools[0]?.override) {
    await new Promise(setImmediate);
    shown = source.snapshot();
  }
  expect(shown.run?.actions).toHaveLength(1);
  await done;
  await expect(source.command({ kind: 'takeNode', node: 'nowhere' })).rejects.toThrow('is not a ready spot node');
  expect(source.snapshot().run?.actions).toHaveLength(1);
});
