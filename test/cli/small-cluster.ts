import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeApi } from '../../lab/simulator/kube/api/kube-api';
import { DEPLOYMENTS, KINDS, type Kind, NODE_CLAIMS, NODES, PODS } from '../../lab/simulator/kube/kinds';
import type { KubeObject } from '../../lab/simulator/kube/object-types';
import { kubeconfigFor } from '../../lab/simulator/kube/rest/kubeconfig';
import { respond } from '../../lab/simulator/kube/rest/rest-response';
import { HEADROOM_LABEL, headroomName, KARPENTER_NODEPOOL_LABEL } from '../../shared/core/basics/names';
import { clusterObjects } from '../../shared/core/manifests/cluster-object-manifests';
import { apiRequest, json, type LoopbackServer, loopbackServer } from '../fakes/loopback-server';
import { emptyApi } from '../lab/simulator/kube/serve-store';
import { folderWith, NOW } from './run-cli';

const NAMESPACE = 'headroom';

/** A Kubernetes API on loopback whose clock moves, and whose pods and nodes come, only when a test says so. */
export class SmallCluster {
  private names = 0;
  private static readonly FORBIDDEN = {
    kind: 'Status',
    status: 'Failure',
    code: 403,
    reason: 'Forbidden',
    message: 'forbidden',
  };

  private constructor(
    readonly api: KubeApi,
    private readonly server: LoopbackServer,
    private readonly clock: { now: number },
    readonly kubeconfig: string,
    private readonly forbidden: Set<string>,
  ) {}

  /** Its kubeconfig is in `folder`. */
  static async start(nodePools: readonly string[], folder = folderWith({})): Promise<SmallCluster> {
    const clock = { now: NOW };
    const forbidden = new Set<string>();
    const api = emptyApi([], () => clock.now);
    const server = await loopbackServer((seen, response) => {
      const request = apiRequest(seen);
      if (forbidden.has(request.path)) return json(response, 403, SmallCluster.FORBIDDEN);
      observeGenerations(api);
      const { status, body: content } = respond(api, request);
      json(response, status, content, { date: new Date(clock.now).toUTCString() });
    });
    writeFileSync(join(folder, 'kubeconfig'), kubeconfigFor(server.url));
    const cluster = new SmallCluster(api, server, clock, join(folder, 'kubeconfig'), forbidden);
    for (const manifest of clusterObjects(NAMESPACE)) cluster.apply(manifest);
    for (const name of nodePools) cluster.apply(nodePool(name));
    return cluster;
  }

  get url(): string {
    return this.server.url;
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** From now on nobody may read this. */
  forbid(path: string): void {
    this.forbidden.add(path);
  }

  /** Time stamps of what is made from now on. */
  setTime(now: number): void {
    this.clock.now = now;
  }

  apply(manifest: KubeManifest): void {
    const kind = KINDS.find((one) => one.kind === manifest.kind);
    if (!kind) throw new Error(`the sandbox serves no ${manifest.kind}`);
    const { name, namespace } = manifest.metadata;
    this.api.apply(kind, { name, ...(namespace && { namespace }) }, manifest, { fieldManager: 'test', force: true });
  }

  /** A node that is there before anybody asks for it. */
  addNode(nodePool: string): string {
    this.names += 1;
    const name = `node-${this.names}`;
    const labels = { [KARPENTER_NODEPOOL_LABEL]: nodePool };
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    this.api.create(NODES, undefined, { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status });
    return name;
  }

  /** A NodeClaim whose node is on its way. */
  addClaim(nodePool: string): void {
    this.names += 1;
    this.api.create(NODE_CLAIMS, undefined, {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: `claim-${this.names}`, labels: { [KARPENTER_NODEPOOL_LABEL]: nodePool } },
      spec: { requirements: [], nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' } },
    });
  }

  /** The same with the NodeClaim that Karpenter made it from, whose size a floor looks at. */
  addFloorNode(nodePool: string, { cpu, memoryMiB }: { readonly cpu: number; readonly memoryMiB: number }): string {
    const name = this.addNode(nodePool);
    const labels = {
      [KARPENTER_NODEPOOL_LABEL]: nodePool,
      'karpenter.k8s.aws/instance-cpu': String(cpu),
      'karpenter.k8s.aws/instance-memory': String(memoryMiB),
    };
    const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
    const claim = this.api.create(NODE_CLAIMS, undefined, {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: `${name}-claim`, labels },
      spec: { requirements: [], nodeClassRef },
    });
    const conditions = ['Launched', 'Initialized'].map((type) => ({ type, status: 'True' }));
    this.setStatus(NODE_CLAIMS, claim, { nodeName: name, conditions });
    return name;
  }

  /** Somebody's pod that runs on a node. */
  addWork(nodeName: string, metadata: Readonly<Record<string, unknown>>): void {
    this.names += 1;
    this.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } } as KubeManifest);
    const pod = this.api.create(PODS, 'shop', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, name: `work-${this.names}` },
      spec: { nodeName, containers: [{ name: 'work', image: 'work' }] },
    } as never);
    this.setStatus(PODS, pod, { phase: 'Running' });
  }

  /** Brings the pods of a headroom to its size: the first ones ready on these nodes, the others without a place. */
  place(nodePool: string, nodes: readonly string[], message = '0/1 nodes are available'): void {
    const deployment = this.api.get(DEPLOYMENTS, NAMESPACE, headroomName(nodePool));
    const replicas = deployment.spec.replicas ?? 0;
    for (const pod of this.api.list(PODS, NAMESPACE, { labelSelector: `${HEADROOM_LABEL}=${nodePool}` }))
      this.api.delete(PODS, pod, { gracePeriodSeconds: 0 });
    for (let index = 0; index < replicas; index += 1) this.addPod(nodePool, nodes[index], message);
    const ready = Math.min(replicas, nodes.length);
    const observedGeneration = deployment.metadata.generation;
    const status = { observedGeneration, replicas, updatedReplicas: replicas, readyReplicas: ready };
    this.setStatus(DEPLOYMENTS, deployment, status);
  }

  setStatus(kind: Kind, object: KubeObject, status: object): void {
    this.api.patch(kind, object, { kind: 'merge', body: { status } as never }, { subresource: 'status' });
  }

  private addPod(nodePool: string, nodeName: string | undefined, message: string): void {
    this.names += 1;
    const pod = this.api.create(PODS, NAMESPACE, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `pause-${this.names}`, labels: { [HEADROOM_LABEL]: nodePool } },
      spec: { ...(nodeName && { nodeName }), containers: [{ name: 'pause', image: 'pause' }] },
    });
    const conditions = nodeName
      ? [{ type: 'Ready', status: 'True' }]
      : [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }];
    this.setStatus(PODS, pod, { phase: nodeName ? 'Running' : 'Pending', conditions });
  }
}

interface KubeManifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** As the Deployment controller does at once after each write, so that what a test placed stays ready. */
function observeGenerations(api: KubeApi): void {
  for (const deployment of api.list(DEPLOYMENTS, NAMESPACE, {})) {
    const { generation } = deployment.metadata;
    const { observedGeneration = generation } = deployment.status ?? {};
    if (observedGeneration === generation) continue;
    const body = { status: { observedGeneration: generation } } as never;
    api.patch(DEPLOYMENTS, deployment, { kind: 'merge', body }, { subresource: 'status' });
  }
}

export function nodePool(name: string, limits: Readonly<Record<string, string>> = {}) {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      limits,
      template: {
        spec: {
          requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }],
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        },
      },
    },
  };
}
