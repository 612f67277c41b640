import { dropAccessPolicy } from '../../shared/adapters/aws/drop-access-policy';
import { invokeFunction } from '../../shared/adapters/aws/invoke-function';
import { emfMetrics } from '../../shared/adapters/process/emf-metrics';
import { deployPorts } from './compose';
import { AS_APPLIED, handleClusterObjects, NOTHING_LEFT } from './handlers/handle-cluster-objects';
import type { ObjectOutcome } from './objects/objects-request';
import { customResource } from './protocol/custom-resource';

/** The custom resource of Headstart's objects on the cluster. It runs outside any VPC; another function talks to the cluster. */
export const handler = customResource(
  (event, deadline) =>
    handleClusterObjects(event, {
      ...deployPorts,
      deadline,
      send: (functionName, region, request) =>
        invokeFunction(functionName, region, request, deadline) as Promise<ObjectOutcome>,
      dropAdmin: (policy) => dropAccessPolicy(policy, deadline),
      ring: (clusterName) => emfMetrics(clusterName, deployPorts.now).count('adminsKept', 1),
    }),
  deployPorts,
  { LeftToDelete: NOTHING_LEFT, Changed: AS_APPLIED },
);
