import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { messageOf } from '../../../shared/core/basics/errors';
import {
  type ClusterNetwork,
  type DiscoveryChange,
  type DiscoveryRequest,
  discoveryOutcome,
  keepDiscoveryTags,
  removeDiscoveryTags,
  setDiscoveryTags,
} from '../../../shared/core/karpenter/discovery-tags';
import { type CustomResourceResponse, shortAttribute } from '../protocol/custom-resource';
import { type AdmissionPorts, isPassingAwsError, untilAdmitted } from '../protocol/retry-until-admitted';
import type { RollbackPorts } from '../protocol/stack-rollback';

interface Ports extends AdmissionPorts, RollbackPorts {
  readonly network: (clusterName: string) => Promise<ClusterNetwork>;
}

/** Sets or removes the discovery tags of one cluster; the resource's properties are a `DiscoveryRequest`. */
export async function handleDiscoveryTags(
  event: CloudFormationCustomResourceEvent,
  ports: Ports,
): Promise<CustomResourceResponse> {
  const request = event.ResourceProperties as unknown as DiscoveryRequest;
  const { clusterName } = request;
  const network = await ports.network(clusterName);
  const before =
    'OldResourceProperties' in event ? (event.OldResourceProperties as unknown as DiscoveryRequest) : undefined;
  // A second try changes only what the first did not.
  const change = await untilAdmitted(
    ports,
    isPassingAwsError,
  )(() =>
    event.RequestType === 'Delete'
      ? whenDeleted(request, network, event.StackId, ports)
      : setDiscoveryTags(request, network, before),
  );
  ports.log.info('discovery tags changed', { request: event.RequestType, cluster: clusterName, ...change });
  return {
    physicalResourceId: `discovery-tags-${clusterName}`,
    data: { Outcome: shortAttribute(discoveryOutcome(change)) },
  };
}

/**
 * A rollback removes what the failed deploy added, and an update what the config listed. With the
 * stack all tags go, unless Karpenter's nodes still run: without the tags it would replace all of
 * them, and could launch no others.
 */
async function whenDeleted(
  request: DiscoveryRequest,
  network: ClusterNetwork,
  stackId: string,
  { stackStatus, log, ...waiting }: Ports,
): Promise<DiscoveryChange> {
  const status = await stackStatus(stackId).catch((error: unknown) => unknown(error, 'status of the stack', ''));
  if (status.includes('ROLLBACK')) return removeDiscoveryTags(request, network);
  if (status.startsWith('UPDATE'))
    return setDiscoveryTags({ ...request, subnets: [], securityGroups: [] }, network, request);
  const counted = untilAdmitted({ ...waiting, log }, isPassingAwsError)(() => network.karpenterNodes());
  const nodes = await counted.catch((error: unknown) => unknown(error, 'number of nodes', 1));
  return nodes === 0 ? removeDiscoveryTags(request, network) : keepDiscoveryTags(request, network);

  function unknown<T>(error: unknown, what: string, assumed: T): T {
    log.warn(`${what} unknown`, { reason: messageOf(error) });
    return assumed;
  }
}
