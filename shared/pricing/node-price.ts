import type { Config, HeadroomConfig, MatchExpression } from '../core/config/config';
import { parseQuantity } from '../core/config/schema/quantity';
import { matchesExpression } from '../core/karpenter/matches-expression';
import { nodesFor } from '../core/karpenter/nodes-for';
import { requirementsOf } from '../core/karpenter/requirements';
import {
  allocatableOf,
  INSTANCE_LABELS,
  type InstanceType,
  instanceTypes,
  type PriceList,
  priceListOf,
} from './instance-types';
import { type Money, times } from './money';

export interface NodePrice {
  readonly perHour: Money;
  /** The type that Karpenter chooses, if the NodePool is known. */
  readonly instanceType?: string;
  /** The list that it is from; absent if it is the price in the config. */
  readonly list?: PriceList;
  /** What this many replicas cost an hour; slices share nodes. */
  readonly hourly: (replicas: number) => Money;
  /** About how many nodes this many slices share; absent if the type is not known. */
  readonly nodes?: (replicas: number) => number;
}

/** What NodePools require of their nodes, by name. */
export type NodeRequirements = ReadonlyMap<string, readonly MatchExpression[]>;

/** The label of a node that says `spot` or `on-demand`. */
export const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
/** What aws-node and kube-proxy, which run on every node, request: Karpenter leaves room for them. */
const DAEMONS: ReadonlyMap<string, number> = new Map(Object.entries({ cpu: 150, pods: 2 }));
/** What every type has enough of, or what does not depend on it: disks and network interfaces. */
const NOT_OF_TYPES = /^(ephemeral-storage$|vpc\.amazonaws\.com\/)/;
/** What a NodePool which nobody knows is taken to launch, if anything of it fits. */
const USUAL = /^[cmr][5-9][a-z]*(-flex)?\./;
const USUAL_ARCH = 'amd64';

/**
 * What a node of the headroom costs: the config's `price`, or else the list price of the cheapest node that fits the
 * unit and meets the `requirements` of the NodePool, which are those of its `pool` block unless they are given. Spot is
 * estimated. A NodePool that is not known has a range over the usual families. `undefined` if no type of the list fits.
 */
export function nodePrice(
  pool: HeadroomConfig,
  region: string,
  requirements: readonly MatchExpression[] | undefined = pool.pool && requirementsOf(pool.pool, region),
): NodePrice | undefined {
  const list = priceListOf(region);
  if (pool.price !== undefined) return givenPrice(pool, pool.price, list);
  const required = [...(requirements ?? []), ...ownRequirements(pool)];
  const types = typesFor(pool, list, required);
  const [cheapest] = types;
  if (!cheapest) return undefined;
  const families = requirements ? [types] : byFamily(usual(types));
  const costs = families.map((family) => costOf(family, pool));
  const spot = (requirements || pool.nodeSelector[CAPACITY_TYPE]) && mayBeSpot(required);
  const estimate = spotEstimate(list, { spot: spot === true, twin: (pool.twins?.length ?? 0) > 0 });
  const hourly = (replicas: number): Money => {
    const each = costs.map((cost) => cost(replicas));
    const money = { low: Math.min(...each), high: Math.max(...each), currency: list.currency };
    return estimate(money);
  };
  return {
    perHour: hourly(1),
    ...(families.length === 1 && { instanceType: cheapest.name }),
    ...(families.length === 1 && pool.unit.kind === 'slice' && { nodes: nodesOf(types, pool) }),
    list,
    hourly,
  };
}

/** With a spot twin, a node may be of either kind. */
function spotEstimate({ spotPercent }: PriceList, { spot, twin }: { spot: boolean; twin: boolean }) {
  return (money: Money): Money => {
    if (!spot && !twin) return money;
    if (spotPercent === undefined) return { ...money, atMost: true };
    const { low, high } = times(money, spotPercent / 100);
    return { ...money, low, high: spot ? high : money.high, spotPercent };
  };
}

export function blockRequirements({ cluster, headrooms }: Config): NodeRequirements {
  return new Map(
    headrooms.flatMap(({ nodePool, pool }) => (pool ? [[nodePool, requirementsOf(pool, cluster.region)]] : [])),
  );
}

/** What an hour of a type costs, if the list of the region has it; spot is estimated. */
export function typePrice(type: string, region: string, isSpot: boolean): number | undefined {
  const list = priceListOf(region);
  const found = instanceTypes(list).find(({ name }) => name === type);
  return found && found.onDemand * (isSpot ? (list.spotPercent ?? 100) / 100 : 1);
}

function mayBeSpot(required: readonly MatchExpression[]): boolean {
  return required.every((one) => one.key !== CAPACITY_TYPE || matchesExpression(one, { [CAPACITY_TYPE]: 'spot' }));
}

