import { deployPorts } from './deploy-ports';
import { handleClusterEndpoint } from './handlers/handle-cluster-endpoint';
import { customResource } from './protocol/custom-resource';

/** The custom resource that reads the cluster's endpoint once per deploy. */
export const handler = customResource(
  (event, deadline) => handleClusterEndpoint(event, { ...deployPorts, deadline }),
  deployPorts,
);
