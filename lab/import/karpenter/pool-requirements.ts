import { asList, asMap, type Values } from '../../../shared/core/config/yaml/untyped';
import type { FieldLedger, Path } from '../input/field-ledger';

const FAMILY = 'karpenter.k8s.aws/instance-family';
const INSTANCE_TYPE = 'node.kubernetes.io/instance-type';
const CATEGORY = 'karpenter.k8s.aws/instance-category';

const FIELDS: Readonly<Record<string, string>> = {
  [FAMILY]: 'family',
  'karpenter.k8s.aws/instance-size': 'size',
  [CATEGORY]: 'category',
  [INSTANCE_TYPE]: 'instanceTypes',
  'beta.kubernetes.io/instance-type': 'instanceTypes',
  'topology.kubernetes.io/zone': 'zones',
  'failure-domain.beta.kubernetes.io/zone': 'zones',
  'kubernetes.io/arch': 'arch',
  'beta.kubernetes.io/arch': 'arch',
};
const FIELDS_OF_ONE = ['key', 'operator', 'values'];
const CAPACITY = 'karpenter.sh/capacity-type';
const GENERATION = 'karpenter.k8s.aws/instance-generation';
const OS = ['kubernetes.io/os', 'beta.kubernetes.io/os'];
const CAPACITY_TYPES = ['on-demand', 'spot'];
/** The capacity types if the node class has capacity reservations. */
export const WITH_RESERVED: readonly string[] = ['reserved', ...CAPACITY_TYPES];
const SIGNS: Readonly<Record<string, string>> = { Gt: '>', Lt: '<', Gte: '>=', Lte: '<=' };

/**
 * The requirements of an old object as fields of a `pool` block; `capacity` lists the possible capacity types.
 * A node must meet all requirements, so two lists for one key become their intersection.
 */
export function takeRequirements(
  ledger: FieldLedger,
  path: Path,
  capacity: readonly string[] = CAPACITY_TYPES,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const others: unknown[] = [];
  for (const [index, raw] of asList(ledger.peek(...path)).entries()) {
    const here: Path = [...path, index];
    const parsed = fieldOf(raw, capacity);
    const found = parsed && intersection(fields[parsed.field], parsed);
    if (found) {
      ledger.takeFields(here, FIELDS_OF_ONE);
      ledger.leave([...here, 'minValues'], 'has no place beside capacityType');
      fields[found.field] = found.value;
    } else if (asMap(raw).operator === undefined) ledger.leave(here, 'has no operator, so Karpenter refuses it too');
    else if (isLinux(asMap(raw))) ledger.takeFields(here, FIELDS_OF_ONE);
    else others.push(ledger.take(...here));
  }
  return { ...fields, ...(others.length > 0 && { requirements: others }) };
}

/** Nodes of a `pool` block run Linux anyway, unless their AMI is another system's. */
function isLinux({ key, operator, values }: Values): boolean {
  return OS.includes(String(key)) && operator === 'In' && asList(values).join() === 'linux';
}

interface Field {
  readonly field: string;
  readonly value: string | readonly string[];
}

/** `undefined` if one field cannot express both. */
function intersection(before: unknown, { field, value }: Field): Field | undefined {
  if (before === undefined) return { field, value };
  const both = asList(before).filter((one) => asList(value).includes(one)) as string[];
  return both.length > 0 ? { field, value: both } : undefined;
}

function fieldOf(raw: unknown, capacity: readonly string[]): Field | undefined {
  const { key, operator, values, minValues } = asMap(raw);
  const list = asList(values).map(String);
  if (operator === undefined) return undefined;
  if (key === CAPACITY && ['In', 'NotIn', 'Exists'].includes(String(operator)))
    return { field: 'capacityType', value: capacityTypes(String(operator), list, capacity) };
  if (minValues !== undefined) return undefined;
  const sign = SIGNS[String(operator)];
  if (key === GENERATION && sign !== undefined && list.length === 1)
    return { field: 'generation', value: `${sign} ${list[0]}` };
  const field = FIELDS[String(key)];
  return field !== undefined && operator === 'In' ? { field, value: list } : undefined;
}

function capacityTypes(operator: string, values: readonly string[], all: readonly string[]): readonly string[] {
  if (operator === 'In') return values;
  return operator === 'NotIn' ? all.filter((type) => !values.includes(type)) : all;
}

/**
 * A `pool` block has defaults where v1beta1 allows anything, so "anything" is written out. v1alpha5 had the
 * same defaults as a `pool` block: amd64, on-demand, and c, m, r newer than 2 if neither type, family, category
 * nor generation was given.
 */
export function anythingElse(
  fields: Readonly<Record<string, unknown>>,
  alpha: boolean,
  capacity: readonly string[] = CAPACITY_TYPES,
): Record<string, unknown> {
  const custom = asList(fields.requirements);
  const customKeys = new Set(custom.map((one) => asMap(one).key));
  const has = (field: string, key: string) => fields[field] !== undefined || customKeys.has(key);
  const chosen = has('family', FAMILY) || has('instanceTypes', INSTANCE_TYPE) || has('category', CATEGORY);
  const anyCategory = !chosen && (!alpha || has('generation', GENERATION));
  const requirements = [...custom, ...(anyCategory ? [{ key: CATEGORY, operator: 'Exists' }] : [])];
  return {
    ...(!alpha && !has('arch', 'kubernetes.io/arch') && { arch: ['amd64', 'arm64'] }),
    ...(!alpha && fields.capacityType === undefined && { capacityType: capacity }),
    ...(requirements.length > 0 && { requirements }),
  };
}
