import { SimulationSource } from '../../../console/sources/simulation-source';
import { atLeast } from '../../../simulator/engine/karpenter/node-delay';
import { scenarioOf } from '../../../simulator/scenarios/catalogue';
import { AFTER, FULL } from '../../simulator/run/simulations';

jest.setTimeout(60_000);

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

test.each(['flash sale; see incident 42', '["not", "a list"]', 'a: b, until 12:00'])(
  'the reason %s reaches the page as one reason',
  async (reason) => {
    await source.command({ kind: 'inflate', pool: 'service', atLeast: 9, for: '30m', reason });
    const { pools, decisions } = source.snapshot();
    const [override, ...others] = pools[0]?.reasons ?? [];
    expect(override).toMatch(/^inflated to at least 9 by console until .*: /);
    expect(override?.endsWith(`: ${reason}`)).toBe(true);
    expect(others).toEqual([]);
    expect(decisions[0]).toMatchObject({ pool: 'service', to: 9, reasons: [override] });
  },
);

test('a paused clock stands still, and a release takes the override back', async () => {
  await source.command({ kind: 'pause', paused: true });
  const before = source.snapshot();
  await source.command({ kind: 'inflate', pool: 'cicd', atLeast: 3, for: '1h', reason: 'test' });
  expect(source.snapshot().pools[1]).toMatchObject({ wanted: 3, override: { order: 'at least 3', by: 'console' } });
  await source.command({ kind: 'release', pool: 'cicd' });
  const after = source.snapshot();
  expect(after.pools[1]?.override).toBeUndefined();
  expect(after.clock.now).toBe(before.clock.now);
});

test.each([
  { command: { kind: 'act' }, says: 'act is for a real cluster' },
  { command: { kind: 'takeNode', node: 'nobody' }, says: 'node "nobody" is not a ready spot node' },
  { command: { kind: 'scenario', id: 'none' }, says: 'none' },
  { command: { kind: 'inflate', pool: 'none', atLeast: 1, for: '1h', reason: '' }, says: 'none' },
  { command: { kind: 'inflate', pool: 'service', atLeast: 99, for: '1h', reason: '' }, says: '20' },
] as const)('$command.kind is refused with what is wrong: $says', async ({ command, says }) => {
  await expect(source.command(command)).rejects.toThrow(says);
});