function givenPrice(pool: HeadroomConfig, price: number, { currency }: PriceList): NodePrice | undefined {
  const nodes = nodesFor(pool);
  const perHour = { low: price, high: price, currency };
  return nodes && { perHour, hourly: (replicas) => times(perHour, nodes(replicas)) };
}

/** What the headroom's own pods demand of a node. */
function ownRequirements({ nodeSelector, nodeAffinity, minNode }: HeadroomConfig): readonly MatchExpression[] {
  const atLeast = (name: string, bound: number | undefined) =>
    bound === undefined ? [] : [{ key: `${INSTANCE_LABELS}/instance-${name}`, operator: 'Gte', values: [`${bound}`] }];
  return [
    ...Object.entries(nodeSelector).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...nodeAffinity,
    ...atLeast('cpu', minNode?.cpu),
    ...atLeast('memory', minNode?.memoryMiB),
    ...atLeast('gpu-count', minNode?.gpus),
  ];
}

/** The types that fit one unit, cheapest first; what the list knows nothing of is not required of them. */
function typesFor(pool: HeadroomConfig, list: PriceList, required: readonly MatchExpression[]) {
  const all = instanceTypes(list);
  const ours = required.map((one) => ({
    ...one,
    key: one.key.replace(/^eks\.amazonaws\.com\/instance-/, `${INSTANCE_LABELS}/instance-`),
  }));
  const listed = ours.filter(({ key }) => all.some(({ labels }) => labels[key] !== undefined));
  const units = unitsOn(pool);
  const fitting = all.filter((type) => listed.every((one) => matchesExpression(one, type.labels)) && units(type) >= 1);
  // Karpenter launches bare metal and accelerators only where nothing else fits.
  const plain = thoseOrAll(fitting, (type) => !isExotic(type));
  return thoseOrAll(plain, ({ isYounger }) => !isYounger);
}

function thoseOrAll(types: readonly InstanceType[], are: (type: InstanceType) => boolean): readonly InstanceType[] {
  const those = types.filter(are);
  return those.length > 0 ? those : types;
}

function isExotic({ name, extended = {} }: InstanceType): boolean {
  return name.includes('metal') || Object.keys(extended).length > 0;
}

/** How many units fit on a node of a type, beside what runs on every node. */
function unitsOn({ unit }: HeadroomConfig): (type: InstanceType) => number {
  const requests = Object.entries(unit.requests).flatMap(([name, quantity]): [string, number][] => {
    const amount = (parseQuantity(quantity) ?? 0) * (name === 'cpu' ? 1000 : 1);
    return NOT_OF_TYPES.test(name) || amount === 0 ? [] : [[name, amount]];
  });
  return (type) => {
    const allocatable = allocatableOf(type);
    const unitsOf = (most: number, [name, amount]: readonly [string, number]) =>
      Math.min(most, ((allocatable.get(name) ?? 0) - (DAEMONS.get(name) ?? 0)) / amount);
    return Math.floor([...requests, ['pods', 1] as const].reduce(unitsOf, Number.POSITIVE_INFINITY) + 1e-9);
  };
}

function byFamily(types: readonly InstanceType[]): readonly (readonly InstanceType[])[] {
  const families = new Map<string, InstanceType[]>();
  for (const type of types) {
    const family = type.name.slice(0, type.name.indexOf('.'));
    families.set(family, [...(families.get(family) ?? []), type]);
  }
  return [...families.values()];
}

function usual(types: readonly InstanceType[]): readonly InstanceType[] {
  const ofArch = thoseOrAll(types, ({ arch }) => arch === USUAL_ARCH);
  return thoseOrAll(ofArch, ({ name }) => USUAL.test(name));
}

/** Slices fill the largest node first, and share the last one. */
function nodesOf(types: readonly InstanceType[], pool: HeadroomConfig): (replicas: number) => number {
  const most = Math.max(...types.map(unitsOn(pool)));
  return (replicas) => Math.ceil(replicas / most);
}

/** The hourly cost of replicas on the cheapest of these types; slices fill the largest node first, as Karpenter packs. */
function costOf(types: readonly InstanceType[], pool: HeadroomConfig): (replicas: number) => number {
  const units = unitsOn(pool);
  const sized = types.map((type) => ({ price: type.onDemand, units: units(type) }));
  const priceFor = (units: number) => (units === 0 ? 0 : (sized.find((type) => type.units >= units)?.price ?? 0));
  if (pool.unit.kind !== 'slice') return (replicas) => replicas * priceFor(1);
  const most = Math.max(...sized.map(({ units }) => units));
  return (replicas) => Math.floor(replicas / most) * priceFor(most) + priceFor(replicas % most);
}
