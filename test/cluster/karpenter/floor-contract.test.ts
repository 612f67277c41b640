import { type FloorPool, type FloorPoolOptions, floorStories } from '../../contract/floor-contract';
import type { Cluster } from '../harness/cluster';
import { eventually } from '../harness/process/eventually';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';
import { createPool, PATIENCE_MS, type Pool, settled } from '../workload/pool';
import { testTogether } from '../workload/testing-together';

/** Several of Karpenter's rounds. */
const QUIET_MS = 40_000;

// As long as the patience of the stories.
jest.setTimeout(900_000);

describeCluster('the real scheduler and Karpenter', () => {
  let cluster: Cluster;
  const pools: Pool[] = [];

  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  async function open(options: FloorPoolOptions): Promise<FloorPool> {
    const { cpus, headroom, floorCpu = 4, ...rest } = options;
    const pool = await createPool(cluster, {
      ...rest,
      instanceTypes: cpus.map((cpu) => `c-${cpu}x-amd64-linux`),
      headroom: () => ({ ...headroom, unit: { floor: { cpu: floorCpu } } }),
    });
    pools.push(pool);
    const { name, minute, headstart, claims } = pool;
    return {
      ...pool,
      nodeClass: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
      order: (at, order) => headstart.invoke('inflate', { headroom: name, for: '30m', ...order }, minute(at)),
      replicas: async () => (await headstart.headroom(name)).spec.replicas,
      eventually: (look) => eventually(look, { timeoutMs: PATIENCE_MS, intervalMs: 250 }),
      settled: () => settled(async () => (await claims()).map(({ metadata }) => metadata.name), QUIET_MS),
      lose: (claim) => cluster.admin.remove(`/apis/karpenter.sh/v1/nodeclaims/${claim}`),
    };
  }

  testTogether(floorStories(open));

  afterAll(async () => {
    await Promise.all(pools.map(({ remove }) => remove()));
  });
});
