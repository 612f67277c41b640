import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import {
  type ClusterNetwork,
  type DiscoveryRequest,
  removeDiscoveryTags,
  setDiscoveryTags,
} from '../../shared/core/karpenter/discovery-tags';
import type { Log } from '../../shared/core/ports/ports';
import type { CustomResourceResponse } from './custom-resource';

interface Ports {
  readonly network: (clusterName: string) => Promise<ClusterNetwork>;
  readonly log: Log;
}

/** Sets or removes the discovery tags of one cluster; the construct writes a `DiscoveryRequest` as properties. */
export async function handleDiscoveryTags(
  event: CloudFormationCustomResourceEvent,
  { network, log }: Ports,
): Promise<CustomResourceResponse> {
  const request = event.ResourceProperties as unknown as DiscoveryRequest;
  const { clusterName } = request;
  const change = event.RequestType === 'Delete' ? removeDiscoveryTags : setDiscoveryTags;
  const { added, removed } = await change(request, await network(clusterName));
  log.info('discovery tags changed', { request: event.RequestType, cluster: clusterName, added, removed });
  return { physicalResourceId: `discovery-tags-${clusterName}` };
}
