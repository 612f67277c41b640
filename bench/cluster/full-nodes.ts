import type { KubeObject } from '../../test/cluster/harness/api-client';
import type { Cluster } from '../../test/cluster/harness/cluster';

interface Node extends KubeObject {
  readonly status: { readonly allocatable: Readonly<Record<string, string>> };
}

interface Placed extends KubeObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly { readonly resources?: { readonly requests?: Readonly<Record<string, string>> } }[];
  };
}

/** Takes the free CPUs of a NodePool's nodes where a pod of so many would fit, so that each pod of a burst has to preempt. */
export async function fillNodes(cluster: Cluster, nodePool: string, cpu: number): Promise<void> {
  const nodes = await cluster.admin.list<Node>(`/api/v1/nodes?labelSelector=karpenter.sh%2Fnodepool%3D${nodePool}`);
  const pods = await cluster.admin.list<Placed>('/api/v1/pods');
  for (const { metadata, status } of nodes) {
    const here = pods.filter(({ spec }) => spec.nodeName === metadata.name);
    const free = cpus(status.allocatable.cpu) - here.reduce((sum, pod) => sum + requested(pod), 0);
    if (free < cpu) continue;
    const requests = { cpu: `${Math.round(free * 1000)}m` };
    await cluster.admin.send('POST', `/api/v1/namespaces/work-${nodePool}/pods`, {
      metadata: { name: `filler-${metadata.name}` },
      spec: { nodeName: metadata.name, containers: [{ name: 'filler', image: 'filler', resources: { requests } }] },
    });
  }
}

function requested({ spec }: Placed): number {
  return spec.containers.reduce((sum, { resources }) => sum + cpus(resources?.requests?.cpu), 0);
}

function cpus(quantity = '0'): number {
  return quantity.endsWith('m') ? Number(quantity.slice(0, -1)) / 1000 : Number(quantity);
}
