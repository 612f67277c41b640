import { deleteObject } from '../../kube/api/delete-object';
import { ApiError } from '../../kube/api-error';
import { sameJson } from '../../kube/json';
import { DEPLOYMENTS, PODS, REPLICA_SETS } from '../../kube/kinds';
import type { Deployment } from '../../kube/object-types';
import type { EngineContext } from '../state/engine-context';
import type { PodRecord } from '../state/records';
import { deploymentStatus } from './deployment-status';
import { ownerOf, Revision, templateHash } from './revision';
import { type RevisionSize, rolloutSizes } from './rollout';

const HASH_LABEL = 'pod-template-hash';

export class Workload {
  private readonly revisions = new Map<string, Revision>();
  private failure: string | undefined;

  constructor(
    private readonly context: EngineContext,
    public deployment: Deployment,
    private readonly onRevision: (revision: Revision) => void,
  ) {}

  sync(): void {
    const current = this.currentRevision();
    const olds = [...this.revisions.values()].filter((revision) => revision !== current).reverse();
    const sizes = rolloutSizes(this.deployment, current.size(), total(olds));
    let kept = sizes.old;
    for (const revision of olds) kept -= this.shrink(revision, kept);
    this.resize(current, sizes.current);
    this.forgetOld(olds);
    this.writeStatus(current);
  }

  end(): void {
    const { store } = this.context;
    for (const revision of this.revisions.values()) {
      this.shrink(revision, 0);
      store.remove(REPLICA_SETS, revision.replicaSet.metadata.namespace, revision.replicaSet.metadata.name);
    }
  }

  private currentRevision(): Revision {
    const { template } = this.deployment.spec;
    const hash = templateHash(template);
    const known = this.revisions.get(hash);
    if (known) return known;
    const { store } = this.context;
    const { name, namespace = '', labels } = this.deployment.metadata;
    const own = { ...template.metadata?.labels, [HASH_LABEL]: hash };
    const selector = { matchLabels: { ...this.deployment.spec.selector.matchLabels, [HASH_LABEL]: hash } };
    const replicaSet = store.insert(REPLICA_SETS, {
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        generation: 1,
        labels: { ...labels, ...own },
        annotations: { 'deployment.kubernetes.io/revision': `${this.revisions.size + 1}` },
        ownerReferences: [ownerOf(this.deployment)],
      },
      spec: { replicas: 0, selector, template: { ...template, metadata: { ...template.metadata, labels: own } } },
      status: { replicas: 0 },
    });
    const revision = new Revision(hash, replicaSet);
    this.revisions.set(hash, revision);
    this.onRevision(revision);
    return revision;
  }

  private resize(revision: Revision, wanted: number): void {
    const have = revision.size().pods;
    if (have > wanted) this.shrink(revision, wanted);
    else if (have < wanted) this.grow(revision, wanted - have);
    else this.failure = undefined;
    this.writeReplicaSet(revision, wanted);
  }

  private grow(revision: Revision, count: number): void {
    const { store, names } = this.context;
    this.failure = undefined;
    try {
      for (let made = 0; made < count; made += 1) {
        const { namespace, name } = revision.replicaSet.metadata;
        let podName = `${name}-${names.suffix()}`;
        while (store.get(PODS, namespace, podName)) podName = `${name}-${names.suffix()}`;
        store.insert(PODS, revision.newPod(store, podName));
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failure = error.message;
    }
  }

  /** Deletes pods until at most this many are left; returns how many are. */
  private shrink(revision: Revision, wanted: number): number {
    const have = revision.size().pods;
    const tooMany = have - Math.max(0, wanted);
    if (tooMany <= 0) return have;
    for (const pod of inScaleDownOrder(revision.active()).slice(0, tooMany)) this.remove(pod);
    this.writeReplicaSet(revision, have - tooMany);
    return have - tooMany;
  }

  private remove({ ref }: PodRecord): void {
    const { store } = this.context;
    const pod = store.get(PODS, ref.namespace, ref.name);
    if (pod) deleteObject(store, PODS, pod, {});
  }

  private forgetOld(olds: readonly Revision[]): void {
    const { store } = this.context;
    const empty = olds.filter(({ pods }) => pods.size === 0);
    for (const revision of empty.slice(this.deployment.spec.revisionHistoryLimit ?? 10)) {
      const { namespace, name } = revision.replicaSet.metadata;
      store.remove(REPLICA_SETS, namespace, name);
      this.revisions.delete(revision.hash);
    }
  }

  private writeReplicaSet(revision: Revision, wanted: number): void {
    const { store, events } = this.context;
    const { replicaSet } = revision;
    if (!store.get(REPLICA_SETS, replicaSet.metadata.namespace, replicaSet.metadata.name)) return;
    const { pods, ready } = revision.size();
    const status = {
      observedGeneration: 1,
      replicas: pods,
      fullyLabeledReplicas: pods,
      ...(ready > 0 && { readyReplicas: ready, availableReplicas: ready }),
    };
    const before = replicaSet.spec.replicas;
    if (before === wanted && sameJson(status, replicaSet.status)) return;
    revision.replicaSet = store.write(REPLICA_SETS, {
      ...replicaSet,
      spec: { ...replicaSet.spec, replicas: wanted },
      status,
    });
    if (before === wanted) return;
    const direction = wanted > before ? 'up' : 'down';
    const message = `Scaled ${direction} replica set ${replicaSet.metadata.name} from ${before} to ${wanted}`;
    const component = 'deployment-controller';
    events.note(this.deployment, { type: 'Normal', reason: 'ScalingReplicaSet', message, component });
  }

  private writeStatus(current: Revision): void {
    const { store } = this.context;
    const { namespace, name } = this.deployment.metadata;
    const deployment = store.get(DEPLOYMENTS, namespace, name);
    if (!deployment) return;
    const { pods, ready } = total([...this.revisions.values()]);
    const updated = current.size().pods;
    const tally = { pods, updated, ready, ...(this.failure !== undefined && { failure: this.failure }) };
    const status = deploymentStatus(deployment, tally, store.timestamp());
    if (!sameJson(status, deployment.status)) store.write(DEPLOYMENTS, { ...deployment, status });
  }
}

function total(revisions: readonly Revision[]): RevisionSize {
  const sizes = revisions.map((revision) => revision.size());
  return {
    pods: sizes.reduce((sum, { pods }) => sum + pods, 0),
    ready: sizes.reduce((sum, { ready }) => sum + ready, 0),
  };
}

/** The pods in the order in which a ReplicaSet deletes them: pending ones first, then unready ones, then newer ones. */
function inScaleDownOrder(pods: readonly PodRecord[]): PodRecord[] {
  const perNode = new Map<unknown, number>();
  for (const { node } of pods) if (node) perNode.set(node, (perNode.get(node) ?? 0) + 1);
  const rank = (pod: PodRecord): readonly number[] => [
    pod.node ? 1 : 0,
    pod.object.status.phase === 'Pending' ? 0 : 1,
    pod.ready ? 1 : 0,
    -(perNode.get(pod.node) ?? 0),
    -pod.createdAt,
  ];
  const ranked = pods.map((pod, index) => ({ pod, rank: [...rank(pod), -index] }));
  ranked.sort((a, b) => compareRanks(a.rank, b.rank));
  return ranked.map(({ pod }) => pod);
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  return a.map((value, index) => value - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
