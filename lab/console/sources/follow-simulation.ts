import { headroomName } from '../../../shared/core/basics/names';
import { DEPLOYMENTS, PODS } from '../../simulator/kube/kinds';
import { demoName } from '../../simulator/run/demo-workload';
import type { Simulation } from '../../simulator/run/simulation';
import type { PoolHistories } from '../snapshot/pool-histories';
import { FloorUseCounter } from './floor-use-counter';

/**
 * Lets histories observe every change of a simulation, whether or not a page is open: the headroom, what work takes of
 * it, and the pods that wait in the baseline, which has no headroom.
 */
export function followSimulation(simulation: Simulation, histories: PoolHistories): void {
  const { cluster, baseline } = simulation;
  const { namespace } = simulation.config.cluster;
  const poolOf = (deployment: string | undefined) =>
    simulation.config.headrooms.find(({ name }) => headroomName(name) === deployment)?.name;
  cluster.engine.store.subscribe(DEPLOYMENTS, ({ type, object }) => {
    if (object.metadata.namespace !== namespace) return;
    const pool = poolOf(object.metadata.name);
    if (pool !== undefined) histories.observe(pool, type === 'DELETED' ? undefined : object, simulation.now);
  });
  cluster.engine.on((fact) => {
    if (fact.kind !== 'podPreempted' || fact.pod.namespace !== namespace) return;
    const pool = poolOf(fact.pod.deployment);
    if (pool !== undefined) histories.observePreemption(pool, fact.at);
  });
  const floors = new FloorUseCounter();
  cluster.engine.store.subscribe(PODS, ({ type, object, previous }) => {
    const [before, after] = [type === 'DELETED' ? object : previous, type === 'DELETED' ? undefined : object];
    for (const [floor, inUse] of floors.change(before, after)) histories.observeWork(floor, { inUse }, simulation.now);
  });
  const waiting = new Map<string, number>();
  baseline.engine.store.subscribe(PODS, ({ type, object, previous }) => {
    const { app = '' } = object.metadata.labels ?? {};
    const waits = (pod: typeof object | undefined) => Number(pod !== undefined && !pod.spec.nodeName);
    const change = type === 'DELETED' ? -waits(object) : waits(object) - waits(previous);
    if (change === 0) return;
    waiting.set(app, (waiting.get(app) ?? 0) + change);
    const pool = simulation.config.headrooms.find(({ name }) => demoName(name) === app);
    if (pool) histories.observeWork(pool.name, { wouldWait: waiting.get(app) }, baseline.engine.now());
  });
}
