import { repellingTaint } from '../../../../shared/core/karpenter/repelling-taint';
import { ZONE_LABEL } from '../../../../shared/core/manifests/pause-deployment';
import type { PodShape, Spread } from '../state/pod-shape';
import type { PodRecord } from '../state/records';
import type { Amounts } from '../state/resource-amounts';
import type { Bin, ExistingBin } from './bin';
import { NewNode } from './choose-node-type';
import type { Offer } from './offers';
import type { Pool } from './pools';
import { allowedDomains, fitsHost, type SpreadScope, spreadScope, spreadsOf } from './topology-spread';

export interface Proposal {
  readonly nodes: readonly NewNode[];
  readonly failures: ReadonlyMap<PodShape, { readonly why: string; readonly pods: readonly PodRecord[] }>;
}

/** Places pending pods on existing and ordered nodes, and orders as few new ones as Karpenter would. */
export class BinPacking {
  private readonly nodes: NewNode[] = [];
  private readonly failures = new Map<PodShape, { readonly why: string; readonly pods: PodRecord[] }>();
  /** How many of the existing nodes do not fit a shape, and which of the new ones. */
  private readonly tried = new Map<PodShape, number>();
  private readonly refused = new Map<PodShape, Set<NewNode>>();
  private readonly used = new Map<Pool, Map<string, number>>();
  private readonly scopes = new Map<PodShape, SpreadScope>();

  constructor(
    private readonly existing: readonly ExistingBin[],
    private readonly pools: readonly Pool[],
    private readonly usage: (pool: Pool) => Amounts,
  ) {}

  place(pods: readonly PodRecord[]): Proposal {
    for (const pod of [...pods].sort(bySize)) {
      const failed = this.failures.get(pod.shape);
      if (failed) failed.pods.push(pod);
      else if (!this.placeOne(pod.shape)) this.failures.set(pod.shape, { why: this.explain(pod.shape), pods: [pod] });
    }
    return { nodes: this.nodes, failures: this.failures };
  }

  private placeOne(shape: PodShape): boolean {
    return this.placeOnExisting(shape) || this.placeOnNew(shape) || this.order(shape);
  }

  private placeOnExisting(shape: PodShape): boolean {
    if (shape.spreads.length > 0) {
      const allows = this.spreadCheck(shape);
      const bin = this.existing.find((one) => one.fits(shape) && allows(one));
      bin?.add(shape);
      return bin !== undefined;
    }
    // A node that did not fit a shape never will: it only gets fuller.
    for (let next = this.tried.get(shape) ?? 0; next < this.existing.length; next += 1) {
      const bin = this.existing[next];
      if (!bin?.fits(shape)) continue;
      this.tried.set(shape, next);
      bin.add(shape);
      return true;
    }
    this.tried.set(shape, this.existing.length);
    return false;
  }

  private placeOnNew(shape: PodShape): boolean {
    const refused = this.refused.get(shape) ?? new Set();
    this.refused.set(shape, refused);
    const open = this.nodes.filter((node) => !refused.has(node)).sort((a, b) => a.pods - b.pods);
    for (const node of open) {
      if (this.addTo(node, shape)) return true;
      if (shape.spreads.length === 0) refused.add(node);
    }
    return false;
  }

  private order(shape: PodShape): boolean {
    for (const pool of this.pools) {
      if (!asksFor(shape, pool) || repellingTaint(shape.tolerations, pool.taints)) continue;
      const node = new NewNode(pool, this.affordable(pool));
      if (!this.addTo(node, shape)) continue;
      this.nodes.push(node);
      this.reserve(pool, node);
      return true;
    }
    return false;
  }

  private addTo(node: NewNode, shape: PodShape): boolean {
    const { zones, hosts } = spreadsOf(shape);
    if (!hosts.every((spread) => fitsHost(shape, spread, node))) return false;
    if (zones.length === 0) return node.add(shape);
    return this.allowedZones(shape, zones).some((zone) => node.zones.includes(zone) && node.add(shape, zone));
  }

  private spreadCheck(shape: PodShape): (bin: Bin) => boolean {
    const { zones, hosts } = spreadsOf(shape);
    const allowed = this.allowedZones(shape, zones);
    return (bin) =>
      (zones.length === 0 || allowed.includes(bin.labels[ZONE_LABEL] ?? '')) &&
      hosts.every((spread) => fitsHost(shape, spread, bin));
  }

  /** The zones that every constraint allows, emptiest first. */
  private allowedZones(shape: PodShape, spreads: readonly Spread[]): readonly string[] {
    const scope = this.scopeOf(shape);
    const bins = [...scope.existing, ...this.nodes];
    return (
      spreads
        .map((spread) => allowedDomains(shape, spread, bins, scope.zones))
        // The order is that of the last constraint: emptiest first.
        .reduce((both, one) => one.filter((zone) => both.includes(zone)), scope.zones)
    );
  }

  private scopeOf(shape: PodShape): SpreadScope {
    const known = this.scopes.get(shape) ?? spreadScope(shape, this.existing, this.pools);
    this.scopes.set(shape, known);
    return known;
  }

  /** The offers that the pool's limits still allow. */
  private affordable(pool: Pool): readonly Offer[] {
    if (pool.limits.size === 0) return pool.offers;
    const used = this.usedBy(pool);
    if ((used.get('nodes') ?? 0) + 1 > (pool.limits.get('nodes') ?? Number.POSITIVE_INFINITY)) return [];
    return pool.offers.filter(({ capacity }) =>
      [...pool.limits].every(
        ([name, limit]) => name === 'nodes' || (used.get(name) ?? 0) + (capacity.get(name) ?? 0) <= limit,
      ),
    );
  }

  /** Until its offer is chosen, an order counts as the largest node that it may become. */
  private reserve(pool: Pool, node: NewNode): void {
    const used = this.usedBy(pool);
    for (const name of pool.limits.keys())
      used.set(name, (used.get(name) ?? 0) + (name === 'nodes' ? 1 : node.most(name)));
  }

  private usedBy(pool: Pool): Map<string, number> {
    const known = this.used.get(pool) ?? new Map(this.usage(pool));
    this.used.set(pool, known);
    return known;
  }

  private explain(shape: PodShape): string {
    const reasons = this.pools.filter((pool) => asksFor(shape, pool)).map((pool) => this.whyNot(shape, pool));
    return reasons.length === 0 ? 'no NodePool matches its node affinity or selector' : reasons.join('; ');
  }

  private whyNot(shape: PodShape, pool: Pool): string {
    const taint = repellingTaint(shape.tolerations, pool.taints);
    if (taint)
      return `nodepool "${pool.name}": did not tolerate taint ${taint.key}=${taint.value ?? ''}:${taint.effect}`;
    if (new NewNode(pool, pool.offers).add(shape)) {
      return `all available instance types exceed limits for nodepool: "${pool.name}"`;
    }
    return `nodepool "${pool.name}": no instance type satisfies the pod's requests and requirements`;
  }
}

function asksFor(shape: PodShape, pool: Pool): boolean {
  return shape.pools === undefined || shape.pools.includes(pool.name);
}

/** Largest first, as in Karpenter; among equals, oldest first. */
function bySize(a: PodRecord, b: PodRecord): number {
  const size = (pod: PodRecord, name: string) => pod.shape.requests.get(name) ?? 0;
  return size(b, 'cpu') - size(a, 'cpu') || size(b, 'memory') - size(a, 'memory') || a.createdAt - b.createdAt;
}
