import { orMissing } from '../../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { messageOf } from '../../../shared/core/basics/errors';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../../../shared/core/basics/names';
import type { Deployment, KubeEvent, Node, NodeClaim, NodePool, Pod } from '../../simulator/kube/object-types';
import type { CapacityContent } from '../snapshot/shortage';

/** Enough to fill the page; an unlimited list may be hundreds of megabytes. */
const MAX_LISTED = 1_000;

export interface ClusterContents extends Omit<CapacityContent, 'events'> {
  readonly nodes: readonly Node[];
  /** Those of Headstart's namespace; absent where they may not be read. */
  readonly events?: readonly KubeEvent[] | undefined;
  readonly morePods: boolean;
  readonly problems: readonly string[];
}

export const EMPTY_CONTENTS: ClusterContents = {
  headrooms: [],
  nodes: [],
  nodeClaims: [],
  pods: [],
  morePods: false,
  problems: [],
};

/** Reads everything that the console shows; what cannot be read keeps its last content and is listed as a problem. */
export async function readRealCluster(
  transport: Pick<KubeTransport, 'get'>,
  namespace: string,
  before: ClusterContents,
): Promise<ClusterContents> {
  const problems: string[] = [];
  const read = async <T>(path: string, old: readonly T[], labelSelector?: string): Promise<readonly T[]> => {
    try {
      const query = new URLSearchParams({
        limit: `${MAX_LISTED}`,
        ...(labelSelector !== undefined && { labelSelector }),
      });
      const found = await orMissing(transport.get<{ readonly items: readonly T[] }>(`${path}?${query}`));
      // A cluster without Karpenter does not serve NodeClaims.
      return found?.items ?? [];
    } catch (error) {
      problems.push(messageOf(error));
      return old;
    }
  };
  // These only explain what is missing, so lacking permission to read them is not a problem.
  const readIfAllowed = async <T>(path: string): Promise<readonly T[] | undefined> => {
    const found = transport.get<{ readonly items: readonly T[] }>(`${path}?limit=${MAX_LISTED}`);
    return found.then(({ items }) => items).catch(() => undefined);
  };
  const [headrooms, nodes, nodeClaims, pods, nodePools, events] = await Promise.all([
    read<Deployment>(
      `/apis/apps/v1/namespaces/${namespace}/deployments`,
      before.headrooms,
      `${MANAGED_BY_LABEL}=${MANAGED_BY}`,
    ),
    read<Node>('/api/v1/nodes', before.nodes),
    read<NodeClaim>('/apis/karpenter.sh/v1/nodeclaims', before.nodeClaims),
    read<Pod>('/api/v1/pods', before.pods),
    readIfAllowed<NodePool>('/apis/karpenter.sh/v1/nodepools'),
    readIfAllowed<KubeEvent>(`/api/v1/namespaces/${namespace}/events`),
  ]);
  const morePods = pods.length >= MAX_LISTED;
  return { headrooms, nodes, nodeClaims, pods, nodePools, events, morePods, problems };
}
