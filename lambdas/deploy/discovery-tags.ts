import { jsonLog } from '../../shared/adapters/json-log';
import { customResource } from './custom-resource';
import { handleDiscoveryTags } from './handle-discovery-tags';

const log = jsonLog();

/** The custom resource that lets Karpenter find the cluster's subnets and security groups. */
export const handler = customResource((event) =>
  handleDiscoveryTags(event, {
    log,
    network: async (clusterName) => {
      const { awsClusterNetwork } = await import('../../shared/adapters/aws-cluster-network');
      return awsClusterNetwork({ clusterName, region: process.env.AWS_REGION ?? '' });
    },
  }),
);
