import { resultOf } from '../../../../lab/simulator/run/run-result';
import { readyBy } from '../../../../lab/simulator/run/strategies';
import { scenarioOf } from '../../../../lab/simulator/scenarios/scenarios';
import type { Config } from '../../../../shared/core/config/config';
import { loadedConfig } from '../../../fakes/loaded-config';
import { AFTER, HOUR, SIMPLE, simulationOf } from './simulations';

const LUNCH = 'name: lunch, timezone: Asia/Seoul, start: 30 11 * * MON-FRI, end: 30 13 * * MON-FRI';

function floorConfig(size: string): Config {
  return loadedConfig(`
cluster: { name: my-cluster, region: ap-northeast-2 }
nodePools:
  default: { max: 9, leadTime: 5m, unit: { floor: { cpu: 2, memory: 4Gi } }, schedules: [{ ${LUNCH}, ${size} }] }
`);
}

async function lunchOf(config: Config) {
  const simulation = await simulationOf({ config, scenario: 'lunch' });
  await simulation.runUntil(simulation.startedAt + 4 * HOUR);
  const result = resultOf(simulation, { seed: 1, nodeDelaySeconds: 50 });
  const figures = Object.fromEntries((result.comparison ?? []).map(({ way, ...rest }) => [way, rest]));
  return { ...result, figures };
}

test.each([
  { name: 'room', way: 'room', config: SIMPLE },
  { name: 'a floor', way: 'floor', config: floorConfig('desiredReplicas: 9') },
  { name: 'more nodes', way: 'moreNodes', config: floorConfig('addNodes: 7') },
])(
  'the lunch peak of $name costs less with a floor, and nobody waits for a node with any of the three',
  async ({ way, config }) => {
    const { figures, waiting, cost } = await lunchOf(config);
    const { room, floor, moreNodes } = figures;
    for (const one of [room, floor, moreNodes]) {
      expect(one?.waiting.pods).toBe(waiting.without.pods);
      expect(one?.waiting.worstMs).toBeLessThanOrEqual(1_000);
    }
    expect(waiting.without.worstMs).toBeGreaterThanOrEqual(50_000);
    expect(floor?.cost).toEqual(moreNodes?.cost);
    expect(floor?.cost.nodeHours).toBeLessThan((room?.cost.nodeHours ?? 0) * 0.85);
    expect(floor?.cost.nodeHours).toBeGreaterThan(cost.without.nodeHours);
    // The way that the config takes itself costs what the config costs.
    expect(figures[way]).toEqual({ waiting: waiting.with, cost: cost.with });
  },
);

test('as room, an alarm that adds nodes to those that there are adds as much room', () => {
  const text = `
cluster: { name: my-cluster, region: ap-northeast-2 }
nodePools:
  default: { max: 9, unit: { floor: { cpu: 2, memory: 4Gi } }, alarms: [{ alarmName: deep, addNodes: 2 }] }
`;
  const [config, scenario] = [loadedConfig(text), scenarioOf('flash')];
  const setting = { config, startedAt: scenario.startsAt(config, AFTER), seed: 1 };
  expect(readyBy('moreNodes', setting, scenario).headrooms[0]?.alarms).toEqual(config.headrooms[0]?.alarms);
  expect(readyBy('room', setting, scenario).headrooms[0]?.alarms).toEqual([
    { name: 'deep', alarmName: 'deep', add: 2, holdSeconds: 300 },
  ]);
});

test.each([
  { way: 'room' as const, is: { unit: { kind: 'node' }, windows: [{ replicas: 6 }], max: 8 } },
  {
    way: 'floor' as const,
    is: { unit: { kind: 'floor' }, windows: [{ replicas: 9 }], max: 9, minNode: { cpu: 2, memoryMiB: 4096 } },
  },
  { way: 'moreNodes' as const, is: { unit: { kind: 'floor' }, windows: [{ replicas: 7, relative: true }], max: 8 } },
])('$way is sized for the whole peak: two pods that always run, six that are planned, one more', ({ way, is }) => {
  const scenario = scenarioOf('lunch');
  const startedAt = scenario.startsAt(SIMPLE, AFTER);
  expect(readyBy(way, { config: SIMPLE, startedAt, seed: 1 }, scenario).headrooms[0]).toMatchObject(is);
});
