import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { clusterConnection } from '../../shared/adapters/aws/cluster-connection';
import { kubeTransport } from '../../shared/adapters/kube/kube-transport';
import { deadlineOf, type LambdaContext } from '../deadline';
import { deployPorts } from './deploy-ports';
import { handleKarpenterCheck } from './handlers/handle-karpenter-check';
import { clusterAbout } from './protocol/explain-deploy-error';

const RESERVE_MS = 5_000;

/** Looks for a Karpenter controller before Helm installs one. `relay` invokes it and answers CloudFormation. */
export async function handler(event: CloudFormationCustomResourceEvent, context?: LambdaContext) {
  const deadline = deadlineOf(context, RESERVE_MS);
  return handleKarpenterCheck(event, {
    ...deployPorts,
    deadline,
    connect: async () => {
      const about = clusterAbout(event.ResourceProperties);
      return kubeTransport(await clusterConnection(about, process.env, deployPorts.now, deadline), { deadline });
    },
  });
}
