import { asList, asMap } from '../../shared/core/config/untyped';
import type { Ledger, Path } from './ledger';

const ALIASES: Readonly<Record<string, string>> = {
  AL2: 'al2@latest',
  AL2023: 'al2023@latest',
  Bottlerocket: 'bottlerocket@latest',
  Windows2019: 'windows2019@latest',
  Windows2022: 'windows2022@latest',
  Windows2025: 'windows2025@latest',
};
const IDS = ['aws-ids', 'aws::ids'];
const SAME = ['tags', 'blockDeviceMappings', 'userData', 'kubelet'];
const HANDED_ON = ['associatePublicIPAddress', 'context', 'detailedMonitoring', 'instanceStorePolicy'];
const LAUNCH_TEMPLATE = 'Karpenter v1 has no launch templates; set AMI, user data and block devices instead';

/** The fields of an AWSNodeTemplate, an inline provider or an EC2NodeClass as fields of a `pool` block. */
export function takeNodeClass(ledger: Ledger, path: Path, remarks: Record<string, string>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const put = (key: string, value: unknown) => {
    if (value !== undefined) fields[key] = value;
  };
  put('subnets', takeSelector(ledger, path, 'subnet'));
  put('securityGroups', takeSelector(ledger, path, 'securityGroup'));
  Object.assign(fields, takeAmi(ledger, path, remarks));
  put('instanceProfile', ledger.take(...path, 'instanceProfile'));
  if (fields.instanceProfile === undefined) put('role', ledger.take(...path, 'role'));
  for (const key of SAME) put(key, ledger.take(...path, key));
  put('metadataOptions', takeMetadataOptions(ledger, path, remarks));
  const others = HANDED_ON.flatMap((key) => {
    const value = ledger.take(...path, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  if (others.length > 0) fields.nodeClass = Object.fromEntries(others);
  for (const key of ['launchTemplate', 'launchTemplateName']) ledger.leave([...path, key], LAUNCH_TEMPLATE);
  return fields;
}

/** Until v1 two hops were the default, now it is one, which pods without host network cannot use. */
function takeMetadataOptions(ledger: Ledger, path: Path, remarks: Record<string, string>): unknown {
  const given = asMap(ledger.take(...path, 'metadataOptions'));
  if (given.httpPutResponseHopLimit !== undefined || String(ledger.peek('apiVersion')).endsWith('/v1'))
    return Object.keys(given).length > 0 ? given : undefined;
  remarks.metadataOptions =
    'the default changed from two hops to one in v1; remove it if no pod uses the instance metadata';
  return { ...given, httpPutResponseHopLimit: 2 };
}

/** New lists of terms as they are; old maps of tags and ids as terms. */
function takeSelector(ledger: Ledger, path: Path, kind: 'subnet' | 'securityGroup'): unknown {
  const terms = ledger.take(...path, `${kind}SelectorTerms`);
  if (terms !== undefined) return terms;
  return takeOldSelector(ledger, [...path, `${kind}Selector`]);
}

function takeOldSelector(ledger: Ledger, path: Path): readonly Record<string, unknown>[] | undefined {
  const selector = asMap(ledger.peek(...path));
  const keys = Object.keys(selector);
  if (keys.length === 0) return undefined;
  const ids = keys.filter((key) => IDS.includes(key));
  const used = ids.length > 0 ? ids : keys;
  ledger.takeFields(path, used);
  for (const key of keys) ledger.leave([...path, key], 'cannot be combined with ids in v1');
  return termsOf(Object.fromEntries(used.map((key) => [key, selector[key]])));
}

/** Several values, joined by commas, mean any of them; several keys mean all of them. */
function termsOf(selector: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] {
  const values = (text: unknown) =>
    String(text ?? '')
      .split(',')
      .map((one) => one.trim())
      .map((one) => (one === '' ? '*' : one));
  const ids = Object.entries(selector).filter(([key]) => IDS.includes(key));
  if (ids.length > 0) return ids.flatMap(([, text]) => values(text).map((id) => ({ id })));
  const combined = Object.entries(selector).reduce<readonly Record<string, string>[]>(
    (terms, [key, text]) => terms.flatMap((term) => values(text).map((value) => ({ ...term, [key]: value }))),
    [{}],
  );
  return combined.map((tags) => ({ tags }));
}

/** v1 wants an AMI to be named: an alias for the families of AWS, a selector for all others. */
function takeAmi(ledger: Ledger, path: Path, remarks: Record<string, string>): Record<string, unknown> {
  const terms = ledger.peek(...path, 'amiSelectorTerms');
  const [first] = asList(terms).map(asMap);
  if (typeof first?.alias === 'string') {
    ledger.take(...path, 'amiSelectorTerms', 0, 'alias');
    ledger.take(...path, 'amiFamily');
    return { ami: first.alias };
  }
  const family = ledger.peek(...path, 'amiFamily');
  const old = ledger.peek(...path, 'amiSelector');
  if (terms !== undefined || old !== undefined) {
    const amiSelector =
      terms === undefined
        ? amiTerms(asMap(ledger.take(...path, 'amiSelector')))
        : ledger.take(...path, 'amiSelectorTerms');
    ledger.take(...path, 'amiFamily');
    return { amiSelector, amiFamily: family ?? 'AL2' };
  }
  const alias = ALIASES[String(family ?? 'AL2')];
  if (alias === undefined) {
    ledger.leave(
      [...path, 'amiFamily'],
      'is not an AMI family of Karpenter v1; al2023 is used instead, or set amiSelector and amiFamily: Custom',
    );
    return {};
  }
  ledger.take(...path, 'amiFamily');
  if (alias.startsWith('al2@'))
    remarks.ami = `${family === undefined ? 'AL2 was the default' : 'AL2'}; there are no AL2 images for Kubernetes 1.33 and newer, use al2023@latest`;
  return { ami: alias };
}

function amiTerms(selector: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] {
  const { 'aws::name': name, 'aws::owners': owners, ...rest } = selector;
  const base = termsOf(rest).map((term) =>
    Object.keys(asMap(term.tags)).length === 0 && term.id === undefined ? {} : term,
  );
  const named = base.map((term) => ({ ...term, ...(name !== undefined && { name: String(name) }) }));
  if (owners === undefined) return named;
  return String(owners)
    .split(',')
    .flatMap((owner) => named.map((term) => ({ ...term, owner: owner.trim() })));
}
