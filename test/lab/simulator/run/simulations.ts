import { atLeast } from '../../../../lab/simulator/engine/karpenter/node-delay';
import { Simulation, type SimulationOptions } from '../../../../lab/simulator/run/simulation';
import { scenarioOf } from '../../../../lab/simulator/scenarios/scenarios';
import { loadedConfig } from '../../../fakes/loaded-config';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A Monday. */
export const AFTER = Date.parse('2026-03-02T00:00:00Z');

export const SIMPLE = loadedConfig(`
cluster: { name: my-cluster, region: ap-northeast-2 }
nodePools:
  default:
    max: 8
    leadTime: 5m
    unit: { node: { cpu: 1, memory: 2Gi } }
    schedules:
      - { name: lunch, timezone: Asia/Seoul, start: 30 11 * * MON-FRI, end: 30 13 * * MON-FRI, desiredReplicas: 6 }
`);

export const FULL = loadedConfig(`
cluster: { name: my-cluster, region: ap-northeast-2 }
nodePools:
  service:
    max: 20
    base: 2
    leadTime: 5m
    unit: { node: { cpu: 1, memory: 2Gi } }
    schedules:
      - { name: lunch, timezone: Asia/Seoul, start: 30 11 * * MON-FRI, end: 30 13 * * MON-FRI, desiredReplicas: 6 }
    alarms:
      - { alarmName: orders-high, add: 2, hold: 5m }
    interruptions: { surge: 1, max: 4, hold: 10m }
  cicd:
    max: 10
    leadTime: 2m
    unit: { slice: { cpu: 500m, memory: 1Gi } }
    schedules:
      - { name: builds, timezone: Asia/Seoul, start: 0 12 * * *, end: 0 13 * * *, desiredReplicas: 8 }
    interruptions: { surge: 2, max: 4 }
`);

type StartOptions = Pick<SimulationOptions, 'config'> &
  Partial<Omit<SimulationOptions, 'scenario'>> & { readonly scenario: string };

/** A simulation that is ready to run. */
export async function simulationOf({ scenario, ...options }: StartOptions): Promise<Simulation> {
  const simulation = new Simulation({
    seed: 1,
    nodeDelay: atLeast(50),
    after: AFTER,
    keepAllDecisions: true,
    scenario: scenarioOf(scenario),
    ...options,
  });
  await simulation.begin();
  return simulation;
}
