import { NODE_CLAIMS } from '../../../lab/simulator/kube/kinds';
import type { NodeClaim } from '../../../lab/simulator/kube/object-types';
import { KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import { NODE_CLASS_GROUP, type World } from '../environment/world';

/** The size of every floor in these configs. */
const FLOOR_CPU = 4;

/** How many nodes of each NodePool can hold a floor pod, now and earlier: the values a count may have. */
export class NodeCounts {
  private readonly changes = new Map<string, { readonly at: number; readonly nodes: number }[]>();

  constructor(private readonly world: World) {
    world.store.subscribe(NODE_CLAIMS, ({ object }) => {
      const nodePool = object.metadata.labels?.[KARPENTER_NODEPOOL_LABEL] ?? '';
      const known = this.changes.get(nodePool) ?? [];
      this.changes.set(nodePool, [...known, { at: world.now, nodes: this.now(nodePool) }]);
    });
  }

  now(nodePool: string): number {
    const claims = this.world.store.list(NODE_CLAIMS);
    return claims.filter((claim) => claim.metadata.labels?.[KARPENTER_NODEPOOL_LABEL] === nodePool && fits(claim))
      .length;
  }

  /** Every value since a moment. */
  since(nodePool: string, at: number): readonly number[] {
    const changes = this.changes.get(nodePool) ?? [];
    const before = changes.findLast((change) => change.at < at)?.nodes ?? 0;
    return [before, ...changes.filter((change) => change.at >= at).map(({ nodes }) => nodes)];
  }
}

/** The size and the labels of a node are unknown before its launch. */
function fits({ metadata, spec, status }: NodeClaim): boolean {
  const { labels = {} } = metadata;
  const taints = (spec?.taints ?? []).filter(({ effect }) => effect !== 'PreferNoSchedule');
  if (metadata.deletionTimestamp !== undefined || taints.length > 0) return false;
  if (status?.providerID === undefined) return true;
  const isSmall = Number(labels[`${NODE_CLASS_GROUP}/instance-cpu`]) < FLOOR_CPU;
  const isOdd = labels['kubernetes.io/arch'] === 'arm64' || labels['example.com/old'] !== undefined;
  return !isSmall && !isOdd && labels['example.com/rack'] !== undefined && labels['example.com/disk'] === '4';
}
