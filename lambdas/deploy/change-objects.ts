import { clusterConnection } from '../../shared/adapters/aws/cluster-connection';
import { withClusterErrorType } from '../../shared/adapters/kube/cluster-error';
import { kubeTransport } from '../../shared/adapters/kube/kube-transport';
import { ENVIRONMENT } from '../../shared/adapters/process/environment';
import { deadlineOf, type LambdaContext } from '../deadline';
import { deployPorts } from './compose';
import { changeObjects } from './objects/change-objects';
import { readDeployedObjects } from './objects/deployed-objects';
import type { ObjectOutcome, ObjectsRequest } from './objects/objects-request';

/** To say what failed. What an apply made is taken back only by calls that still meet the deadline. */
const RESERVE_MS = 20_000;

/** Talks to the cluster, from within its VPC where that is needed; it is invoked by the function that answers CloudFormation. */
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
    deployPorts.log.error('order failed', { order: event.order, error });
    throw withClusterErrorType(error);
  }
}
