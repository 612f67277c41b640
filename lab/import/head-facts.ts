import { isPlaceholder } from '../../shared/core/config/check/suspicious-values';
import type { InputDocument } from './input/documents';
import { pathsIn, valueAt } from './input/field-ledger';

const REGION = /^([a-z]{2}(?:-gov|-iso[a-z]?)?-[a-z]+-\d)$/;
/** `us-west-2a`, and a local zone such as `us-west-2-lax-1a`. */
const ZONE = /^([a-z]{2}(?:-gov|-iso[a-z]?)?-[a-z]+-\d)(?:-[a-z]+-\d)?[a-z]$/;
const CLUSTER_TAGS = [
  'karpenter.sh/discovery',
  'alpha.eksctl.io/cluster-name',
  'eks:cluster-name',
  'aws:eks:cluster-name',
];
const CLUSTER_NAME = /^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$/;
/** Common tag values that are not the cluster's name. */
const NO_NAMES = /^(true|yes|owned|shared|\*)$/;

/** Finds the region in zone names, and the cluster's name in the discovery tags of subnets and security groups. */
export function headFacts(documents: readonly InputDocument[], given: Partial<Record<'cluster' | 'region', string>>) {
  const regions = new Set<string>();
  const names = new Set<string>();
  for (const { value: root } of documents)
    for (const path of pathsIn(root)) {
      const key = String(path.at(-1));
      const value = valueAt(root, path);
      const [region, name] = [regionIn(key, value), nameIn(key, value)];
      if (region !== undefined) regions.add(region);
      if (name !== undefined) names.add(name);
    }
  const { cluster, region } = given;
  return {
    clusterName: cluster ?? only(names),
    region: region ?? only(regions),
    guessed: [
      ...(cluster === undefined ? guess('cluster.name', 'the discovery tags', names) : []),
      ...(region === undefined ? guess('cluster.region', 'the zones', regions) : []),
    ],
  };
}

function regionIn(key: string, value: unknown): string | undefined {
  const pattern = /^(aws-?)?region$/i.test(key) ? REGION : ZONE;
  return typeof value === 'string' ? pattern.exec(value)?.[1] : undefined;
}

function nameIn(key: string, value: unknown): string | undefined {
  const owned = /^kubernetes\.io\/cluster\/(.+)$/.exec(key)?.[1];
  const name = owned ?? (CLUSTER_TAGS.includes(key) && typeof value === 'string' ? value : '');
  return CLUSTER_NAME.test(name) && !NO_NAMES.test(name) && !isPlaceholder(name) ? name : undefined;
}

function only(values: ReadonlySet<string>): string | undefined {
  const [value, ...others] = values;
  return others.length === 0 ? value : undefined;
}

function guess(setting: string, where: string, values: ReadonlySet<string>): string[] {
  if (values.size === 0) return [];
  const list = [...values].join(', ');
  return values.size === 1 ? [`${setting}: ${list}, from ${where}.`] : [`${setting}: ${where} name several: ${list}.`];
}
