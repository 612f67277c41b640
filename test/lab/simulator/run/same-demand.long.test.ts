import { atLeast } from '../../../../lab/simulator/engine/karpenter/node-delay';
import { Simulation } from '../../../../lab/simulator/run/simulation';
import { SCENARIOS } from '../../../../lab/simulator/scenarios/scenarios';
import { AFTER, FULL } from './simulations';

test.each(SCENARIOS)('$id: the same demand counts the same pods in every cluster', async (scenario) => {
  const simulation = new Simulation({ config: FULL, scenario, seed: 3, nodeDelay: atLeast(50), after: AFTER });
  await simulation.begin();
  for (let hour = 1; hour <= 3; hour += 1) {
    await simulation.runUntil(simulation.startedAt + hour * 3_600_000);
    const clusters = [simulation.baseline, ...simulation.strategies.map(({ underTest }) => underTest.cluster)];
    const { pods } = simulation.cluster.meter.waitFigures(simulation.now);
    expect(pods).toBeGreaterThan(0);
    expect(clusters.map(({ meter }) => meter.waitFigures(simulation.now).pods)).toEqual(clusters.map(() => pods));
  }
});
