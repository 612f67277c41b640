import data from './instance-types.json';
import regions from './regions.json';

type StringMap = Readonly<Record<string, string>>;
type Amounts = Readonly<Record<string, number>>;
/** The values of `columns` in the file; the prices are in the order of its lists. */
type Row = readonly [number, number, number, InstanceType['arch'], StringMap, Amounts, readonly (number | null)[]];

/** The prefix of labels about the instance, unless the node class is of another API group. */
export const INSTANCE_LABELS = 'karpenter.k8s.aws';
/** The share of memory that Karpenter assumes the hypervisor uses. */
const VM_OVERHEAD = 0.075;
/** Memory that Arm kernels keep for themselves. */
const ARM_MEBIBYTES = 64;
const EVICTION_MEBIBYTES = 100;

/** An EC2 instance type as Karpenter sees it. */
export interface InstanceType {
  readonly name: string;
  readonly cpu: number;
  readonly memoryMiB: number;
  readonly maxPods: number;
  readonly arch: 'amd64' | 'arm64';
  /** The list price of an hour on demand. */
  readonly onDemand: number;
  readonly extended?: Amounts;
  /** Younger than the comparison of regions: whether the region has it is not known. */
  readonly isYounger?: true;
  /** The labels of its nodes, apart from those of an offer: zone and capacity type. */
  readonly labels: StringMap;
}

type Shape = Pick<InstanceType, 'name' | 'arch' | 'cpu' | 'memoryMiB'>;

/** What types cost in a region. */
export interface PriceList {
  /** The region that the prices are for. */
  readonly region: string;
  readonly currency: 'USD' | 'CNY';
  /** The region whose list it is based on, and the date of that list. */
  readonly listed: string;
  readonly date: string;
  /** What the region charges of those prices, by instance family, and when that was compared. */
  readonly factors?: { readonly of: ReadonlyMap<string, number>; readonly usual: number; readonly date: string };
  /** What spot is estimated to cost, in percent of these prices; absent where it is not known. */
  readonly spotPercent?: number;
}

type Listed = Pick<PriceList, 'region' | 'currency' | 'date'>;

const LISTS = data.lists as readonly Listed[];
/** The first factor is the usual one of the region. */
type Factors = readonly (readonly [number, string])[];
const REGIONS = regions.regions as unknown as Readonly<
  Record<string, { readonly spot: number; readonly factors: Factors }>
>;
/** Every family that was there when regions were compared. */
const COMPARED = new Set(familiesOf(REGIONS['us-east-1']?.factors).keys());

const lists = new Map<string, PriceList>();

/** China and GovCloud have lists of their own; elsewhere prices are those of us-east-1 by a factor, where it is known. */
export function priceListOf(region: string): PriceList {
  const list = lists.get(region) ?? newList(region);
  lists.set(region, list);
  return list;
}

function newList(region: string): PriceList {
  const near = region.startsWith('cn-') ? 'cn-north-1' : region;
  const own = LISTS.find((list) => list.region === near);
  const { currency, date, region: listed } = own ?? (LISTS[0] as Listed);
  const { spot, factors } = REGIONS[region] ?? {};
  const [[usual] = [1]] = factors ?? [];
  return {
    region,
    currency,
    listed,
    date,
    ...(spot && { spotPercent: spot }),
    ...(!own && factors && { factors: { of: familiesOf(factors), usual, date: regions.date } }),
  };
}

function familiesOf(factors: Factors = []): ReadonlyMap<string, number> {
  return new Map(factors.flatMap(([factor, families]) => families.split(' ').map((family) => [family, factor])));
}

/**
 * Where the prices of some nodes are from, each spot or not: `us-east-1 list price, 2026-07-06`, `spot, estimated at 36 % of list
 * (us-east-1 list price, 2026-07-06)`, `eu-west-1 list price, estimated from us-east-1 (2026-07-06) by family (2025-05-28)`.
 */
