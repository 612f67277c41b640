import { replayFaults } from '../../../console/sources/fault-replay';
import { runScenarios } from '../../../simulator/faults/run-scenarios';
import { runScenario } from '../../../simulator/faults/scenario';
import { PLANTED_BUGS } from '../../simulator/faults/planted-bugs';

jest.setTimeout(120_000);

const MINUTE = 60_000;

test('a fault seed gives the same page every time, and ends as the simulation without a console does', async () => {
  const seen = await replayFaults({ seed: 11 });
  expect(await replayFaults({ seed: 11 })).toEqual(seen);
  expect((await replayFaults({ seed: 12 })).decisions).not.toEqual(seen.decisions);

  const { steps, endedAt } = await runScenario({ seed: 11 });
  expect(seen.clock).toMatchObject({ now: endedAt, paused: true });
  expect(seen.simulated.slice(0, 2)).toEqual([`fault seed 11, ${steps} steps`, 'no invariant was violated']);
});

test('it shows sizes, decisions with their reasons and what went wrong, and no node or pod', async () => {
  const { pools, decisions, scenario, nodes, pods } = await replayFaults({ seed: 11 });
  expect([nodes, pods]).toEqual([[], []]);
  expect(pools.length).toBeGreaterThan(2);
  for (const { name, wanted, readyUnknown } of pools) {
    expect(readyUnknown).toBe(true);
    const last = decisions.find(({ pool }) => pool === name);
    if (last) expect(wanted).toBe(last.to);
  }
  const [decided] = decisions.filter(({ trigger }) => /^shop\/reconcile#\d+$/.test(trigger));
  expect(decided?.reasons.length).toBeGreaterThan(0);
  expect(scenario?.description).toMatch(/^\S+ 13 {3}shop\/reconcile#1 GET \S+ \[410 in the middle of a list\]$/m);
  expect(scenario?.description).not.toMatch(/ starts: | answers |deployments$/m);
});

test('at moves the cut, between its start and its end', async () => {
  const whole = await replayFaults({ seed: 11 });
  const { now: end, startedAt } = whole.clock;
  const at = startedAt + 5 * MINUTE;
  const early = await replayFaults({ seed: 11, at });
  expect(early.clock.now).toBe(at);
  expect(early.decisions.length).toBeGreaterThan(0);
  expect(early.decisions).toEqual(whole.decisions.filter((decision) => decision.at <= at));
  expect(early.decisions.length).toBeLessThan(whole.decisions.length);
  expect(whole.scenario?.description.startsWith(early.scenario?.description ?? '-')).toBe(true);
  for (const outside of [startedAt - 1, end + 1])
    await expect(replayFaults({ seed: 11, at: outside })).rejects.toThrow('at must lie between 2026-');
});

test('a violated invariant is named', async () => {
  const [bug] = PLANTED_BUGS;
  if (!bug) throw new Error('no bug');
  const { failed } = await runScenarios({ seed: 7, steps: 30_000, way: bug.way });
  const { simulated, clock } = await replayFaults({ seed: failed?.seed ?? 0, way: bug.way });
  expect(simulated[1]).toMatch(bug.found);
  expect(simulated[1]).toContain(`VIOLATED at its end, ${new Date(clock.now).toISOString()}: `);
});
