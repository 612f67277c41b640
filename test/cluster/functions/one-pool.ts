import type { DecisionResponse, Response } from '../../../shared/core/respond';
import type { Cluster } from '../harness/cluster';
import { sharedCluster } from '../harness/shared-cluster';
import { heartbeat } from './events';
import { type HeadroomObject, type Installation, type InstallOptions, install } from './installation';
import { virtualTime } from './virtual-time';

/** Headstart with a single NodePool, which need not exist, on the cluster that all files share. */
export interface OnePool {
  readonly cluster: Cluster;
  readonly headstart: Installation;
  readonly minute: (minute: number) => number;
  /** The heartbeat of a minute, and what it decided. */
  tick(at: number): Promise<DecisionResponse | undefined>;
  pin(exactly: number, at: number): Promise<unknown>;
  headroom(): Promise<HeadroomObject>;
  size(): Promise<number>;
  /** Changes the Deployment as somebody else, and not as Headstart. */
  edit(writer: string, patch: object, options?: EditOptions): Promise<void>;
}

export interface EditOptions {
  /** @default the Deployment itself */
  readonly subresource?: 'scale';
  /** @default merge, as kubectl edit does */
  readonly type?: 'merge' | 'strategic-merge';
}

export async function installOnePool(
  nodePool: string,
  pool: object,
  options: Omit<InstallOptions, 'nodePools'> = {},
): Promise<OnePool> {
  const cluster = await sharedCluster();
  const headstart = await install(cluster, { ...options, nodePools: { [nodePool]: pool } });
  const minute = virtualTime();
  const headroom = () => headstart.headroom(nodePool);
  return {
    cluster,
    headstart,
    minute,
    tick: async (at) => {
      const { decisions } = await headstart.invoke<Response>('reconcile', heartbeat(minute(at)), minute(at));
      return decisions[0];
    },
    pin: (exactly, at) =>
      headstart.invoke('inflate', { headroom: nodePool, exactly, for: '10m', by: 'ana' }, minute(at)),
    headroom,
    size: async () => (await headroom()).spec.replicas,
    edit: async (writer, patch, { subresource, type = 'merge' } = {}) => {
      const path = `${headstart.pathOf(nodePool)}${subresource ? `/${subresource}` : ''}?fieldManager=${writer}`;
      await cluster.admin.send('PATCH', path, patch, `application/${type}-patch+json`);
    },
  };
}
