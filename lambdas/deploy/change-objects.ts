import { clusterConnection } from '../../shared/adapters/cluster-connection';
import { withClusterErrorType } from '../../shared/adapters/cluster-error';
import { ENVIRONMENT } from '../../shared/adapters/environment';
import { kubeTransport } from '../../shared/adapters/kube-transport';
import { deadlineOf, type LambdaContext } from '../deadline';
import { deployPorts } from './compose';
import { readDeployedObjects } from './deployed-objects';
import { handleObjectOrder } from './handle-object-order';
import type { ObjectOrder, ObjectOutcome } from './object-order';

/** To say what failed. What an apply made is taken back only by calls that still meet the deadline. */
const RESERVE_MS = 20_000;

/** Talks to the cluster, from within its VPC where that is needed; it is invoked by the function that answers CloudFormation. */
export async function handler(event: ObjectOrder, context?: LambdaContext): Promise<ObjectOutcome> {
  const deadline = deadlineOf(context, RESERVE_MS);
  const { env } = process;
  const cluster = { name: env[ENVIRONMENT.clusterName] ?? '', region: env.AWS_REGION ?? '' };
  try {
    return await handleObjectOrder(event, {
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
