import { headroomName } from '../../../shared/core/basics/names';
import { DEPLOYMENTS, NODES, PODS } from '../../simulator/kube/kinds';
import type { DemoCluster } from '../../simulator/run/demo-cluster';
import { demoName } from '../../simulator/run/demo-workload';
import type { Simulation } from '../../simulator/run/simulation';
import { nodesInUse } from '../snapshot/cluster-view';
import type { PoolHistories } from '../snapshot/pool-histories';

/**
 * Lets histories observe every change of a simulation, whether or not a page is open: the headroom, the nodes that run
 * work, and the pods that wait in the baseline, which has no headroom.
 */
export function followSimulation(simulation: Simulation, histories: PoolHistories): void {
  const { cluster, baseline } = simulation;
  cluster.engine.store.subscribe(DEPLOYMENTS, ({ type, object }) => {
    const { name, namespace } = object.metadata;
    if (namespace !== simulation.config.cluster.namespace) return;
    const pool = simulation.config.headrooms.find((one) => headroomName(one.name) === name);
    if (pool) histories.observe(pool.name, type === 'DELETED' ? undefined : object, simulation.now);
  });
  onPlacement(cluster, () => {
    const { store } = cluster.engine;
    const content = { nodes: store.list(NODES), pods: store.list(PODS), config: simulation.config };
    histories.observeUses(nodesInUse(content), simulation.now);
  });
  onPlacement(baseline, (app) => {
    const pool = simulation.config.headrooms.find(({ name }) => demoName(name) === app);
    const pods = baseline.engine.store.list(PODS);
    const waiting = pods.filter(({ metadata, spec }) => metadata.labels?.app === app && !spec.nodeName);
    if (pool) histories.observeWaiting(pool.name, waiting.length, baseline.engine.now());
  });
}

/** Calls back with the workload whose pod was created, placed or removed. */
function onPlacement({ engine }: DemoCluster, changed: (app: string) => void): void {
  engine.store.subscribe(PODS, ({ type, object, previous }) => {
    const { app } = object.metadata.labels ?? {};
    if (app !== undefined && (type !== 'MODIFIED' || object.spec.nodeName !== previous?.spec.nodeName)) changed(app);
  });
}
