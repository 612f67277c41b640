import { AlarmTable } from '../../../lab/simulator/bus/alarm-table';
import type { AlarmChange } from '../../../lab/simulator/bus/aws-events';
import { VirtualClock } from '../../../lab/simulator/deterministic/virtual-clock';
import { KubeApi } from '../../../lab/simulator/kube/api/kube-api';
import { DEPLOYMENTS, NAMESPACES, NODE_CLAIMS, NODE_POOLS } from '../../../lab/simulator/kube/kinds';
import { ObjectStore } from '../../../lab/simulator/kube/object-store';
import type { Deployment } from '../../../lab/simulator/kube/object-types';
import { KARPENTER_NODEPOOL_LABEL, MANAGED_BY, MANAGED_BY_LABEL } from '../../../shared/core/basics/names';
import type { Taint } from '../../../shared/core/karpenter/objects';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import type { AlarmReading } from '../../../shared/core/ports/ports';
import type { Invocation } from './invocation';
import { Workloads } from './workloads';

export const NAMESPACE = 'headroom';
/** The API group of the labels that hold a node's size. */
export const NODE_CLASS_GROUP = 'karpenter.k8s.aws';

/** One NodePool is of EKS Auto Mode. */
export function nodeClassGroupOf(nodePool: string): string {
  return nodePool === 'batch' ? 'eks.amazonaws.com' : NODE_CLASS_GROUP;
}

/** Start times of consecutive nodes; they vary, so that the learned lead time goes up and down. */
const NODE_SECONDS = [20, 45, 30, 90, 25, 200, 40, 15];

type Labels = Readonly<Record<string, string>>;

/** What the floors of these configs ask of a node besides its size. */
const GOOD: Labels = { 'kubernetes.io/arch': 'amd64', 'example.com/rack': 'r1', 'example.com/disk': '4' };

/** Nodes on which no floor pod can land, and one on which it can. */
export const ODD_NODES: readonly OddNode[] = [
  { labels: GOOD, taints: [{ key: 'reserved', effect: 'NoSchedule' }] },
  { labels: GOOD, taints: [{ key: 'rather-not', effect: 'PreferNoSchedule' }] },
  { labels: { ...GOOD, 'kubernetes.io/arch': 'arm64' } },
  { labels: { ...GOOD, 'example.com/old': '' } },
  { labels: { ...GOOD, 'example.com/disk': '8' } },
  { labels: { ...GOOD, 'example.com/disk': 'many' } },
  { labels: { 'kubernetes.io/arch': 'amd64', 'example.com/disk': '4' } },
];

export interface OddNode {
  readonly labels?: Labels;
  readonly taints?: readonly Taint[];
}

export interface PoolFacts {
  readonly limits?: Labels;
  readonly resources?: Labels;
  readonly conditions?: readonly object[];
}

/** Who makes the current change: a function, an operator, or the cluster's own controllers. */
export type Writer = Invocation | 'operator' | 'cluster';

export interface Claim {
  readonly instanceId: string;
  readonly nodePool: string;
}

/** When an instance was one of the cluster's. */
export interface Life {
  readonly nodePool: string;
  readonly from: number;
  readonly until: number;
}

/** The cluster, CloudWatch and the clock: everything outside Headstart. */
export class World {
  readonly clock: VirtualClock;
  readonly store: ObjectStore;
  readonly api: KubeApi;
  readonly alarms = new AlarmTable();
  readonly workloads = new Workloads();
  writer: Writer = 'cluster';
  /** The minor version of Kubernetes; image volumes work from 35 on. */
  kubernetesMinor = 35;
  /** Who wrote the text that each version of the ConfigMap with the live schedules holds, and when. */
  readonly liveEdits = new Map<string, { readonly by: string; readonly at: string }>();
  /** When each Deployment last got Headstart's label or its owner, by uid: operators remove them and functions restore them. */
  readonly ownedSince = new Map<string, number>();
  /** Deployments, as they were, whose size somebody else had set. */
  readonly scaledByHand = new WeakSet<object>();
  /** When a function last changed a Deployment, as managedFields of that version say. */
  readonly wroteAt = new WeakMap<object, number>();
  /** When a NodePool or a NodeClaim last changed. */
  nodesChangedAt = 0;
  private readonly claims = new Map<string, Claim>();
  private readonly lives = new Map<string, Life>();
  private readonly alarmEnds = new Map<string, number>();
  private readonly readings = new Map<string, AlarmReading>();
  private made = 0;

