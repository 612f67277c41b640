import { currentHeadroom } from '../../shared/adapters/kube/kube-cluster';
import { ConflictError } from '../../shared/core/basics/errors';
import type { LikeWorkload } from '../../shared/core/config/config';
import type { NodeClaimShape } from '../../shared/core/karpenter/can-land';
import type { WorkloadObject } from '../../shared/core/like/workload';
import type { LiveConfigMap } from '../../shared/core/live/live-text';
import type { DeploymentManifest } from '../../shared/core/manifests/pause-deployment';
import type {
  Cluster,
  CurrentHeadroom,
  NodeClaim,
  NodeClaimFacts,
  NodeClaimsRead,
  NodePoolFacts,
  NodeStart,
} from '../../shared/core/ports/ports';

type Call =
  | 'live'
  | 'workload'
  | 'list'
  | 'read'
  | 'create'
  | 'apply'
  | 'delete'
  | 'nodePools'
  | 'nodeClaims'
  | 'version';

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
  /** By namespace and name. */
  readonly workloads = new Map<string, WorkloadObject>();
  /** Throws instead of answering, as long as it returns an error. */
  fault: (call: Call, name?: string) => Error | undefined = () => undefined;
  private readonly objects = new Map<string, CurrentHeadroom>();
  private version = 0;

  constructor(private readonly now: () => number = () => 0) {}

  async listHeadrooms(): Promise<readonly CurrentHeadroom[]> {
    await this.called('list');
    return [...this.objects.values()].map((current) => ({ ...current, object: asListed(current.object) }));
  }

  async readHeadroom(name: string): Promise<CurrentHeadroom | undefined> {
    await this.called('read', name);
    return this.objects.get(name);
  }

  async createHeadroom(manifest: DeploymentManifest): Promise<CurrentHeadroom> {
    const { name } = manifest.metadata;
    await this.called('create', name);
    if (this.objects.has(name)) throw new ConflictError(`${name} already exists`);
    return this.store(manifest, `uid-${this.version + 1}`);
  }

  async applyHeadroom(manifest: DeploymentManifest, resourceVersion: string): Promise<CurrentHeadroom> {
    const { name } = manifest.metadata;
    await this.called('apply', name);
    const current = this.objects.get(name);
    if (current && current.resourceVersion !== resourceVersion) throw new ConflictError(`${name} was modified`);
    return this.store(manifest, current?.uid ?? `uid-${this.version + 1}`, current?.ready);
  }

  async deleteHeadroom({ name, uid, resourceVersion }: CurrentHeadroom): Promise<void> {
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

  async readWorkload({ namespace, name }: LikeWorkload): Promise<WorkloadObject | undefined> {
    await this.called('workload', `${namespace}/${name}`);
    return this.workloads.get(`${namespace}/${name}`);
  }

  async kubernetesMinor(): Promise<number> {
    await this.called('version');
    return this.minor;
  }

  /** What stands there now. */
  headroom(nodePool: string): CurrentHeadroom | undefined {
    return this.objects.get(`headroom-${nodePool}`);
  }

  get writes(): number {
    return this.calls.filter((call) => call === 'create' || call === 'apply' || call === 'delete').length;
  }

  /** Somebody else changes the object. */
  edit(nodePool: string, change: (current: CurrentHeadroom) => Partial<CurrentHeadroom>): void {
    const current = this.headroom(nodePool);
    if (!current) throw new Error(`fake cluster has no headroom of ${nodePool}`);
    const changed = { ...current, ...change(current) };
    const object = changed.object as { spec: object; metadata: object };
    this.version += 1;
    this.objects.set(current.name, {
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

  private store(manifest: DeploymentManifest, uid: string, ready = 0): CurrentHeadroom {
    this.version += 1;
    const metadata = { ...manifest.metadata, uid, resourceVersion: String(this.version) };
    const writtenAt = this.now();
    const live = {
      ...currentHeadroom({ ...manifest, metadata }),
      writtenAt,
      ready: Math.min(ready, manifest.spec.replicas),
    };
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
