import { liveHeadroom } from '../../shared/adapters/kube/kube-cluster';
import { ConflictError } from '../../shared/core/basics/errors';
import type { NodeClaimShape } from '../../shared/core/karpenter/can-land';
import type { LiveConfigMap } from '../../shared/core/live/live-text';
import type { DeploymentManifest } from '../../shared/core/manifests/pause-deployment';
import type {
  Cluster,
  LiveHeadroom,
  NodeClaim,
  NodeClaimFacts,
  NodeClaimsRead,
  NodePoolFacts,
  NodeStart,
} from '../../shared/core/ports/ports';

type Call = 'live' | 'list' | 'read' | 'create' | 'apply' | 'delete' | 'nodePools' | 'nodeClaims' | 'version';

/** A cluster in memory that enforces versions like the real one, and yields between calls so that racers meet. */
export class FakeCluster implements Cluster {
  readonly calls: Call[] = [];
  nodePools: NodePoolFacts[] = [];
  nodeClaims: NodeClaimFacts[] = [];
  /** The same NodeClaims as pods see them. */
  nodes: NodeClaimShape[] = [];
  /** The same NodeClaims on their way. */
  starts: NodeStart[] = [];
  minor = 35;
  /** The ConfigMap with the live schedules. */
  configMap: LiveConfigMap | undefined;
  /** Throws instead of answering, as long as it returns an error. */
  fault: (call: Call, name?: string) => Error | undefined = () => undefined;
  private readonly objects = new Map<string, LiveHeadroom>();
  private version = 0;

  async listHeadrooms(): Promise<readonly LiveHeadroom[]> {
    await this.called('list');
    return [...this.objects.values()].map((live) => ({ ...live, object: asListed(live.object) }));
  }

  async readHeadroom(name: string): Promise<LiveHeadroom | undefined> {
    await this.called('read', name);
    return this.objects.get(name);
  }

  async createHeadroom(manifest: DeploymentManifest): Promise<LiveHeadroom> {
    const { name } = manifest.metadata;
    await this.called('create', name);
    if (this.objects.has(name)) throw new ConflictError(`${name} already exists`);
    return this.store(manifest, `uid-${this.version + 1}`);
  }

  async applyHeadroom(manifest: DeploymentManifest, resourceVersion: string): Promise<LiveHeadroom> {
    const { name } = manifest.metadata;
    await this.called('apply', name);
    const current = this.objects.get(name);
    if (current && current.resourceVersion !== resourceVersion) throw new ConflictError(`${name} was modified`);
    return this.store(manifest, current?.uid ?? `uid-${this.version + 1}`, current?.ready);
  }

  async deleteHeadroom({ name, uid, resourceVersion }: LiveHeadroom): Promise<void> {
    await this.called('delete', name);
    const current = this.objects.get(name);
    if (current?.uid !== uid) throw new ConflictError(`${name} is another object`);
    if (current.resourceVersion !== resourceVersion) throw new ConflictError(`${name} was modified`);
    this.objects.delete(name);
  }

  async listNodePools(): Promise<readonly NodePoolFacts[]> {
    await this.called('nodePools');
    return this.nodePools;
  }

  async readNodeClaims(begin: () => (claim: NodeClaim) => void, _which?: NodeClaimsRead): Promise<void> {
    const see = begin();
    await this.called('nodeClaims');
    for (const facts of this.nodeClaims) see({ facts });
    for (const shape of this.nodes) see({ shape });
    for (const start of this.starts) see({ start });
  }

  async readLiveSchedules(): Promise<LiveConfigMap | undefined> {
    await this.called('live');
    return this.configMap;
  }

  async kubernetesMinor(): Promise<number> {
    await this.called('version');
    return this.minor;
  }

  /** What stands there now. */
  headroom(nodePool: string): LiveHeadroom | undefined {
    return this.objects.get(`headroom-${nodePool}`);
  }

  get writes(): number {
    return this.calls.filter((call) => call === 'create' || call === 'apply' || call === 'delete').length;
  }

  /** Somebody else changes the object. */
  edit(nodePool: string, change: (live: LiveHeadroom) => Partial<LiveHeadroom>): void {
    const live = this.headroom(nodePool);
    if (!live) throw new Error(`fake cluster has no headroom of ${nodePool}`);
    const changed = { ...live, ...change(live) };
    const object = changed.object as { spec: object; metadata: object };
    this.version += 1;
    this.objects.set(live.name, {
      ...changed,
      resourceVersion: String(this.version),
      object: {
        ...object,
        metadata: { ...object.metadata, annotations: changed.annotations },
        spec: { ...object.spec, replicas: changed.replicas },
      },
    });
  }

  remove(nodePool: string): void {
    this.objects.delete(`headroom-${nodePool}`);
  }

  private store(manifest: DeploymentManifest, uid: string, ready = 0): LiveHeadroom {
    this.version += 1;
    const metadata = { ...manifest.metadata, uid, resourceVersion: String(this.version) };
    const live = { ...liveHeadroom({ ...manifest, metadata }), ready: Math.min(ready, manifest.spec.replicas) };
    this.objects.set(live.name, live);
    return live;
  }

  private async called(call: Call, name?: string): Promise<void> {
    this.calls.push(call);
    await new Promise((resolve) => setImmediate(resolve));
    const fault = this.fault(call, name);
    if (fault) throw fault;
  }
}

/** The items of a list name neither their version nor their kind. */
function asListed(object: unknown): unknown {
  const { apiVersion: _version, kind: _kind, ...rest } = object as Readonly<Record<string, unknown>>;
  return rest;
}
