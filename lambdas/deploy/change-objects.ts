import { clusterConnection } from '../../shared/adapters/aws/cluster-connection';
import { withClusterErrorType } from '../../shared/adapters/kube/cluster-error';
import { kubeTransport } from '../../shared/adapters/kube/kube-transport';
import { ENVIRONMENT } from '../../shared/adapters/process/environment';
import { deadlineOf, type LambdaContext } from '../deadline';
import { deployPorts } from './deploy-ports';
import { readDeployedObjects } from './objects/deployed-objects';
import { changeObjects } from './objects/object-changes';
import type { ObjectOutcome, ObjectsRequest } from './objects/objects-request';

/** To report a failure. The objects of a failed apply are removed only while the deadline allows. */
const RESERVE_MS = 20_000;

/** Changes the objects on the cluster, from within its VPC if needed. The function that answers CloudFormation invokes it. */
export async function handler(event: ObjectsRequest, context?: LambdaContext): Promise<ObjectOutcome> {
  const deadline = deadlineOf(context, RESERVE_MS);
  const { env } = process;
  const cluster = { name: env[ENVIRONMENT.clusterName] ?? '', region: env.AWS_REGION ?? '' };
  try {
    return await changeObjects(event, {
      ...deployPorts,
      deadline,
      headroomOwner: env[ENVIRONMENT.owner],
      deployed: readDeployedObjects(),
      connect: async () =>
        kubeTransport(await clusterConnection(cluster, env, deployPorts.now, deadline), { deadline }),
    });
  } catch (error) {
    deployPorts.log.error('change failed', { action: event.action, error });
    throw withClusterErrorType(error);
  }
}
