import { headroomName } from '../../shared/core/basics/names';
import { DEPLOYMENTS } from '../../simulator/kube/kinds';
import type { Simulation } from '../../simulator/run/simulation';
import type { PoolHistories } from '../snapshot/pool-histories';

/** Lets histories observe every change of a simulation's headroom. */
export function followHeadroom(simulation: Simulation, histories: PoolHistories): void {
  simulation.cluster.engine.store.subscribe(DEPLOYMENTS, ({ type, object }) => {
    const { name, namespace } = object.metadata;
    if (namespace !== simulation.config.cluster.namespace) return;
    const pool = simulation.config.nodePools.find((one) => headroomName(one.name) === name);
    if (pool) histories.observe(pool.name, type === 'DELETED' ? undefined : object, simulation.now);
  });
}
