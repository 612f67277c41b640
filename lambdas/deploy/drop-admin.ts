import { dropAccessPolicy, dropOldAccessPolicy } from '../../shared/adapters/aws/drop-access-policy';
import { emfMetrics } from '../../shared/adapters/process/emf-metrics';
import { deployPorts } from './deploy-ports';
import { withDailyDrop } from './handlers/handle-daily-drop';
import { handleDropAdmin } from './handlers/handle-drop-admin';
import { customResource } from './protocol/custom-resource';

const answer = customResource(
  (event, deadline) =>
    handleDropAdmin(event, { ...deployPorts, deadline, dropAdmin: (policy) => dropAccessPolicy(policy, deadline) }),
  deployPorts,
);

/** The custom resource that removes the admin rights of the role that ran Helm. */
export const handler = withDailyDrop(answer, {
  ...deployPorts,
  dropOld: dropOldAccessPolicy,
  ring: (clusterName) => emfMetrics(clusterName, deployPorts.now).count('adminsKept', 1),
});
