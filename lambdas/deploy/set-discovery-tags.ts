import { deployPorts } from './deploy-ports';
import { handleDiscoveryTags } from './handlers/handle-discovery-tags';
import { customResource } from './protocol/custom-resource';

/** The custom resource that lets Karpenter find the cluster's subnets and security groups. */
export const handler = customResource(
  (event, deadline) =>
    handleDiscoveryTags(event, {
      ...deployPorts,
      deadline,
      network: async (clusterName) => {
        const { awsClusterNetwork } = await import('../../shared/adapters/aws/cluster-network');
        return awsClusterNetwork({ clusterName, region: process.env.AWS_REGION ?? '' });
      },
    }),
  deployPorts,
  { Outcome: 'failed while the deploy was rolled back; the tags stay as they are' },
);
