import { type InstanceType, instanceTypes, priceListOf } from '../../../../shared/pricing/instance-types';

export interface SimulatedType extends InstanceType {
  /** Dollars per hour. */
  readonly spot: number;
}

/** The families of the simulated EC2, with the share of the list price that spot costs. */
const FAMILIES = { c6i: 0.41, c6g: 0.45, m6i: 0.4, m6g: 0.46, r6i: 0.38, r6g: 0.44 };
const SIZES = ['large', 'xlarge', '2xlarge', '4xlarge', '8xlarge'];
const SPOT_SHARES = new Map<string, number>([
  ...Object.entries(FAMILIES).flatMap(([family, share]) =>
    SIZES.map((size): [string, number] => [`${family}.${size}`, share]),
  ),
  ['t3.medium', 0.35],
  ['t3.large', 0.35],
  ['g5.xlarge', 0.4274],
]);

export const SIMULATED_PRICES = priceListOf('us-east-1');
const percents = [...SPOT_SHARES.values()].map((share) => Math.round(share * 100));
export const SPOT_PERCENT = `${Math.min(...percents)} to ${Math.max(...percents)}`;

/** A small selection, because every order looks through all of it: six families, two burstable types, one with a GPU. */
export const SIMULATED_TYPES: readonly SimulatedType[] = instanceTypes(SIMULATED_PRICES).flatMap((type) => {
  const share = SPOT_SHARES.get(type.name);
  return share === undefined ? [] : [{ ...type, spot: Math.round(type.onDemand * share * 10_000) / 10_000 }];
});
