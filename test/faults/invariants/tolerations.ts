import { isDeepStrictEqual } from 'node:util';
import { DEPLOYMENTS, NODE_POOLS } from '../../../lab/simulator/kube/kinds';
import type { Deployment, NodePool } from '../../../lab/simulator/kube/object-types';
import { headroomName, KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { Invocation } from '../environment/invocation';
import { NAMESPACE, type World } from '../environment/world';
import { type ModelledPool, poolWithLike, writtenLike } from '../model/expected-like';
import { expectedSpec, type Needs, needsIn, specOf } from '../model/expected-template';
import { clean, differs } from './modelled-write';

/** A headroom is made for its NodePool's taints, zones and labels, and stays so after the NodePool is gone. */
export class Tolerations {
  /** The latest version of each NodePool, also of deleted ones. */
  private readonly nodePools = new Map<string, NodePool>();
  /** The uid of the NodePool that each headroom once fitted, by the headroom's uid. */
  private readonly fitted = new Map<string, string>();

  constructor(private readonly world: World) {
    world.store.subscribe(NODE_POOLS, ({ object }) => void this.nodePools.set(object.metadata.name, object));
    world.store.subscribe(DEPLOYMENTS, ({ object, previous }) => {
      const nodePool = world.store.get(NODE_POOLS, undefined, nodePoolOf(object) ?? '');
      if (previous && nodePoolOf(previous) !== nodePoolOf(object)) this.fitted.delete(object.metadata.uid);
      if (world.writer instanceof Invocation && nodePool && tolerates(object, tolerationsOf(nodePool)))
        this.fitted.set(object.metadata.uid, nodePool.metadata.uid);
    });
  }

  wrongWith(deployed: HeadroomConfig): readonly string[] {
    const current = this.world.store.get(DEPLOYMENTS, NAMESPACE, headroomName(deployed.name));
    const pool = poolWithLike(deployed, writtenLike(deployed, current?.metadata.annotations?.[ANNOTATIONS.like]));
    const nodePool = this.nodePools.get(pool.nodePool);
    if (!current || pool.shaped?.pods === 0) return [];
    if (pool.tolerations)
      return tolerates(current, pool.tolerations)
        ? this.wrongPlace(pool, current)
        : ['does not tolerate what its config says'];
    const theirs = pool.placed?.tolerations ?? [];
    if (!nodePool || tolerates(current, [...tolerationsOf(nodePool), ...theirs])) return this.wrongPlace(pool, current);
    if (this.world.hasNodePool(pool.nodePool)) return ['does not tolerate the taints of its NodePool'];
    const once = this.fitted.get(current.metadata.uid) === nodePool.metadata.uid;
    // A config that said it itself may have been deployed meanwhile.
    return once && !EXPLICIT.includes(pool.name) ? ['no longer tolerates the taints of a NodePool that vanished'] : [];
  }

  /** The template as the NodePool and the version of Kubernetes have it. */
  private wrongPlace(pool: ModelledPool, current: Deployment): readonly string[] {
    const nodePool = this.world.store.get(NODE_POOLS, undefined, pool.nodePool);
    const needs = {
      ...(nodePool ? placeOf(nodePool) : needsIn(current)),
      imageVolumes: this.world.kubernetesMinor >= 35,
    };
    const wrong = differs('the settled manifest', specOf(current), clean(expectedSpec(pool, needs)));
    return wrong === undefined ? [] : [wrong];
  }
}

function nodePoolOf({ spec }: Deployment): string | undefined {
  return spec.template.spec.nodeSelector?.[KARPENTER_NODEPOOL_LABEL];
}

/** The NodePools whose tolerations some configs say themselves. */
const EXPLICIT: readonly string[] = ['gpu', 'batch'];

function placeOf({ spec }: NodePool): Pick<Needs, 'zones' | 'labelPrefix'> {
  const { requirements = [], nodeClassRef } = spec?.template?.spec ?? {};
  const zones = requirements.find(({ key }) => key === 'topology.kubernetes.io/zone')?.values;
  return { zones, labelPrefix: nodeClassRef?.group ?? '' };
}

function tolerationsOf({ spec }: NodePool): readonly object[] {
  return (spec?.template?.spec?.taints ?? []).map(({ key, value, effect }) =>
    value ? { key, operator: 'Equal', value, effect } : { key, operator: 'Exists', effect },
  );
}

function tolerates({ spec }: Deployment, expected: readonly object[]): boolean {
  return isDeepStrictEqual(spec.template.spec.tolerations ?? [], expected);
}
