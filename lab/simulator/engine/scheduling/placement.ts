import { repellingTaint } from '../../../../shared/core/karpenter/repelling-taint';
import type { ClusterState } from '../state/cluster-state';
import { type PodShape, type Spread, selectsLabels } from '../state/pod-shape';
import type { NodeRecord, PodRecord } from '../state/records';
import type { Amounts } from '../state/resource-amounts';

export const WRONG_LABELS = "node(s) didn't match Pod's node affinity/selector";
const MAX_SHAPES = 5_000;

/** The nodes that a shape may use by labels and taints, cached until nodes change. */
export class Candidates {
  private readonly known = new Map<PodShape, { readonly version: number; readonly nodes: readonly NodeRecord[] }>();

  constructor(private readonly state: ClusterState) {}

  of(shape: PodShape): readonly NodeRecord[] {
    const { index } = this.state;
    const seen = this.known.get(shape);
    const version = index.versionOf(shape.pools);
    if (seen?.version === version) return seen.nodes;
    if (this.known.size > MAX_SHAPES) this.known.clear();
    const nodes = index.nodesOf(shape.pools).filter((node) => staticObstacle(shape, node) === undefined);
    this.known.set(shape, { version, nodes });
    return nodes;
  }
}

/** What keeps a shape off a node regardless of other pods, as in the scheduler's messages. */
export function staticObstacle(shape: PodShape, node: NodeRecord): string | undefined {
  if (!selectsLabels(shape, node.labels)) return WRONG_LABELS;
  const taint = repellingTaint(shape.tolerations, node.taints);
  if (taint) return `node(s) had untolerated taint(s) {${taint.key}: ${taint.value ?? ''}}`;
  return node.ready ? undefined : 'node(s) were not ready';
}

/** What keeps a pod off a node because of other pods, including nominated ones. */
export function dynamicObstacle(pod: PodRecord, node: NodeRecord, skews: Skews): string | undefined {
  const resource = node.lackingFor(pod);
  if (resource !== undefined) return resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`;
  if (node.repels(pod)) return "node(s) didn't satisfy existing pods anti-affinity rules";
  return skews.allow(node) ? undefined : "node(s) didn't match pod topology spread constraints";
}

/** The number of pods per domain for each spread constraint, among the nodes that a pod may use. */
export class Skews {
  private readonly counts: { readonly spread: Spread; readonly byDomain: Map<string, number>; least: number }[];

  constructor(
    private readonly shape: PodShape,
    nodes: readonly NodeRecord[],
  ) {
    this.counts = shape.spreads.map((spread) => {
      const byDomain = new Map<string, number>();
      for (const node of nodes) {
        const domain = node.labels[spread.topologyKey];
        if (domain !== undefined) byDomain.set(domain, (byDomain.get(domain) ?? 0) + selectedPods(spread, node));
      }
      return { spread, byDomain, least: Math.min(...byDomain.values()) };
    });
  }

  allow(node: NodeRecord, without: readonly PodRecord[] = []): boolean {
    return this.counts.every(({ spread, byDomain, least }) => {
      const domain = node.labels[spread.topologyKey];
      if (domain === undefined) return false;
      const own = spread.selects(this.shape) ? 1 : 0;
      const gone = without.filter((pod) => spread.selects(pod.shape)).length;
      const here = (byDomain.get(domain) ?? 0) - gone;
      return here + own - Math.min(least, here) <= spread.maxSkew;
    });
  }
}

function selectedPods(spread: Spread, node: NodeRecord): number {
  let count = 0;
  for (const [shape, pods] of node.shapes) if (spread.selects(shape)) count += pods;
  return count;
}

const SCORED = ['cpu', 'memory'];

/** The score of a node: the share that would stay free, as in the real scheduler by default. */
export function freeShare(shape: PodShape, node: { readonly used: Amounts; readonly allocatable: Amounts }): number {
  let sum = 0;
  for (const name of SCORED) {
    const all = node.allocatable.get(name) ?? 0;
    const used = (node.used.get(name) ?? 0) + (shape.requests.get(name) ?? 0);
    sum += all === 0 ? 0 : (all - used) / all;
  }
  return sum;
}
