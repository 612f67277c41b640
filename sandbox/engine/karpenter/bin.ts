import type { StringMap, Taint } from '../../kube/objects';
import { type Amounts, addAmounts, lacking } from '../amounts';
import type { NodeRecord } from '../node-record';
import { type PodShape, repellingTaint, type Spread, selectsLabels } from '../pod-shape';

/** A node as a plan sees it: what is there, and what the plan has put there so far. */
export interface Bin {
  readonly labels: StringMap;
  readonly shapes: ReadonlyMap<PodShape, number>;
}

/** Taints that go by themselves while a node starts. */
const PASSING = new Set([
  'node.kubernetes.io/not-ready',
  'karpenter.sh/unregistered',
  'node.kubernetes.io/unreachable',
]);

/** A node that exists or has been ordered. */
export class ExistingBin implements Bin {
  readonly shapes: Map<PodShape, number>;
  private readonly used: Map<string, number>;

  constructor(
    readonly name: string,
    readonly labels: StringMap,
    private readonly taints: readonly Taint[],
    private readonly allocatable: Amounts,
    node?: NodeRecord,
  ) {
    this.shapes = new Map(node?.shapes);
    this.used = new Map(node?.used);
  }

  fits(shape: PodShape): boolean {
    if (lacking(shape.requests, this.used, this.allocatable) !== undefined) return false;
    if (!selectsLabels(shape, this.labels)) return false;
    const lasting = this.taints.filter(({ key }) => !PASSING.has(key));
    return repellingTaint(shape.tolerations, lasting) === undefined && !repelled(this, shape);
  }

  add(shape: PodShape): void {
    this.shapes.set(shape, (this.shapes.get(shape) ?? 0) + 1);
    addAmounts(this.used, shape.requests, 1);
  }

  /** The share that stays free; the scheduler prefers the emptiest node. */
  free(): number {
    const share = (name: string) => 1 - (this.used.get(name) ?? 0) / Math.max(1, this.allocatable.get(name) ?? 0);
    return share('cpu') + share('memory');
  }
}

/** Whether a pod that is planned here keeps another one away. */
export function repelled(bin: Bin, shape: PodShape): boolean {
  for (const other of bin.shapes.keys()) if (other.repels(shape)) return true;
  return false;
}

/** Which domains a spread constraint allows for one more pod, fullest last; `domains` are all that there could be. */
export function allowedDomains(
  shape: PodShape,
  spread: Spread,
  bins: readonly Bin[],
  domains: readonly string[],
): readonly string[] {
  const counts = new Map(domains.map((domain) => [domain, 0]));
  for (const bin of bins) {
    const domain = bin.labels[spread.topologyKey];
    if (domain === undefined || !counts.has(domain)) continue;
    for (const [other, pods] of bin.shapes) {
      if (spread.selects(other)) counts.set(domain, (counts.get(domain) ?? 0) + pods);
    }
  }
  const least = Math.min(...counts.values());
  const own = spread.selects(shape) ? 1 : 0;
  return [...counts]
    .filter(([, count]) => count + own - least <= spread.maxSkew)
    .sort((a, b) => a[1] - b[1])
    .map(([domain]) => domain);
}
