import type { PoolInput } from '../config/schema/pool-schema';

export interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
  readonly minValues?: number;
}

const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const CATEGORY = 'karpenter.k8s.aws/instance-category';
const GENERATION = 'karpenter.k8s.aws/instance-generation';
const FAMILY = 'karpenter.k8s.aws/instance-family';
const INSTANCE_TYPE = 'node.kubernetes.io/instance-type';
const COMPARISONS: Readonly<Record<string, string>> = { '>': 'Gt', '>=': 'Gte', '<': 'Lt', '<=': 'Lte' };
/** Replacements for operators that older Karpenter CRDs do not know; the values are integers. */
const OLDER: Readonly<Record<string, { readonly operator: string; readonly by: number }>> = {
  Gte: { operator: 'Gt', by: -1 },
  Lte: { operator: 'Lt', by: 1 },
};

/**
 * The requirements of a `pool` block.
 * - Each short field becomes one requirement, custom ones follow.
 * - Karpenter v1 treats a missing requirement as "anything": without arch it may launch Arm nodes, without capacity
 *   type spot, without family the oldest generations. So the defaults are linux, amd64, on-demand, category c, m, r and
 *   generation > 2. The last two do not apply if types or families are given, by any operator; with categories there is
 *   no generation, as in Karpenter's own former defaults.
 */
export function requirementsOf(pool: PoolInput, region: string): readonly Requirement[] {
  const custom = (pool.requirements ?? []).map(plainRequirement);
  const short = [
    ...isIn(CATEGORY, pool.category),
    ...isIn(FAMILY, pool.family),
    ...isIn('karpenter.k8s.aws/instance-size', pool.size),
    ...generation(pool.generation),
    ...isIn(INSTANCE_TYPE, pool.instanceTypes),
    ...isIn(
      'topology.kubernetes.io/zone',
      pool.zones?.map((zone) => zoneName(zone, region)),
    ),
  ];
  const given = new Set([...short, ...custom].map(({ key }) => key));
  const chosen = given.has(FAMILY) || given.has(INSTANCE_TYPE);
  const defaults = [
    ...isIn('kubernetes.io/os', [isWindows(pool) ? 'windows' : 'linux']),
    ...isIn('kubernetes.io/arch', pool.arch ?? ['amd64']),
    ...isIn(CAPACITY_TYPE, pool.capacityType ?? ['on-demand']),
    ...(chosen ? [] : isIn(CATEGORY, ['c', 'm', 'r'])),
    ...(chosen || given.has(CATEGORY) ? [] : generation('> 2')),
  ];
  return [...defaults.filter(({ key }) => !given.has(key)), ...short, ...custom].flatMap(forOlderCrds);
}

/** The same requirements for spot nodes; the twin's own replace the pool's for the same key. */
export function spotRequirements(pool: PoolInput, region: string): readonly Requirement[] {
  const own = [...isIn(CAPACITY_TYPE, ['spot']), ...(pool.spot?.requirements ?? []).map(plainRequirement)];
  const replaced = new Set(own.map(({ key }) => key));
  return [...requirementsOf(pool, region).filter(({ key }) => !replaced.has(key)), ...own.flatMap(forOlderCrds)];
}

/** "At least 0" is left out: it excludes nothing, and the CRD takes no negative bound. */
function forOlderCrds(requirement: Requirement): Requirement[] {
  const older = OLDER[requirement.operator];
  if (!older) return [requirement];
  const value = Number(requirement.values?.[0]) + older.by;
  return value < 0 ? [] : [{ ...requirement, operator: older.operator, values: [String(value)] }];
}

function isIn(key: string, values: readonly string[] | undefined): Requirement[] {
  return values ? [{ key, operator: 'In', values }] : [];
}

function generation(text: string | undefined): Requirement[] {
  if (!text) return [];
  const sign = text.replace(/[\s\d]+/, '');
  return [{ key: GENERATION, operator: COMPARISONS[sign] ?? sign, values: [text.replace(/\D+/, '')] }];
}

function zoneName(zone: string, region: string): string {
  return /^[a-z]$/.test(zone) ? `${region}${zone}` : zone;
}

function isWindows({ ami, amiFamily }: PoolInput): boolean | undefined {
  return (ami ?? amiFamily)?.toLowerCase().startsWith('windows');
}

function plainRequirement({ key, operator, values, minValues }: NonNullable<PoolInput['requirements']>[number]) {
  return { key, operator, ...(values && { values }), ...(minValues && { minValues }) };
}
