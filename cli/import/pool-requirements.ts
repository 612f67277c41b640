import { asList, asMap } from '../../shared/core/config/untyped';
import type { Ledger, Path } from './ledger';

/** Requirement keys that have a field of their own in a `pool` block. */
const FIELDS: Readonly<Record<string, string>> = {
  'karpenter.k8s.aws/instance-family': 'family',
  'karpenter.k8s.aws/instance-size': 'size',
  'karpenter.k8s.aws/instance-category': 'category',
  'node.kubernetes.io/instance-type': 'instanceTypes',
  'beta.kubernetes.io/instance-type': 'instanceTypes',
  'topology.kubernetes.io/zone': 'zones',
  'failure-domain.beta.kubernetes.io/zone': 'zones',
  'kubernetes.io/arch': 'arch',
  'beta.kubernetes.io/arch': 'arch',
};
const FIELDS_OF_ONE = ['key', 'operator', 'values'];
const CAPACITY = 'karpenter.sh/capacity-type';
const CATEGORY = 'karpenter.k8s.aws/instance-category';
const GENERATION = 'karpenter.k8s.aws/instance-generation';
const OS = ['kubernetes.io/os', 'beta.kubernetes.io/os'];
const CAPACITY_TYPES = ['on-demand', 'spot'];
const SIGNS: Readonly<Record<string, string>> = { Gt: '>', Lt: '<', Gte: '>=', Lte: '<=' };

/** The requirements of an old object as fields of a `pool` block. */
export function takeRequirements(ledger: Ledger, path: Path): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const others: unknown[] = [];
  for (const [index, raw] of asList(ledger.peek(...path)).entries()) {
    const here: Path = [...path, index];
    const found = fieldOf(raw);
    if (found && !(found.field in fields)) {
      ledger.takeFields(here, FIELDS_OF_ONE);
      fields[found.field] = found.value;
    } else if (OS.includes(String(asMap(raw).key)) && asList(asMap(raw).values).join() === 'linux')
      ledger.takeFields(here, FIELDS_OF_ONE);
    else others.push(ledger.take(...here));
  }
  return { ...fields, ...(others.length > 0 && { requirements: others }) };
}

function fieldOf(raw: unknown): { readonly field: string; readonly value: unknown } | undefined {
  const { key, operator, values, minValues } = asMap(raw);
  const list = asList(values).map(String);
  if (minValues !== undefined) return undefined;
  if (key === CAPACITY) return { field: 'capacityType', value: capacityTypes(String(operator), list) };
  const sign = SIGNS[String(operator)];
  if (key === GENERATION && sign !== undefined && list.length === 1)
    return { field: 'generation', value: `${sign} ${list[0]}` };
  const field = FIELDS[String(key)];
  return field !== undefined && operator === 'In' ? { field, value: list } : undefined;
}

function capacityTypes(operator: string, values: readonly string[]): readonly string[] {
  if (operator === 'In') return values;
  return operator === 'NotIn' ? CAPACITY_TYPES.filter((type) => !values.includes(type)) : CAPACITY_TYPES;
}

/**
 * Since v1beta1 what is not said is "anything"; a `pool` block fills in amd64,
 * on-demand and c, m, r newer than 2. So "anything" is written out.
 */
export function anythingElse(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const custom = asList(fields.requirements);
  const said = new Set(custom.map((one) => asMap(one).key));
  const chosen = fields.family !== undefined || fields.instanceTypes !== undefined;
  const any = [
    ...(fields.category === undefined && !said.has(CATEGORY) && !chosen ? [{ key: CATEGORY, operator: 'Exists' }] : []),
    ...(fields.generation === undefined && !said.has(GENERATION) && !chosen
      ? [{ key: GENERATION, operator: 'Exists' }]
      : []),
  ];
  const requirements = [...custom, ...any];
  return {
    ...(fields.arch === undefined && !said.has('kubernetes.io/arch') && { arch: ['amd64', 'arm64'] }),
    ...(fields.capacityType === undefined && { capacityType: CAPACITY_TYPES }),
    ...(requirements.length > 0 && { requirements }),
  };
}
