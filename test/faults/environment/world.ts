import { KARPENTER_NODEPOOL_LABEL, MANAGED_BY, MANAGED_BY_LABEL } from '../../../shared/core/basics/names';
import type { AlarmReading } from '../../../shared/core/ports/ports';
import { AlarmTable } from '../../../simulator/bus/alarm-table';
import type { AlarmChange } from '../../../simulator/bus/aws-events';
import { VirtualClock } from '../../../simulator/deterministic/virtual-clock';
import { KubeApi } from '../../../simulator/kube/api/kube-api';
import { DEPLOYMENTS, NAMESPACES, NODE_CLAIMS, NODE_POOLS } from '../../../simulator/kube/kinds';
import { ObjectStore } from '../../../simulator/kube/object-store';
import type { Deployment } from '../../../simulator/kube/objects';
import type { Invocation } from './invocation';

export const NAMESPACE = 'headroom';
/** The API group of the labels that hold a node's size. */
export const NODE_CLASS_GROUP = 'karpenter.k8s.aws';

/** Start times of consecutive nodes; they vary, so that the learned lead time goes up and down. */
const NODE_SECONDS = [20, 45, 30, 90, 25, 200, 40, 15];

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
  writer: Writer = 'cluster';
  /** Who wrote the text that each version of the ConfigMap with the live schedules holds, and when. */
  readonly liveEdits = new Map<string, { readonly by: string; readonly at: string }>();
  /** When each Deployment last got Headstart's label, by uid: operators remove it and functions restore it. */
  readonly labelledSince = new Map<string, number>();
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
    this.store.subscribe(DEPLOYMENTS, ({ object, previous }) => {
      if (isLabelled(object) && !isLabelled(previous)) this.labelledSince.set(object.metadata.uid, this.now);
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

  addNodePool(name: string, taintKeys: readonly string[]): void {
    const taints = taintKeys.map((key) => ({ key, effect: 'NoSchedule' }));
    const nodeClassRef = { group: NODE_CLASS_GROUP, kind: 'EC2NodeClass', name: 'default' };
    const spec = { template: { spec: { taints, requirements: [], nodeClassRef } } };
    this.store.insert(NODE_POOLS, { metadata: { name }, spec });
  }

  removeNodePool(name: string): void {
    this.store.remove(NODE_POOLS, undefined, name);
  }

  addNodeClaim(nodePool: string, cpu = 4): Claim {
    const claim = this.requestNode(nodePool);
    this.launch(claim, cpu);
    return claim;
  }

  /** A NodeClaim that is not launched yet: only its NodePool is known. */
  requestNode(nodePool: string): Claim {
    const id = this.next();
    const labels = { [KARPENTER_NODEPOOL_LABEL]: nodePool };
    this.store.insert(NODE_CLAIMS, { metadata: { name: `${nodePool}-${id}`, labels } });
    return { instanceId: `i-0${id}`, nodePool };
  }

  launch(claim: Claim, cpu: number): void {
    const object = this.store.get(NODE_CLAIMS, undefined, nameOf(claim));
    if (!object) return;
    const labels = { ...object.metadata.labels, [`${NODE_CLASS_GROUP}/instance-cpu`]: `${cpu}` };
    const status = { providerID: `aws:///ap-northeast-2a/${claim.instanceId}` };
    this.store.write(NODE_CLAIMS, { ...object, metadata: { ...object.metadata, labels }, status });
    this.claims.set(claim.instanceId, claim);
    this.lives.set(claim.instanceId, { nodePool: claim.nodePool, from: this.now, until: Number.POSITIVE_INFINITY });
    const seconds = NODE_SECONDS[this.made % NODE_SECONDS.length] ?? 0;
    this.clock.after(seconds * 1_000, () => this.initialize(claim));
  }

  private initialize(claim: Claim): void {
    const object = this.store.get(NODE_CLAIMS, undefined, nameOf(claim));
    if (!object) return;
    const initialized = { type: 'Initialized', status: 'True' as const, lastTransitionTime: this.store.timestamp() };
    this.store.write(NODE_CLAIMS, { ...object, status: { ...object.status, conditions: [initialized] } });
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

function isLabelled(object: Deployment | undefined): boolean {
  return object?.metadata.labels?.[MANAGED_BY_LABEL] === MANAGED_BY;
}
