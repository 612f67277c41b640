import type { StringMap } from '../../kube/objects';
import type { Amounts } from '../state/amounts';
import type { InstanceType } from './instance-types';

/** The prefix of labels about the instance, unless the node class is of another API group. */
export const INSTANCE_LABELS = 'karpenter.k8s.aws';
const MEBIBYTE = 2 ** 20;
/** The share of memory that Karpenter assumes the hypervisor uses. */
const VM_OVERHEAD = 0.075;
const EVICTION_MEBIBYTES = 100;

/** An instance type in a zone, on demand or spot. */
export interface Offer {
  readonly type: InstanceType;
  readonly zone: string;
  readonly capacityType: 'on-demand' | 'spot';
  readonly price: number;
  readonly labels: StringMap;
  readonly capacity: Amounts;
  readonly allocatable: Amounts;
}

/** Every offer, cheapest first. */
export function offersOf(catalog: readonly InstanceType[], zones: readonly string[]): readonly Offer[] {
  const offers = catalog.flatMap((type) => {
    const [capacity, allocatable] = [capacityOf(type), allocatableOf(type)];
    return zones.flatMap((zone, index) =>
      (['on-demand', 'spot'] as const).map((capacityType): Offer => {
        // Spot prices differ slightly between zones.
        const price = capacityType === 'spot' ? type.spot * (1 + index * 0.02) : type.onDemand;
        return { type, zone, capacityType, price, capacity, allocatable, labels: labelsOf(type, zone, capacityType) };
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

function capacityOf(type: InstanceType): Amounts {
  const memory = Math.floor(type.memoryMiB * (1 - VM_OVERHEAD)) * MEBIBYTE;
  return new Map([
    ['cpu', type.cpu * 1000],
    ['memory', memory],
    ['pods', type.maxPods],
    ...Object.entries(type.extended ?? {}),
  ]);
}

/** What is left for pods after the kubelet's reservations. */
function allocatableOf(type: InstanceType): Amounts {
  const capacity = new Map(capacityOf(type));
  const reserved = (11 * type.maxPods + 255 + EVICTION_MEBIBYTES) * MEBIBYTE;
  capacity.set('cpu', type.cpu * 1000 - reservedCpu(type.cpu));
  capacity.set('memory', (capacity.get('memory') ?? 0) - reserved);
  return capacity;
}

/** 6 % of the first core, 1 % of the second, 0.5 % of the next two, 0.25 % of the rest. */
function reservedCpu(cores: number): number {
  const shares = Array.from({ length: cores }, (_, core) => (core === 0 ? 60 : core === 1 ? 10 : core < 4 ? 5 : 2.5));
  return Math.ceil(shares.reduce((sum, share) => sum + share, 0));
}

function labelsOf(type: InstanceType, zone: string, capacityType: string): StringMap {
  const [family = '', size = ''] = type.name.split('.');
  return {
    'node.kubernetes.io/instance-type': type.name,
    'kubernetes.io/arch': type.arch,
    'kubernetes.io/os': 'linux',
    'topology.kubernetes.io/zone': zone,
    'topology.kubernetes.io/region': zone.replace(/[a-z]$/, ''),
    'karpenter.sh/capacity-type': capacityType,
    [`${INSTANCE_LABELS}/instance-category`]: family.replace(/\d.*$/, ''),
    [`${INSTANCE_LABELS}/instance-family`]: family,
    [`${INSTANCE_LABELS}/instance-generation`]: /\d+/.exec(family)?.[0] ?? '',
    [`${INSTANCE_LABELS}/instance-size`]: size,
    [`${INSTANCE_LABELS}/instance-cpu`]: `${type.cpu}`,
    [`${INSTANCE_LABELS}/instance-memory`]: `${type.memoryMiB}`,
    ...(type.extended?.['nvidia.com/gpu'] && {
      [`${INSTANCE_LABELS}/instance-gpu-count`]: `${type.extended['nvidia.com/gpu']}`,
      [`${INSTANCE_LABELS}/instance-gpu-manufacturer`]: 'nvidia',
    }),
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
