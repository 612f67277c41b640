import { describeCluster } from '../../shared/adapters/describe-cluster';
import { invokeFunction } from '../../shared/adapters/invoke-function';
import { jsonLog } from '../../shared/adapters/json-log';
import { sleep } from '../../shared/adapters/sleep';
import { customResource } from './custom-resource';
import { handleDeployReconcile } from './handle-deploy-reconcile';

const ports = {
  invoke: invokeFunction,
  describe: describeCluster,
  now: () => Date.now(),
  sleep,
  log: jsonLog(),
};

/** The custom resource that runs the reconcile function once at the end of a deploy. */
export const handler = customResource((event) => handleDeployReconcile(event, ports), undefined, {
  Outcome: 'failed while the deploy was taken back; the heartbeat goes on',
});
