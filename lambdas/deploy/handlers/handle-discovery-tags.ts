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
} from '../../../shared/core/karpenter/install/discovery-tags';
import { type CustomResourceResponse, shortAttribute } from '../protocol/custom-resource';
import { type AdmissionPorts, isPassingAwsError, untilAdmitted } from '../protocol/retry-until-admitted';
import { knownStatus, type RollbackPorts } from '../protocol/stack-rollback';

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
  const patiently = untilAdmitted(ports, isPassingAwsError);
  const change = await patiently(() =>
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
 * A rollback removes what the failed deploy added, and an update what the config listed. With the stack all tags go,
 * unless Karpenter's nodes still run: without the tags it would replace all of them, and could launch no others.
 */
async function whenDeleted(
  request: DiscoveryRequest,
  network: ClusterNetwork,
  stackId: string,
  ports: Ports,
): Promise<DiscoveryChange> {
  const status = await knownStatus(stackId, ports);
  if (status.includes('ROLLBACK')) return removeDiscoveryTags(request, network);
  if (status.startsWith('UPDATE'))
    return setDiscoveryTags({ ...request, subnets: [], securityGroups: [] }, network, request);
  const counted = untilAdmitted(ports, isPassingAwsError)(() => network.karpenterNodes());
  const nodes = await counted.catch((error: unknown) => {
    ports.log.warn('number of nodes unknown', { reason: messageOf(error) });
    return 1;
  });
  return nodes === 0 ? removeDiscoveryTags(request, network) : keepDiscoveryTags(request, network);
}
