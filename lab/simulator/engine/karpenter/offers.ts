import { allocatableOf, capacityOf, INSTANCE_LABELS } from '../../../../shared/pricing/instance-types';
import type { StringMap } from '../../kube/object-types';
import type { Amounts } from '../state/resource-amounts';
import type { SimulatedType } from './simulated-types';

/** An instance type in a zone, on demand or spot. */
export interface Offer {
  readonly type: SimulatedType;
  readonly zone: string;
  readonly capacityType: 'on-demand' | 'spot';
  readonly price: number;
  readonly labels: StringMap;
  readonly capacity: Amounts;
  readonly allocatable: Amounts;
}

/** Every offer, cheapest first. */
export function offersOf(catalog: readonly SimulatedType[], zones: readonly string[]): readonly Offer[] {
  const offers = catalog.flatMap((type) => {
    const [capacity, allocatable] = [capacityOf(type), allocatableOf(type)];
    return zones.flatMap((zone, index) =>
      (['on-demand', 'spot'] as const).map((capacityType): Offer => {
        // Spot prices differ slightly between zones.
        const price = capacityType === 'spot' ? type.spot * (1 + index * 0.02) : type.onDemand;
        return {
          type,
          zone,
          capacityType,
          price,
          capacity,
          allocatable,
          labels: { ...type.labels, ...placeOf(zone, capacityType) },
        };
      }),
    );
  });
  return offers.sort(
    (a, b) => a.price - b.price || compareText(a.type.name, b.type.name) || compareText(a.zone, b.zone),
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function placeOf(zone: string, capacityType: string): StringMap {
  return {
    'topology.kubernetes.io/zone': zone,
    'topology.kubernetes.io/region': zone.replace(/[a-z]$/, ''),
    'karpenter.sh/capacity-type': capacityType,
  };
}

/** The labels as a provider with a node class of this API group sets them. */
export function labelsUnder(group: string, labels: StringMap): StringMap {
  if (group === INSTANCE_LABELS) return labels;
  const renamed = Object.entries(labels).map(([key, value]) => [
    key.replace(`${INSTANCE_LABELS}/`, `${group}/`),
    value,
  ]);
  return Object.fromEntries(renamed);
}
