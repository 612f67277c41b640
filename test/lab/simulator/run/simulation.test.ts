import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultOf } from '../../../../lab/simulator/run/run-result';
import { loadedConfig } from '../../../fakes/loaded-config';
import { FULL, HOUR, MINUTE, SIMPLE, simulationOf } from './simulations';

test.each([{ scenario: 'lunch' }, { scenario: 'market' }, { scenario: 'storm' }, { scenario: 'flash' }])(
  'two runs of $scenario with the same seed are the same, and another seed differs',
  async ({ scenario }) => {
    const run = async (seed: number) => {
      const simulation = await simulationOf({ config: FULL, scenario, seed });
      await simulation.runUntil(simulation.startedAt + HOUR);
      return JSON.stringify(resultOf(simulation, { seed: 0, nodeDelaySeconds: 50 }));
    };
    const first = await run(1);
    expect(await run(1)).toBe(first);
    expect(await run(2)).not.toBe(first);
  },
);

test('a run is the same however its time is cut', async () => {
  const whole = await simulationOf({ config: FULL, scenario: 'storm' });
  await whole.runUntil(whole.startedAt + HOUR);
  const cut = await simulationOf({ config: FULL, scenario: 'storm' });
  for (let at = cut.startedAt; at < cut.startedAt + HOUR; at += 7_777) await cut.runUntil(at);
  await cut.runUntil(cut.startedAt + HOUR);
  const options = { seed: 1, nodeDelaySeconds: 50 };
  expect(resultOf(cut, options)).toEqual(resultOf(whole, options));
});

test('the lunch headroom of the full example fills, although it spreads over fewer zones than other NodePools have', async () => {
  const text = readFileSync(join(__dirname, '..', '..', '..', '..', 'examples', 'full.yaml'), 'utf8');
  const after = Date.parse('2026-11-16T02:00:00Z');
  const simulation = await simulationOf({ config: loadedConfig(text), scenario: 'lunch', after });
  await simulation.runUntil(Date.parse('2026-11-16T02:29:59Z'));
  const service = simulation.headrooms().find(({ name }) => name === 'service');
  expect(service).toEqual({ name: 'service', wanted: 10, ready: 10 });
});

test('a changed config is deployed at once, with NodePools for new pools', async () => {
  const simulation = await simulationOf({ config: SIMPLE, scenario: 'lunch' });
  simulation.useConfig(FULL);
  await simulation.runUntil(simulation.now + 10 * MINUTE);
  expect(simulation.host.decisions.all.some(({ trigger, pool }) => trigger === 'deploy' && pool === 'service')).toBe(
    true,
  );
  expect(simulation.headrooms().map(({ name }) => name)).toEqual(FULL.headrooms.map(({ name }) => name));
});
