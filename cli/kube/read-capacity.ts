import type { CoreV1Event, KubernetesObject, V1Deployment, V1Node, V1Pod } from '@kubernetes/client-node';
import { orMissing } from '../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../shared/adapters/kube/kube-transport';
import { HEADROOM_LABEL, headroomName, KARPENTER_NODEPOOL_LABEL } from '../../shared/core/basics/names';
import type { HeadroomConfig } from '../../shared/core/config/config';
import { type CapacityFacts, capacityFacts } from '../../shared/core/karpenter/capacity-facts';
import type { NodeClaimFields, NodePoolFields } from '../../shared/core/karpenter/objects';
import { plainAll } from '../terminal/plain';
import { read, readOr } from './read';

type NodeClaim = KubernetesObject & Partial<NodeClaimFields>;
type NodePool = KubernetesObject & Partial<NodePoolFields>;

/** Reads with the caller's own permissions; what these do not cover counts as absent. */
export async function readCapacity(
  transport: KubeTransport,
  namespace: string,
  { name, nodePool }: Pick<HeadroomConfig, 'name' | 'nodePool'>,
): Promise<CapacityFacts> {
  const list = async <T extends KubernetesObject>(path: string, selector?: string) =>
    readOr(await read(transport.list<T>(path, selector)), []);
  const ofPool = `${KARPENTER_NODEPOOL_LABEL}=${nodePool}`;
  const inNamespace = `/api/v1/namespaces/${namespace}`;
  const deploymentPath = `/apis/apps/v1/namespaces/${namespace}/deployments/${headroomName(name)}`;
  const [pods, nodes, claims, events, pool, deployment] = await Promise.all([
    list<V1Pod>(`${inNamespace}/pods`, `${HEADROOM_LABEL}=${name}`),
    list<V1Node>('/api/v1/nodes', ofPool),
    list<NodeClaim>('/apis/karpenter.sh/v1/nodeclaims', ofPool),
    list<CoreV1Event & KubernetesObject>(`${inNamespace}/events`),
    read(orMissing(transport.get<NodePool>(`/apis/karpenter.sh/v1/nodepools/${nodePool}`))),
    read(transport.get<V1Deployment>(deploymentPath)),
  ]);
  const conditions = deployment.ok ? (deployment.value.status?.conditions ?? []) : [];
  return plainAll(capacityFacts({ headroom: name, nodePool, pods, nodes, claims, pool, conditions, events }));
}
