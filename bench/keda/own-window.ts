import { headroomName } from '../../shared/core/basics/names';
import { heartbeat } from '../../test/cluster/functions/events';
import type { FunctionProcess } from '../../test/cluster/functions/function-process';
import { type Installation, install } from '../../test/cluster/functions/installation';
import { onceWindow } from '../../test/cluster/functions/virtual-time';
import type { Cluster } from '../../test/cluster/harness/cluster';
import { applyCrds, readManifests } from '../../test/cluster/harness/crds';
import { eventually } from '../../test/cluster/harness/process/eventually';
import type { Window } from './manifests';
import type { ReplicaWatch } from './watch-replicas';

const NODE_POOL = 'window';

/** Headstart with the same window, waiting for its edges. */
export interface OwnWindow {
  /** Hands the tick of now to the warm process; gives the time until the replicas were written. */
  tickWarm(wanted: number): Promise<number>;
  /** The same with a process that has yet to start. */
  tickCold(wanted: number): Promise<number>;
  remove(): Promise<void>;
}

/** Installs Headstart twice, for a warm and for a cold tick, and lets it create its headroom. */
export async function prepareOwnWindow(cluster: Cluster, watch: ReplicaWatch, window: Window): Promise<OwnWindow> {
  // The functions read NodePools, whether Karpenter runs or not.
  await applyCrds(cluster.admin, readManifests('karpenter', 'CustomResourceDefinition'));
  const schedules = [onceWindow('peak', window.from, window.to, window.replicas)];
  const nodePools = { [NODE_POOL]: { max: window.replicas, schedules } };
  const [warm, cold] = [await install(cluster, { nodePools }), await install(cluster, { nodePools })];
  const warmProcess = await warm.start('reconcile');
  await warmProcess.invoke(heartbeat(Date.now()));
  await cold.invoke('reconcile', heartbeat(Date.now()));
  return {
    tickWarm: (wanted) => tick(watch, warm, wanted, async () => warmProcess),
    tickCold: (wanted) => tick(watch, cold, wanted, () => cold.start('reconcile')),
    remove: async () => {
      await Promise.all([warm.remove(), cold.remove()]);
    },
  };
}

async function tick(
  watch: ReplicaWatch,
  { namespace }: Installation,
  wanted: number,
  start: () => Promise<FunctionProcess>,
): Promise<number> {
  const began = Date.now();
  const process = await start();
  await process.invoke(heartbeat(began));
  const written = () =>
    watch.changesOf(namespace, headroomName(NODE_POOL)).find(({ at, replicas }) => at >= began && replicas === wanted);
  const { at } = await eventually(written, { what: `${wanted} replicas of ours`, intervalMs: 20 });
  return at - began;
}
