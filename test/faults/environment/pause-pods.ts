import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import { DEPLOYMENTS, PODS, REPLICA_SETS } from '../../../lab/simulator/kube/kinds';
import type { Deployment, Pod, ReplicaSet } from '../../../lab/simulator/kube/object-types';
import { HEADROOM_LABEL } from '../../../shared/core/basics/names';
import { NAMESPACE, type World } from './world';

const RUNNING_AGAIN_MS = 60_000;
const GONE_AFTER_MS = 3_000;
/** Enough for several pages, whatever size somebody sets by hand. */
const MOST = 12;

/** The ReplicaSets and pods of headrooms as their controllers keep them, next to pods that others run. */
export class PausePods {
  private readonly templates: string[] = [];
  private made = 0;

  constructor(
    private readonly world: World,
    private readonly random: Random,
  ) {
    world.store.subscribe(DEPLOYMENTS, ({ type, object }) => world.as('cluster', () => this.follow(type, object)));
    world.store.subscribe(PODS, ({ type, object }) => {
      if (type === 'DELETED') world.as('cluster', () => this.replace(object));
    });
    for (const nodePool of ['web', 'ci']) this.addForeign(nodePool);
  }

  /** Those of the headroom that run, and are not about to go. */
  running(headroom: string): readonly Pod[] {
    return this.world.store
      .list(PODS, NAMESPACE)
      .filter(({ metadata: { name } }) => deploymentIn(name) === headroom && /-t\d+-p\w{4}$/.test(name))
      .filter(({ metadata, status }) => status.phase === 'Running' && metadata.deletionTimestamp === undefined);
  }

  /** kube-scheduler preempts the pod: it is about to go, and another one is made in its place. */
  take({ metadata }: Pod): void {
    const { store, clock } = this.world;
    const pod = store.get(PODS, NAMESPACE, metadata.name);
    if (!pod) return;
    const deleting = { ...pod.metadata, deletionTimestamp: store.timestamp() };
    this.world.as('cluster', () => store.write(PODS, { ...pod, metadata: deleting }));
    clock.after(Math.floor(this.random() * GONE_AFTER_MS), () => this.remove(metadata.name));
  }

  private follow(type: string, deployment: Deployment): void {
    const { metadata, status } = deployment;
    if (type === 'DELETED') {
      this.scaleOthers(metadata.name);
      return;
    }
    // Its controller has not seen it yet.
    if (!status || status.observedGeneration !== metadata.generation) return;
    const { replicas = 0, updatedReplicas = 0, readyReplicas = 0 } = status;
    const set = this.setOf(deployment);
    const [old] = this.sets(metadata.name).filter((one) => one !== set && this.podsOf(one).length > 0);
    if (old && updatedReplicas < replicas) this.scale(old, replicas - updatedReplicas);
    this.scaleOthers(metadata.name, set, ...(updatedReplicas < replicas && old ? [old] : []));
    this.scale(set, old ? updatedReplicas : replicas);
    for (const [index, pod] of this.podsOf(set).entries()) this.setPhase(pod, index < readyReplicas);
  }

  private scaleOthers(headroom: string, ...kept: readonly ReplicaSet[]): void {
    const uids = kept.map(({ metadata }) => metadata.uid);
    for (const set of this.sets(headroom)) if (!uids.includes(set.metadata.uid)) this.scale(set, 0);
  }

  private scale(set: ReplicaSet, wanted: number): void {
    const { store } = this.world;
    const replicas = Math.min(wanted, MOST);
    store.write(REPLICA_SETS, { ...set, spec: { ...set.spec, replicas }, status: { ...set.status, replicas } });
    const pods = this.podsOf(set);
    for (const { metadata } of pods.slice(replicas)) this.remove(metadata.name);
    for (let missing = replicas - pods.length; missing > 0; missing -= 1) this.addPod(set, 'Pending');
  }

  /** The ReplicaSet of the template that the Deployment has now. */
  private setOf({ metadata, spec }: Deployment): ReplicaSet {
    const template = `${metadata.uid} ${JSON.stringify(spec.template)}`;
    if (!this.templates.includes(template)) this.templates.push(template);
    const name = `${metadata.name}-t${this.templates.indexOf(template)}`;
    const found = this.world.store.get(REPLICA_SETS, NAMESPACE, name);
    return found ?? this.addSet(name, metadata.name.replace(/^headroom-/, ''), metadata.uid);
  }

  private addSet(name: string, nodePool: string, owner: string): ReplicaSet {
    return this.world.store.insert(REPLICA_SETS, {
      metadata: { name, namespace: NAMESPACE, labels: { [HEADROOM_LABEL]: nodePool }, ...controlledBy(owner) },
      spec: { replicas: 0 },
      status: { replicas: 0 },
    });
  }

  private addPod({ metadata: { name, uid, labels = {} } }: ReplicaSet, phase: string): void {
    this.made += 1;
    this.world.store.insert(PODS, {
      metadata: { name: this.madeOf(name), namespace: NAMESPACE, labels, ...controlledBy(uid) },
      spec: { nodeName: 'node', terminationGracePeriodSeconds: 0, containers: [] },
      status: { phase },
    });
  }

  /** As long as those of Kubernetes. */
  private madeOf(set: string): string {
    return `${set}-p${this.made.toString(36).padStart(4, '0')}`;
  }

  /** What a ReplicaSet misses it makes again, and the pod runs as soon as a node has room. */
  private replace({ metadata }: Pod): void {
    const { store, clock } = this.world;
    const uid = metadata.ownerReferences?.[0]?.uid;
    const set = store.list(REPLICA_SETS, NAMESPACE).find((one) => one.metadata.uid === uid);
    if (!set || this.podsOf(set).length >= (set.spec.replicas ?? 0)) return;
    this.addPod(set, 'Pending');
    const made = this.madeOf(set.metadata.name);
    clock.after(1 + Math.floor(this.random() ** 3 * RUNNING_AGAIN_MS), () => {
      const pod = store.get(PODS, NAMESPACE, made);
      if (pod) this.world.as('cluster', () => this.setPhase(pod, true));
    });
  }

  private setPhase(pod: Pod, isRunning: boolean): void {
    const phase = isRunning ? 'Running' : 'Pending';
    if (pod.status.phase !== phase && pod.metadata.deletionTimestamp === undefined)
      this.world.store.write(PODS, { ...pod, status: { ...pod.status, phase } });
  }

  private remove(name: string): void {
    const { store } = this.world;
    if (store.get(PODS, NAMESPACE, name)) this.world.as('cluster', () => store.remove(PODS, NAMESPACE, name));
  }

  private sets(headroom: string): readonly ReplicaSet[] {
    return this.world.store
      .list(REPLICA_SETS, NAMESPACE)
      .filter(({ metadata }) => metadata.name.replace(/-t\d+$/, '') === headroom);
  }

  private podsOf({ metadata: { uid } }: ReplicaSet): readonly Pod[] {
    return this.world.store
      .list(PODS, NAMESPACE)
      .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid));
  }

  /** Pods with the same labels that are none of a headroom's. */
  private addForeign(nodePool: string): void {
    const set = this.addSet(`headroom-${nodePool}-other`, nodePool, 'uid-of-another');
    for (let count = 0; count < 3; count += 1) this.addPod(set, 'Running');
  }
}

/** A pod is named after its Deployment, its ReplicaSet and itself. */
export function deploymentIn(podName: string): string {
  return podName.split('-').slice(0, -2).join('-');
}

function controlledBy(uid: string) {
  return { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Owner', name: 'owner', uid, controller: true }] };
}
