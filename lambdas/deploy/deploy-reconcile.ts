import { invokeFunction } from '../../shared/adapters/invoke-function';
import { deployPorts } from './compose';
import { customResource } from './custom-resource';
import { handleDeployReconcile } from './handle-deploy-reconcile';

const ports = { ...deployPorts, invoke: invokeFunction };

/** The custom resource that runs the reconcile function once at the end of a deploy. */
export const handler = customResource((event) => handleDeployReconcile(event, ports), ports, {
  Outcome: 'failed while the deploy was rolled back; the heartbeat continues',
});
