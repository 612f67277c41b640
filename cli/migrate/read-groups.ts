import type { V1Deployment, V1Node, V1Pod } from '@kubernetes/client-node';
import type { KubeTransport } from '../../shared/adapters/kube/kube-transport';
import { type ClusterSeen, keptWorkload, nodeGroups } from './group-facts';

const DEPLOYMENTS = '/apis/apps/v1/deployments';
const KEPT = [
  'k8s-app=kube-dns',
  'app.kubernetes.io/name=metrics-server',
  'k8s-app=metrics-server',
  'app.kubernetes.io/name=karpenter',
];
const AUTOSCALER = ['app.kubernetes.io/name in (cluster-autoscaler, aws-cluster-autoscaler)', 'app=cluster-autoscaler'];

/** Reads the node groups, what runs on them, and what must stay on one. */
export async function readGroups(transport: KubeTransport): Promise<ClusterSeen> {
  const deployments = async (selectors: readonly string[]) =>
    unique((await Promise.all(selectors.map((one) => transport.list<V1Deployment>(DEPLOYMENTS, one)))).flat());
  const [nodes, pods, kept, autoscalers] = await Promise.all([
    transport.list<V1Node>('/api/v1/nodes'),
    transport.list<V1Pod>('/api/v1/pods'),
    deployments(KEPT),
    deployments(AUTOSCALER),
  ]);
  const [autoscaler] = autoscalers;
  return {
    groups: nodeGroups(nodes, pods),
    kept: kept.map(keptWorkload),
    ...(autoscaler && {
      clusterAutoscaler: {
        namespace: autoscaler.metadata?.namespace ?? '',
        name: autoscaler.metadata?.name ?? '',
        replicas: autoscaler.spec?.replicas ?? 1,
      },
    }),
  };
}

function unique(found: readonly V1Deployment[]): readonly V1Deployment[] {
  return [...new Map(found.map((one) => [`${one.metadata?.namespace}/${one.metadata?.name}`, one])).values()];
}
