import type { KubeObject } from '../harness/api-client';
import type { Cluster } from '../harness/cluster';

/** A pod as the tests look at it. */
export interface Pod extends KubeObject {
  readonly spec: { readonly nodeName?: string; readonly priority?: number };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** A pod that does real work in a NodePool, with the priority that pods have by default. */
export function workPod(name: string, nodePool: string, requests: Readonly<Record<string, string>>) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'work' } },
    spec: {
      terminationGracePeriodSeconds: 0,
      nodeSelector: { 'karpenter.sh/nodepool': nodePool },
      containers: [{ name: 'work', image: 'work', resources: { requests } }],
    },
  };
}

/** Work that comes back when it is displaced, as in a Deployment. */
export function workDeployment(
  name: string,
  nodePool: string,
  requests: Readonly<Record<string, string>>,
  replicas = 1,
) {
  const { spec, metadata } = workPod(name, nodePool, requests);
  const labels = { ...metadata.labels, work: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

export function podsOf(cluster: Cluster, namespace: string, selector = ''): Promise<readonly Pod[]> {
  return cluster.admin.list<Pod>(`/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(selector)}`);
}

export function isRunning({ status, metadata }: Pod): boolean {
  return status.phase === 'Running' && metadata.deletionTimestamp === undefined;
}
