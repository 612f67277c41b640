import type { Cluster } from '../harness/cluster';
import { eventually } from '../harness/process/eventually';
import { podsOf } from './pods';

const MERGE = 'application/merge-patch+json';
const nodePath = (node: string) => `/api/v1/nodes/${node}`;

/** Keeps new pods away from a node and evicts those of a namespace, as `kubectl drain` does. */
export async function drainNode(cluster: Cluster, node: string, namespace: string): Promise<void> {
  await cluster.admin.send('PATCH', nodePath(node), { spec: { unschedulable: true } }, MERGE);
  const pods = await podsOf(cluster, namespace);
  for (const { metadata } of pods.filter(({ spec }) => spec.nodeName === node)) {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name, namespace } };
    await cluster.admin.send('POST', `/api/v1/namespaces/${namespace}/pods/${metadata.name}/eviction`, eviction);
  }
}

/** Takes a node away at once, as when its instance is gone: nobody drains it. */
export async function loseNode({ admin }: Cluster, node: string): Promise<void> {
  const isGone = async () => {
    const { status } = await admin.request('PATCH', nodePath(node), { metadata: { finalizers: null } }, MERGE);
    await admin.remove(nodePath(node));
    return status === 404;
  };
  await eventually(isGone, { what: `the end of ${node}` });
}