  constructor(readonly startedAt: number) {
    this.clock = new VirtualClock(startedAt);
    this.store = new ObjectStore({
      now: this.clock.now,
      newUid: () => `uid-${this.next()}`,
      newSuffix: () => `${this.next()}`,
    });
    this.api = new KubeApi(this.store);
    this.store.insert(NAMESPACES, { metadata: { name: NAMESPACE } });
    const noteNodes = () => {
      this.nodesChangedAt = this.now;
    };
    this.store.subscribe(NODE_POOLS, noteNodes);
    this.store.subscribe(NODE_CLAIMS, noteNodes);
    this.store.subscribe(DEPLOYMENTS, ({ object, previous }) => {
      const own = this.store.managersOf(DEPLOYMENTS, object).filter(({ manager }) => manager === 'headstart');
      if (own.length > 0) this.wroteAt.set(object, Math.max(...own.map(({ time }) => Date.parse(time))));
      const owner = ownerOf(object);
      if (owner !== undefined && owner !== ownerOf(previous)) this.ownedSince.set(object.metadata.uid, this.now);
      const isSameSize = previous?.spec.replicas === object.spec.replicas;
      if (isSameSize ? this.scaledByHand.has(previous) : this.writer === 'operator') this.scaledByHand.add(object);
    });
  }

  get now(): number {
    return this.clock.now();
  }

  /** Runs `work` with its writes attributed to `writer`. */
  as<T>(writer: Writer, work: () => T): T {
    const before = this.writer;
    this.writer = writer;
    try {
      return work();
    } finally {
      this.writer = before;
    }
  }

  /** Changes an alarm's state; `undefined` if it already has that state, or has changed in this very millisecond. */
  setAlarm(alarmName: string, state: AlarmReading['state']): AlarmChange | undefined {
    if (this.readings.get(alarmName)?.at === this.now) return undefined;
    const change = this.alarms.set(alarmName, state, this.now);
    if (change?.previous === 'ALARM') this.alarmEnds.set(alarmName, change.at);
    if (change) this.readings.set(alarmName, { state, at: change.at });
    return change;
  }

  /** An alarm's state, and when it last left ALARM. */
  alarmState(alarmName: string): { readonly reading: AlarmReading; readonly endedAt: number | undefined } {
    const reading = this.readings.get(alarmName) ?? { state: 'OK', at: this.startedAt };
    return { reading, endedAt: this.alarmEnds.get(alarmName) };
  }

  hasNodePool(name: string): boolean {
    return this.store.get(NODE_POOLS, undefined, name) !== undefined;
  }

