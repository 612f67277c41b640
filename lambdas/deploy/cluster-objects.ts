import { dropAccessPolicy, dropOldAccessPolicy } from '../../shared/adapters/aws/drop-access-policy';
import { invokeFunction } from '../../shared/adapters/aws/invoke-function';
import { emfMetrics } from '../../shared/adapters/process/emf-metrics';
import { deployPorts } from './deploy-ports';
import { AS_APPLIED, handleClusterObjects, NOTHING_LEFT } from './handlers/handle-cluster-objects';
import { withDailyDrop } from './handlers/handle-daily-drop';
import type { ObjectOutcome } from './objects/objects-request';
import { customResource } from './protocol/custom-resource';

const ring = (clusterName: string) => emfMetrics(clusterName, deployPorts.now).count('adminsKept', 1);

const answer = customResource(
  (event, deadline) =>
    handleClusterObjects(event, {
      ...deployPorts,
      deadline,
      send: (functionName, region, request) =>
        invokeFunction(functionName, region, request, deadline, deployPorts) as Promise<ObjectOutcome>,
      dropAdmin: (policy) => dropAccessPolicy(policy, deadline),
      ring,
    }),
  deployPorts,
  { LeftToDelete: NOTHING_LEFT, Changed: AS_APPLIED },
);

/** The custom resource of Headstart's objects on the cluster. It runs outside any VPC; another function talks to the cluster. */
export const handler = withDailyDrop(answer, { ...deployPorts, dropOld: dropOldAccessPolicy, ring });
