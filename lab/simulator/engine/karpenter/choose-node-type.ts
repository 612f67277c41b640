import type { MatchExpression } from '../../../../shared/core/config/config';
import { matchesExpression } from '../../../../shared/core/karpenter/matches-expression';
import { repellingTaint } from '../../../../shared/core/karpenter/repelling-taint';
import { ZONE_LABEL } from '../../../../shared/core/manifests/pause-deployment';
import type { StringMap } from '../../kube/object-types';
import { HOSTNAME, type PodShape } from '../state/pod-shape';
import { addAmounts, lacking } from '../state/resource-amounts';
import { type Bin, repelled } from './bin';
import type { Offer } from './offers';
import type { Pool } from './pools';

/** A node to be ordered: the pods placed on it so far, and the offers that still fit them all. */
export class NewNode implements Bin {
  readonly shapes = new Map<PodShape, number>();
  readonly requests = new Map<string, number>();
  pods = 0;
  private choices: ReadonlyMap<string, readonly string[]>;

  constructor(
    readonly pool: Pool,
    private offers: readonly Offer[],
  ) {
    this.choices = pool.choices;
  }

  /** The labels of the first offer; the zone only if all remaining offers share it. */
  get labels(): StringMap {
    const [first] = this.offers;
    const zone = first?.labels[ZONE_LABEL];
    const { [ZONE_LABEL]: _, ...others } = first?.labels ?? {};
    const sure = zone !== undefined && this.offers.every(({ labels }) => labels[ZONE_LABEL] === zone);
    return sure ? { ...others, [ZONE_LABEL]: zone } : others;
  }

  get zones(): readonly string[] {
    return [...new Set(this.offers.map(({ zone }) => zone))];
  }

  /** Places a pod if some offer fits it with the others; `zone` restricts the offers. */
  add(shape: PodShape, zone?: string): boolean {
    if (repellingTaint(shape.tolerations, this.pool.taints) || repelled(this, shape)) return false;
    for (const expressions of shape.alternatives) {
      const choices = this.narrowed(expressions);
      if (!choices) continue;
      const about = expressions.filter(({ key }) => !this.choices.has(key));
      const offers = this.offers.filter(
        (offer) =>
          (zone === undefined || offer.zone === zone) &&
          lacking(shape.requests, this.requests, offer.allocatable) === undefined &&
          about.every((one) => one.key !== HOSTNAME && matchesExpression(one, offer.labels)),
      );
      if (offers.length === 0) continue;
      this.offers = offers;
      this.choices = choices;
      this.take(shape);
      return true;
    }
    return false;
  }

  private take(shape: PodShape): void {
    this.shapes.set(shape, (this.shapes.get(shape) ?? 0) + 1);
    addAmounts(this.requests, shape.requests, 1);
    this.pods += 1;
  }

  private narrowed(expressions: readonly MatchExpression[]): ReadonlyMap<string, readonly string[]> | undefined {
    const choices = new Map(this.choices);
    for (const one of expressions) {
      const values = choices.get(one.key);
      if (!values) continue;
      const left = values.filter((value) => matchesExpression(one, { [one.key]: value }));
      if (left.length === 0) return undefined;
      choices.set(one.key, left);
    }
    return choices;
  }

  /** The largest amount of a resource among the remaining offers. */
  most(resource: string): number {
    return Math.max(0, ...this.offers.map(({ capacity }) => capacity.get(resource) ?? 0));
  }

  /** The offer to order: the cheapest, spot if allowed, in the zone with the lowest `crowd`. */
  choose(crowd: (zone: string) => number): { readonly offer: Offer; readonly labels: StringMap } | undefined {
    const spot = this.offers.filter(({ capacityType }) => capacityType === 'spot');
    const [cheapest, ...rest] = spot.length > 0 ? spot : this.offers;
    if (!cheapest) return undefined;
    const alike = [
      cheapest,
      ...rest.filter((offer) => offer.type === cheapest.type && offer.price <= cheapest.price * 1.05),
    ];
    const offer = alike.reduce((best, one) => (crowd(one.zone) < crowd(best.zone) ? one : best));
    const chosen = [...this.choices].flatMap(([key, [value]]) => (value === undefined ? [] : [[key, value]]));
    return { offer, labels: { ...offer.labels, ...Object.fromEntries(chosen) } };
  }
}
