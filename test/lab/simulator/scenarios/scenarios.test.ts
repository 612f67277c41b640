import { baseLoad } from '../../../../lab/simulator/scenarios/demand-curve';
import type { Action, Scenario } from '../../../../lab/simulator/scenarios/scenario';
import { SCENARIOS, scenarioOf } from '../../../../lab/simulator/scenarios/scenarios';
import { loadedConfig } from '../../../fakes/loaded-config';
import { AFTER, FULL, HOUR, MINUTE, SIMPLE } from '../run/simulations';

const NO_WINDOWS = loadedConfig('{cluster: {name: c, region: us-east-1}, nodePools: {default: {max: 4, base: 2}}}');
const CONFIGS = [
  { config: 'one pool', value: SIMPLE },
  { config: 'several pools', value: FULL },
  { config: 'no windows', value: NO_WINDOWS },
];
const ROWS = SCENARIOS.flatMap((scenario) =>
  CONFIGS.map(({ config, value }) => ({ name: `${scenario.id} over ${config}`, scenario, config: value })),
);

function actionsOf(scenario: Scenario, config: typeof SIMPLE, hours = 24, seed = 1): readonly Action[] {
  const startedAt = scenario.startsAt(config, AFTER);
  return scenario.actions({ config, startedAt, seed }, startedAt, startedAt + hours * HOUR);
}

test.each(ROWS)('$name describes itself in one paragraph and acts in order', ({ scenario, config }) => {
  expect(scenario.description(config)).toMatch(/^[A-Z].{60,900}\.$/);
  const actions = actionsOf(scenario, config);
  const times = actions.map(({ at }) => at);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(scenario.startsAt(config, AFTER)).toBeGreaterThanOrEqual(AFTER);
});

test.each(ROWS)('$name is the same for the same seed, however it is cut', ({ scenario, config }) => {
  const startedAt = scenario.startsAt(config, AFTER);
  const setting = { config, startedAt, seed: 5 };
  const end = startedAt + 6 * HOUR;
  const whole = scenario.actions(setting, startedAt, end);
  expect(scenario.actions(setting, startedAt, end)).toEqual(whole);
  const middle = startedAt + 47 * MINUTE;
  const parts = [...scenario.actions(setting, startedAt, middle), ...scenario.actions(setting, middle, end)];
  // Each part states the demand that holds at its start, so what counts is the demand that is in force.
  const demandAt = (actions: readonly Action[], pool: string, at: number) =>
    actions.findLast((one) => one.kind === 'demand' && one.pool === pool && one.at <= at);
  for (const { name } of config.headrooms) {
    for (let at = startedAt; at < end; at += 7 * MINUTE) {
      const [cut, uncut] = [demandAt(parts, name, at), demandAt(whole, name, at)];
      expect(cut?.kind === 'demand' && cut.pods).toBe(uncut?.kind === 'demand' && uncut.pods);
    }
  }
  const others = (actions: readonly Action[]) => actions.filter(({ kind }) => kind !== 'demand');
  expect(others(parts)).toEqual(others(whole));
});

test.each([{ id: 'lunch' }, { id: 'market' }])('the peak of $id is as large as the window plans for', ({ id }) => {
  const actions = actionsOf(scenarioOf(id), SIMPLE);
  const pods = actions.flatMap((action) => (action.kind === 'demand' ? [action.pods] : []));
  const [pool] = SIMPLE.headrooms;
  if (!pool) throw new Error('no pool');
  expect(Math.min(...pods)).toBe(baseLoad(pool));
  expect(pods).toContain(baseLoad(pool) + 6);
});

test.each([
  {
    name: 'room, which is refilled, is a quarter above what is planned',
    unit: '{ node: { cpu: 1 } }',
    size: 'desiredReplicas',
    peak: 15,
  },
  { name: 'a floor, which is not, is what is planned', unit: '{ floor: { cpu: 2 } }', size: 'addNodes', peak: 12 },
])('the lunch peak on $name', ({ unit, size, peak }) => {
  const window = `{ name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, ${size}: 12 }`;
  const config = loadedConfig(`
cluster: { name: c, region: us-east-1 }
nodePools: { web: { max: 20, leadTime: 5m, unit: ${unit}, schedules: [${window}] } }`);
  const pods = actionsOf(scenarioOf('lunch'), config).flatMap((one) => (one.kind === 'demand' ? [one.pods] : []));
  expect([Math.min(...pods), Math.max(...pods)]).toEqual([4, 4 + peak]);
});
