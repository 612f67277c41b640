import { KARPENTER_NODEPOOL_LABEL } from '../../shared/core/basics/names';
import { inParallel } from '../../shared/core/basics/promises';
import type { Cluster } from '../../test/cluster/harness/cluster';
import { openApiserver } from '../../test/cluster/workload/open-apiserver';

const CLAIMS = '/apis/karpenter.sh/v1/nodeclaims';
const AT_ONCE = 16;
/** As Karpenter writes them: the sixty instance types that would do. */
const SIMULATED_TYPES = ['c', 'm', 'r'].flatMap((family) =>
  ['6a', '6i', '7a', '7i'].flatMap((generation) =>
    ['large', 'xlarge', '2xlarge', '4xlarge', '8xlarge'].map((size) => `${family}${generation}.${size}`),
  ),
);

/** A NodeClaim of the cluster, and the instance that it stands for. */
export interface Claim {
  readonly nodePool: string;
  readonly instanceId: string;
}

/** Creates many NodeClaims, as Karpenter would, and gives each its instance. */
export async function createClaims(cluster: Cluster, claims: readonly Claim[]): Promise<void> {
  const apiserver = await openApiserver(cluster);
  try {
    const results = await inParallel(claims, AT_ONCE, async (claim) => {
      const name = `${claim.nodePool}-${claim.instanceId}`;
      await apiserver.send('POST', CLAIMS, manifest(name, claim));
      const status = { status: { providerID: `aws:///eu-west-1a/${claim.instanceId}` } };
      await apiserver.send('PATCH', `${CLAIMS}/${name}/status`, status, 'application/merge-patch+json');
    });
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  } finally {
    apiserver.close();
  }
}

function manifest(name: string, { nodePool }: Claim) {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name, labels: { [KARPENTER_NODEPOOL_LABEL]: nodePool } },
    spec: {
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: nodePool },
      requirements: [
        { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: SIMULATED_TYPES },
      ],
    },
  };
}
