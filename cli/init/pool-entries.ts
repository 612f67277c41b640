import { MAX_HEADROOM_NAME } from '../../shared/core/config/schema/schema-fields';
import type { Taint } from '../../shared/core/karpenter/objects';
import type { ConfigEntry } from '../config-file/config-entry';
import { quantityText } from '../terminal/quantity-text';
import type { SeenNodePool } from './read-node-pools';

const MIB = 2 ** 20;
/** A cautious default until somebody sets it. */
const MAX = 4;

/** The entry to start from without a cluster; the same as in the README. */
export const starter = (timezone: string): ConfigEntry => ({
  name: 'default',
  settings: {
    max: 8,
    unit: { floor: { cpu: 4, memory: '16Gi' } },
    schedules: [{ name: 'lunch', timezone, start: '30 11 * * MON-FRI', end: '30 13 * * MON-FRI', addNodes: 6 }],
  },
  remarks: {
    max: 'The name above is that of an existing Karpenter NodePool. Never add more nodes than this:',
    unit: 'Nodes of at least this size, used or not:',
  },
});

export function poolEntries(pools: readonly SeenNodePool[]): readonly ConfigEntry[] {
  const names = keysOf(pools);
  return pools.map((pool, index) => {
    const { settings, remark } = unitOf(pool);
    const arch = onlyArchitecture(pool);
    const name = names[index] ?? pool.name;
    return {
      name,
      settings: {
        ...(name !== pool.name && { nodePool: pool.name }),
        max: MAX,
        unit: settings,
        ...(arch !== undefined && { nodeSelector: { 'kubernetes.io/arch': arch } }),
      },
      remarks: {
        max: aboutPool(pool),
        unit: [remark, ...likeRemark(pool)],
        ...(arch !== undefined && {
          nodeSelector: `The NodePool allows ${pool.allowedArchitectures.join(' and ') || 'any architecture'}, and all its nodes are ${arch}.`,
        }),
      },
    };
  });
}

/** The names of the NodePools, shortened where a key may not be as long. */
function keysOf(pools: readonly SeenNodePool[]): readonly string[] {
  const taken = new Set(pools.map(({ name }) => name));
  return pools.map(({ name }) => {
    if (name.length <= MAX_HEADROOM_NAME) return name;
    const short = (most: number) => name.slice(0, most).replace(/[^a-z0-9]+$/, '');
    let key = short(MAX_HEADROOM_NAME);
    for (let number = 2; taken.has(key); number += 1) key = `${short(MAX_HEADROOM_NAME - 4)}-${number}`;
    taken.add(key);
    return key;
  });
}

/** Room for one workload is better sized in its own pods. */
function likeRemark({ workload }: SeenNodePool): readonly string[] {
  if (!workload) return [];
  const { kind, namespace, name } = workload;
  const like =
    kind === 'Deployment' ? `${namespace}/${name}` : `{ kind: ${kind}, namespace: ${namespace}, name: ${name} }`;
  return [
    `Nearly all of the work there is ${namespace}/${name}. To size room in its pods, write unit: { like: ${like} },`,
    'and base, max and desiredReplicas as numbers or shares of its pods, such as 20%.',
  ];
}

function unitOf({ largest }: SeenNodePool): { readonly settings: object; readonly remark: string } {
  if (!largest)
    return {
      settings: { node: { cpu: 1, memory: '2Gi' } },
      remark: 'No pod with requests runs there: write what your largest one will request.',
    };
  const requests = [...largest.requests].map(([resource, amount]) => [resource, requestText(resource, amount)]);
  return {
    settings: { node: Object.fromEntries(requests) },
    remark: `The most that a pod there requests (${largest.names.join(', ')}).`,
  };
}

/** Whole mebibytes, rounded up so that the pod still fits. */
function requestText(resource: string, amount: number): string | number {
  const isBytes = /^(memory|ephemeral-storage|hugepages-.+)$/.test(resource);
  return isBytes ? quantityText('memory', Math.ceil(amount / MIB) * MIB) : asNumber(quantityText(resource, amount));
}

function asNumber(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** Headroom on nodes that the work cannot use would be wasted. */
function onlyArchitecture({ allowedArchitectures, runningArchitectures }: SeenNodePool): string | undefined {
  return allowedArchitectures.length !== 1 && runningArchitectures.length === 1 ? runningArchitectures[0] : undefined;
}

function aboutPool({ taints, allowedArchitectures, runningArchitectures }: SeenNodePool): readonly string[] {
  const architectures = allowedArchitectures.length > 0 ? allowedArchitectures : runningArchitectures;
  return [
    ...(architectures.length > 0 ? [`Architecture: ${architectures.join(', ')}.`] : []),
    ...(taints.length > 0 ? [`Taints, which its headroom tolerates: ${taints.map(taintText).join(', ')}.`] : []),
  ];
}

function taintText({ key, value, effect }: Taint): string {
  return `${key}${value === undefined || value === '' ? '' : `=${value}`}:${effect}`;
}
