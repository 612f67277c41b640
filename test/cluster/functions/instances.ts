import { KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import type { KubeObject } from '../harness/api-client';
import type { Cluster } from '../harness/cluster';

const CLAIMS = '/apis/karpenter.sh/v1/nodeclaims';

/** NodeClaims of EC2 instances; the Karpenter of this cluster, which knows no EC2, leaves them alone. */
export async function addInstances(
  cluster: Cluster,
  nodePool: string,
  instanceIds: readonly string[],
  labels: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const id of instanceIds) {
    const claim: KubeObject = {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: `${nodePool}-${id}`, labels: { ...labels, [KARPENTER_NODEPOOL_LABEL]: nodePool } },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: nodePool },
        requirements: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }],
      },
    };
    await cluster.admin.send('POST', CLAIMS, claim);
    const status = { status: { providerID: `aws:///eu-west-1a/${id}` } };
    await cluster.admin.send(
      'PATCH',
      `${CLAIMS}/${claim.metadata.name}/status`,
      status,
      'application/merge-patch+json',
    );
  }
}

/** Takes the NodeClaims of a NodePool away, at once. */
export async function removeInstances(cluster: Cluster, nodePool: string): Promise<void> {
  for (const { metadata } of await cluster.admin.list(CLAIMS)) {
    if (metadata.labels?.[KARPENTER_NODEPOOL_LABEL] === nodePool)
      await cluster.admin.remove(`${CLAIMS}/${metadata.name}`);
  }
}
