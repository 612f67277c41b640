import type { PoolInput } from '../config/pool-schema';

/** A node selector requirement of a NodePool. */
export interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
  readonly minValues?: number;
}

const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const CATEGORY = 'karpenter.k8s.aws/instance-category';
const GENERATION = 'karpenter.k8s.aws/instance-generation';
const COMPARISONS: Readonly<Record<string, string>> = { '>': 'Gt', '>=': 'Gte', '<': 'Lt', '<=': 'Lte' };

/**
 * The requirements of a `pool` block.
 * - Each short field becomes one requirement, custom ones follow.
 * - Karpenter v1 takes what is not said as "anything": without arch it may buy Arm nodes,
 *   without capacity type spot ones, without family the oldest generations. So linux, amd64,
 *   on-demand and category c, m, r with generation > 2 are written out where nothing else is.
 */
export function requirementsOf(pool: PoolInput, region: string): readonly Requirement[] {
  const custom = (pool.requirements ?? []).map(plainRequirement);
  const short = [
    ...isIn(CATEGORY, pool.category),
    ...isIn('karpenter.k8s.aws/instance-family', pool.family),
    ...isIn('karpenter.k8s.aws/instance-size', pool.size),
    ...generation(pool.generation),
    ...isIn('node.kubernetes.io/instance-type', pool.instanceTypes),
    ...isIn(
      'topology.kubernetes.io/zone',
      pool.zones?.map((zone) => zoneName(zone, region)),
    ),
  ];
  const chosen = pool.family !== undefined || pool.instanceTypes !== undefined;
  const defaults = [
    ...isIn('kubernetes.io/os', [isWindows(pool) ? 'windows' : 'linux']),
    ...isIn('kubernetes.io/arch', pool.arch ?? ['amd64']),
    ...isIn(CAPACITY_TYPE, pool.capacityType ?? ['on-demand']),
    ...(chosen ? [] : [...isIn(CATEGORY, ['c', 'm', 'r']), ...generation('> 2')]),
  ];
  const said = new Set([...short, ...custom].map(({ key }) => key));
  return [...defaults.filter(({ key }) => !said.has(key)), ...short, ...custom];
}

/** The same requirements for spot nodes; what the twin says about a key replaces what the pool says. */
export function spotRequirements(pool: PoolInput, region: string): readonly Requirement[] {
  const own = [...isIn(CAPACITY_TYPE, ['spot']), ...(pool.spot?.requirements ?? []).map(plainRequirement)];
  const replaced = new Set(own.map(({ key }) => key));
  return [...requirementsOf(pool, region).filter(({ key }) => !replaced.has(key)), ...own];
}

function isIn(key: string, values: readonly string[] | undefined): Requirement[] {
  return values ? [{ key, operator: 'In', values }] : [];
}

function generation(text: string | undefined): Requirement[] {
  const [, sign = '', number = ''] = /^([<>]=?)\s*(\d+)$/.exec(text ?? '') ?? [];
  const operator = COMPARISONS[sign];
  return operator ? [{ key: GENERATION, operator, values: [number] }] : [];
}

function zoneName(zone: string, region: string): string {
  return /^[a-z]$/.test(zone) ? `${region}${zone}` : zone;
}

function isWindows({ ami, amiFamily }: PoolInput): boolean {
  return /^windows/i.test(ami ?? amiFamily ?? '');
}

function plainRequirement({ key, operator, values, minValues }: NonNullable<PoolInput['requirements']>[number]) {
  return { key, operator, ...(values && { values }), ...(minValues !== undefined && { minValues }) };
}
