import { FAULT_KINDS } from './environment/fault-kinds';
import { runScenarios } from './run-scenarios';
import { runScenario } from './scenario';

jest.setTimeout(300_000);

test('whatever goes wrong, everything settles at what was accepted, and nothing that must never be ever is', async () => {
  const { failed, steps, counts } = await runScenarios({ seed: 1, steps: 15_000 });
  expect(failed && { replay: failed.seed, violations: failed.violations }).toBeUndefined();
  expect(steps).toBeGreaterThanOrEqual(15_000);
  expect(FAULT_KINDS.filter((kind) => counts.of(kind) === 0)).toEqual([]);
});

test('a scenario goes the same way every time', async () => {
  const told = async (seed: number) => {
    const lines: string[] = [];
    await runScenario({ seed, trace: (line) => lines.push(line) });
    return lines;
  };
  const first = await told(11);
  expect(first.length).toBeGreaterThan(100);
  expect(await told(11)).toEqual(first);
  expect(await told(12)).not.toEqual(first);
});
