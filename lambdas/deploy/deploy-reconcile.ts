import { invokeFunction } from '../../shared/adapters/aws/invoke-function';
import { deployPorts } from './deploy-ports';
import { handleDeployReconcile } from './handlers/handle-deploy-reconcile';
import { customResource } from './protocol/custom-resource';

/** The custom resource that runs the reconcile function once at the end of a deploy. */
export const handler = customResource(
  (event, deadline) =>
    handleDeployReconcile(event, {
      ...deployPorts,
      invoke: (name, region, tick) => invokeFunction(name, region, tick, deadline, deployPorts),
      deadline,
    }),
  deployPorts,
  { Outcome: 'failed while the deploy was rolled back; the heartbeat continues' },
);
