import { DEPLOYMENTS } from '../../../../lab/simulator/kube/kinds';
import type { Simulation } from '../../../../lab/simulator/run/simulation';
import { headroomName } from '../../../../shared/core/basics/names';
import { decide } from '../../../../shared/core/decision/decide';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { readRecord } from '../../../../shared/core/record/record-codec';
import { FULL, HOUR, MINUTE, simulationOf } from './simulations';

jest.setTimeout(300_000);

/** Of ten events one is lost, one comes twice and one late; one API call in ten fails. */
const FAULTS = { lost: 0.1, doubled: 0.1, late: 0.1, apiErrors: 0.1 };

/** What each pool runs, and what its config and its record demand at this moment. */
function sizes({ cluster, config, now }: Simulation) {
  return config.headrooms.map((pool) => {
    const current = cluster.engine.store.get(DEPLOYMENTS, config.cluster.namespace, headroomName(pool.name));
    const { record } = readRecord(current?.metadata.annotations?.[ANNOTATIONS.record]);
    return { pool: pool.name, runs: current?.spec.replicas, demanded: decide({ pool, record, now }).replicas, record };
  });
}

function isSettled(simulation: Simulation): boolean {
  return sizes(simulation).every(({ runs, demanded }) => runs === demanded);
}

const SEEDS = [1, 2, 3, 4, 5, 6];
const ROWS = ['lunch', 'market', 'storm', 'flash'].flatMap((scenario) =>
  SEEDS.map((seed) => ({ name: `${scenario} with seed ${seed}`, scenario, seed })),
);

test.each(ROWS)('$name ends with the headroom that the config and the record demand', async ({ scenario, seed }) => {
  const simulation = await simulationOf({ config: FULL, scenario, seed, faults: FAULTS });
  await simulation.runUntil(simulation.startedAt + 50 * MINUTE);
  simulation.host.setAlarm('orders-high', true);
  // The faults stay on: now and then a heartbeat is lost or fails, but not many in a row.
  const end = simulation.now + HOUR / 4;
  await simulation.runUntil(simulation.now + 5 * MINUTE);
  while (!isSettled(simulation) && simulation.now < end) await simulation.runUntil(simulation.now + MINUTE);
  for (const { runs, demanded } of sizes(simulation)) expect(runs).toBe(demanded);
  expect(simulation.host.decisions.errors).toBeGreaterThan(0);
  const [service] = sizes(simulation);
  expect(service?.record.alarms['orders-high']?.state).toBe('ALARM');
  if (scenario === 'flash') expect(service?.record.override).toMatchObject({ mode: 'atLeast', by: 'on-call' });
});

test('with every event lost, schedules and alarms included, one heartbeat is enough', async () => {
  const faults = { lost: 1, doubled: 0, late: 0, apiErrors: 0 };
  const simulation = await simulationOf({ config: FULL, scenario: 'lunch', faults });
  await simulation.runUntil(simulation.startedAt + 20 * MINUTE);
  simulation.host.setAlarm('orders-high', true);
  await simulation.runUntil(simulation.now + MINUTE);
  expect(isSettled(simulation)).toBe(false);
  simulation.faults = { ...faults, lost: 0 };
  await simulation.runUntil(simulation.now + 2 * MINUTE);
  expect(isSettled(simulation)).toBe(true);
  expect(sizes(simulation)[0]).toMatchObject({ pool: 'service', runs: 8 });
});
