import { inParallel } from '../../shared/core/basics/promises';
import type { Cluster } from '../../test/cluster/harness/cluster';

const NODE_POOLS = '/apis/karpenter.sh/v1/nodepools';

/** Of another node class, so that the Karpenter of this cluster leaves them alone. */
export async function createNodePools(cluster: Cluster, names: readonly string[]): Promise<void> {
  await inParallel(names, 8, async (name) => {
    const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name };
    const requirements = [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }];
    const spec = { template: { spec: { nodeClassRef, requirements } } };
    await cluster.admin.send('POST', NODE_POOLS, { metadata: { name }, spec });
  });
}
