import { invokeFunction } from '../../shared/adapters/invoke-function';
import { deployPorts } from './compose';
import { customResource } from './custom-resource';
import { handleDeployReconcile } from './handle-deploy-reconcile';

/** The custom resource that runs the reconcile function once at the end of a deploy. */
export const handler = customResource(
  (event, deadline) => handleDeployReconcile(event, { ...deployPorts, invoke: invokeFunction, deadline }),
  deployPorts,
  { Outcome: 'failed while the deploy was rolled back; the heartbeat continues' },
);