  /** `facts` may say that it is not ready, or limited. */
  addNodePool(name: string, taints: readonly Taint[], zones: readonly string[] = [], facts: PoolFacts = {}): void {
    const nodeClassRef = { group: nodeClassGroupOf(name), kind: 'EC2NodeClass', name: 'default' };
    const arch = { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] };
    const zone = { key: 'topology.kubernetes.io/zone', operator: 'In', values: [...zones] };
    const requirements = zones.length > 0 ? [arch, zone] : [arch];
    const { limits, ...status } = facts;
    const spec = { template: { spec: { taints, requirements, nodeClassRef } }, ...(limits && { limits }) };
    this.store.insert(NODE_POOLS, { metadata: { name }, spec, status });
  }

  removeNodePool(name: string): void {
    this.store.remove(NODE_POOLS, undefined, name);
  }

  addNodeClaim(nodePool: string, cpu = 4, odd: OddNode = {}): Claim {
    const claim = this.requestNode(nodePool, odd.taints);
    this.launch(claim, cpu, odd.labels);
    return claim;
  }

  /** A node that has been ready for some time. */
  addReadyNode(nodePool: string, secondsAgo: number): void {
    const claim = this.addNodeClaim(nodePool);
    this.initialize(claim);
    const object = this.store.get(NODE_CLAIMS, undefined, nameOf(claim));
    if (!object) return;
    const creationTimestamp = new Date(Math.floor(this.now / 1_000 - secondsAgo) * 1_000)
      .toISOString()
      .replace('.000', '');
    this.store.write(NODE_CLAIMS, { ...object, metadata: { ...object.metadata, creationTimestamp } });
  }

  /** A NodeClaim that is not launched yet: only its NodePool is known. */
  requestNode(nodePool: string, taints: readonly Taint[] = []): Claim {
    const id = this.next();
    const labels = { [KARPENTER_NODEPOOL_LABEL]: nodePool };
    const status = {
      conditions: [{ type: 'Launched', status: 'Unknown', reason: 'AwaitingReconciliation', message: '' }],
    };
    this.store.insert(NODE_CLAIMS, { metadata: { name: `${nodePool}-${id}`, labels }, spec: { taints }, status });
    return { instanceId: `i-0${id}`, nodePool };
  }

  launch(claim: Claim, cpu: number, labelled: Labels = GOOD): void {
    const object = this.store.get(NODE_CLAIMS, undefined, nameOf(claim));
    if (!object) return;
    const labels = { ...object.metadata.labels, ...labelled, [`${NODE_CLASS_GROUP}/instance-cpu`]: `${cpu}` };
    const conditions = [
      { type: 'Launched', status: 'True' as const, reason: 'Launched' },
      { type: 'Registered', status: 'Unknown' as const, reason: 'NodeNotFound', message: 'Node not "registered"' },
    ];
    const status = { providerID: `aws:///ap-northeast-2a/${claim.instanceId}`, conditions };
    this.store.write(NODE_CLAIMS, { ...object, metadata: { ...object.metadata, labels }, status });
    this.claims.set(claim.instanceId, claim);
    this.lives.set(claim.instanceId, { nodePool: claim.nodePool, from: this.now, until: Number.POSITIVE_INFINITY });
    const seconds = NODE_SECONDS[this.made % NODE_SECONDS.length] ?? 0;
    this.clock.after(seconds * 1_000, () => this.initialize(claim));
  }

  private initialize(claim: Claim): void {
    const object = this.store.get(NODE_CLAIMS, undefined, nameOf(claim));
    if (!object || object.status?.conditions?.some(({ type }) => type === 'Initialized')) return;
    const done = { status: 'True' as const, lastTransitionTime: this.store.timestamp() };
    const conditions = ['Launched', 'Registered', 'Initialized'].map((type) => ({ type, ...done }));
    this.store.write(NODE_CLAIMS, { ...object, status: { ...object.status, conditions } });
  }

  /** Karpenter has started to drain the node. */
  drain(claim: Claim): void {
    const object = this.store.get(NODE_CLAIMS, undefined, nameOf(claim));
    if (!object) return;
    const metadata = { ...object.metadata, deletionTimestamp: this.store.timestamp() };
    this.store.write(NODE_CLAIMS, { ...object, metadata });
  }

  /** The node is gone. */
  removeNodeClaim(claim: Claim): void {
    this.claims.delete(claim.instanceId);
    const life = this.lives.get(claim.instanceId);
    if (life) this.lives.set(claim.instanceId, { ...life, until: Math.min(life.until, this.now) });
    this.store.remove(NODE_CLAIMS, undefined, nameOf(claim));
  }

  lifeOf(instanceId: string): Life | undefined {
    return this.lives.get(instanceId);
  }

  /** The NodeClaims that have launched. */
  get nodeClaims(): readonly Claim[] {
    return [...this.claims.values()];
  }

  private next(): number {
    this.made += 1;
    return this.made;
  }
}

function nameOf({ instanceId, nodePool }: Claim): string {
  return `${nodePool}-${instanceId.slice('i-0'.length)}`;
}

/** Whose headroom it is, as far as Headstart can find it. */
function ownerOf(object: Deployment | undefined): string | undefined {
  const { labels = {}, annotations = {} } = object?.metadata ?? {};
  return labels[MANAGED_BY_LABEL] === MANAGED_BY ? annotations[ANNOTATIONS.owner] : undefined;
}
