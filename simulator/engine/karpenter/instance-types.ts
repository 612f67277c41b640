/** An instance type of the simulated EC2. */
export interface InstanceType {
  readonly name: string;
  readonly cpu: number;
  readonly memoryMiB: number;
  readonly maxPods: number;
  readonly arch: 'amd64' | 'arm64';
  /** Dollars per hour. */
  readonly onDemand: number;
  readonly spot: number;
  readonly extended?: Readonly<Record<string, number>>;
}

interface Family {
  readonly name: string;
  readonly arch: InstanceType['arch'];
  readonly memoryPerCpuMiB: number;
  /** The on-demand price of the size `large`, with two vCPU. */
  readonly largePrice: number;
  readonly spotShare: number;
}

const FAMILIES: readonly Family[] = [
  { name: 'c6i', arch: 'amd64', memoryPerCpuMiB: 2048, largePrice: 0.085, spotShare: 0.41 },
  { name: 'c6g', arch: 'arm64', memoryPerCpuMiB: 2048, largePrice: 0.068, spotShare: 0.45 },
  { name: 'm6i', arch: 'amd64', memoryPerCpuMiB: 4096, largePrice: 0.096, spotShare: 0.4 },
  { name: 'm6g', arch: 'arm64', memoryPerCpuMiB: 4096, largePrice: 0.077, spotShare: 0.46 },
  { name: 'r6i', arch: 'amd64', memoryPerCpuMiB: 8192, largePrice: 0.126, spotShare: 0.38 },
  { name: 'r6g', arch: 'arm64', memoryPerCpuMiB: 8192, largePrice: 0.1008, spotShare: 0.44 },
];
const SIZES = [
  { name: 'large', cpu: 2, maxPods: 29 },
  { name: 'xlarge', cpu: 4, maxPods: 58 },
  { name: '2xlarge', cpu: 8, maxPods: 58 },
  { name: '4xlarge', cpu: 16, maxPods: 234 },
  { name: '8xlarge', cpu: 32, maxPods: 234 },
];
const OTHERS: readonly InstanceType[] = [
  { name: 't3.medium', cpu: 2, memoryMiB: 4096, maxPods: 17, arch: 'amd64', onDemand: 0.0416, spot: 0.0146 },
  { name: 't3.large', cpu: 2, memoryMiB: 8192, maxPods: 35, arch: 'amd64', onDemand: 0.0832, spot: 0.0291 },
  {
    name: 'g5.xlarge',
    cpu: 4,
    memoryMiB: 16_384,
    maxPods: 58,
    arch: 'amd64',
    onDemand: 1.006,
    spot: 0.43,
    extended: { 'nvidia.com/gpu': 1 },
  },
];

/** A small selection: six families in five sizes, two burstable types and one with a GPU, at prices of us-east-1. */
export const INSTANCE_TYPES: readonly InstanceType[] = [
  ...FAMILIES.flatMap((family) => SIZES.map((size) => instanceType(family, size))),
  ...OTHERS,
];

function instanceType(family: Family, size: (typeof SIZES)[number]): InstanceType {
  const onDemand = dollars((family.largePrice * size.cpu) / 2);
  return {
    name: `${family.name}.${size.name}`,
    cpu: size.cpu,
    memoryMiB: size.cpu * family.memoryPerCpuMiB,
    maxPods: size.maxPods,
    arch: family.arch,
    onDemand,
    spot: dollars(onDemand * family.spotShare),
  };
}

function dollars(price: number): number {
  return Math.round(price * 10_000) / 10_000;
}
