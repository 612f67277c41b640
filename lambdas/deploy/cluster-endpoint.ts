import { deployPorts } from './compose';
import { customResource } from './custom-resource';
import { handleClusterEndpoint } from './handle-cluster-endpoint';

/** The custom resource that reads the cluster's endpoint once per deploy. */
export const handler = customResource((event) => handleClusterEndpoint(event, deployPorts.describe), deployPorts);