export function originText(
  list: PriceList,
  spots: readonly boolean[] = [],
  percent: string | number = list.spotPercent ?? '',
): string {
  const estimate = percent === '' ? 'spot, at most list' : `spot, estimated at ${percent} % of list`;
  if (!spots.includes(true)) return listText(list);
  return spots.includes(false) ? `${listText(list)}; ${estimate}` : `${estimate} (${listText(list)})`;
}

function listText({ region, listed, date, factors }: PriceList): string {
  if (factors) return `${region} list price, estimated from ${listed} (${date}) by family (${factors.date})`;
  return `${listed} list price, ${date}`;
}

const known = new Map<PriceList, readonly InstanceType[]>();

/** Every type with a price in a list, cheapest first. */
export function instanceTypes(list: PriceList): readonly InstanceType[] {
  const rows = Object.entries(data.types as unknown as Readonly<Record<string, Row>>);
  const column = LISTS.findIndex(({ region }) => region === list.listed);
  const types = () =>
    rows.flatMap(([name, [cpu, memoryMiB, maxPods, arch, labels, extended, prices]]): InstanceType[] => {
      const { factor, ...known } = factorOf(name, list);
      const onDemand = (prices[column] ?? 0) * factor;
      const type = { name, cpu, memoryMiB, maxPods, arch };
      return onDemand ? [{ ...type, ...known, onDemand, extended, labels: labelsOf(type, labels) }] : [];
    });
  const found = known.get(list) ?? types().sort((a, b) => a.onDemand - b.onDemand);
  known.set(list, found);
  return found;
}

/** 0 for a family that the region does not have. */
function factorOf(type: string, { factors }: PriceList): { readonly factor: number; readonly isYounger?: true } {
  if (!factors) return { factor: 1 };
  const family = type.slice(0, type.indexOf('.'));
  const factor = factors.of.get(family);
  if (factor !== undefined) return { factor };
  return COMPARED.has(family) ? { factor: 0 } : { factor: factors.usual, isYounger: true };
}

/** Capacity by resource: cpu in millicores, memory in bytes, others in units. */
export function capacityOf({ arch, cpu, memoryMiB, maxPods, extended }: InstanceType): Map<string, number> {
  const physical = memoryMiB - (arch === 'arm64' ? ARM_MEBIBYTES : 0);
  return new Map([
    ['cpu', cpu * 1000],
    ['memory', (physical - Math.ceil(physical * VM_OVERHEAD)) * 2 ** 20],
    ['pods', maxPods],
    ...Object.entries(extended ?? {}),
  ]);
}

/** What is left for pods after the kubelet's reservations. */
export function allocatableOf(type: InstanceType): Map<string, number> {
  const allocatable = capacityOf(type);
  const reserved = (11 * type.maxPods + 255 + EVICTION_MEBIBYTES) * 2 ** 20;
  allocatable.set('cpu', type.cpu * 1000 - reservedCpu(type.cpu));
  allocatable.set('memory', (allocatable.get('memory') ?? 0) - reserved);
  return allocatable;
}

/** 6 % of the first core, 1 % of the second, 0.5 % of the next two, 0.25 % of the rest. */
function reservedCpu(cores: number): number {
  const ofRest = Math.max(0, cores - 4) * 2.5;
  return Math.ceil(60 + (cores > 1 ? 10 : 0) + Math.max(0, Math.min(2, cores - 2)) * 5 + ofRest);
}

/** The labels of a type; `others` are about the instance and do not follow from these fields. */
export function labelsOf({ name, arch, cpu, memoryMiB }: Shape, others: StringMap = {}): StringMap {
  const [family = '', size = ''] = name.split('.');
  const [, category = '', generation = ''] = /^([a-z]+)(?:-\d+tb)?(\d+)/.exec(family) ?? [];
  const flex = { 'capability-flex': `${family.includes('-flex')}` };
  const own = { category, family, generation, size, cpu: `${cpu}`, memory: `${memoryMiB}`, ...flex, ...others };
  return {
    'node.kubernetes.io/instance-type': name,
    'kubernetes.io/arch': arch,
    'kubernetes.io/os': 'linux',
    ...Object.fromEntries(Object.entries(own).map(([key, value]) => [`${INSTANCE_LABELS}/instance-${key}`, value])),
  };
}
