import data from './instance-types.json';

type StringMap = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, string | number | null>>;

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
  readonly extended?: Readonly<Record<string, number>>;
  /** Labels that do not follow from the other fields. */
  readonly labels?: StringMap;
}

export interface PriceList {
  readonly region: string;
  readonly currency: 'USD' | 'CNY';
  readonly date: string;
}

/** The list that is nearest to a region: China and GovCloud have their own. */
export function priceListOf(region: string): PriceList {
  const lists = data.lists as readonly PriceList[];
  const near = region.startsWith('cn-') ? 'cn-north-1' : region;
  return lists.find((list) => list.region === near) ?? (lists[0] as PriceList);
}

/** Every type with a price in a list, cheapest first. */
export function instanceTypes({ region }: PriceList): readonly InstanceType[] {
  return Object.entries(data.types)
    .flatMap(([name, values]) => {
      const row: Row = Object.fromEntries(data.columns.map((column, index) => [column, values[index] ?? null]));
      return typeof row[region] === 'number' ? [instanceType(name, row, row[region])] : [];
    })
    .sort((a, b) => a.onDemand - b.onDemand);
}

function instanceType(name: string, row: Row, onDemand: number): InstanceType {
  const { cpu, memoryMiB, maxPods, arch, gpus, neurons, gpuName, nvmeGB, hypervisor, cpuManufacturer } = row;
  const label = (key: string, value: unknown) => (value ? { [`${INSTANCE_LABELS}/instance-${key}`]: `${value}` } : {});
  return {
    name,
    cpu: Number(cpu),
    memoryMiB: Number(memoryMiB),
    maxPods: Number(maxPods),
    arch: arch as InstanceType['arch'],
    onDemand,
    extended: {
      ...(gpus && { 'nvidia.com/gpu': Number(gpus) }),
      ...(neurons && { 'aws.amazon.com/neuron': Number(neurons) }),
    },
    labels: {
      ...label('hypervisor', hypervisor),
      ...label('cpu-manufacturer', cpuManufacturer),
      ...label('local-nvme', nvmeGB),
      ...label('gpu-name', gpuName),
      ...label('gpu-count', gpus),
      ...label('gpu-manufacturer', gpuName && 'nvidia'),
    },
  };
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
  const shares = Array.from({ length: cores }, (_, core) => (core === 0 ? 60 : core === 1 ? 10 : core < 4 ? 5 : 2.5));
  return Math.ceil(shares.reduce((sum, share) => sum + share, 0));
}

/** The labels of its nodes, apart from those of an offer: zone and capacity type. */
export function labelsOf({ name, arch, cpu, memoryMiB, labels }: InstanceType): StringMap {
  const [family = '', size = ''] = name.split('.');
  const [, category = '', generation = ''] = /^([a-z]+)(?:-\d+tb)?(\d+)/.exec(family) ?? [];
  return {
    'node.kubernetes.io/instance-type': name,
    'kubernetes.io/arch': arch,
    'kubernetes.io/os': 'linux',
    [`${INSTANCE_LABELS}/instance-category`]: category,
    [`${INSTANCE_LABELS}/instance-family`]: family,
    [`${INSTANCE_LABELS}/instance-generation`]: generation,
    [`${INSTANCE_LABELS}/instance-size`]: size,
    [`${INSTANCE_LABELS}/instance-cpu`]: `${cpu}`,
    [`${INSTANCE_LABELS}/instance-memory`]: `${memoryMiB}`,
    [`${INSTANCE_LABELS}/instance-capability-flex`]: `${family.includes('-flex')}`,
    ...labels,
  };
}
