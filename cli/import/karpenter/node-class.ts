import { IAM_ROLE } from '../../../shared/core/config/schema/iam-role';
import { NodeTags, OTHER_FIELDS } from '../../../shared/core/config/schema/node-class-schema';
import { asMap } from '../../../shared/core/config/yaml/untyped';
import { type FieldLedger, type Path, takePairs } from '../input/field-ledger';
import { takeAmi } from './ami';
import { takeSelector } from './selector-terms';

const NOT_A_TAG = "is one of Karpenter's own tags, or has no name";
const SAME = ['blockDeviceMappings', 'kubelet'];
const LAUNCH_TEMPLATE =
  'Karpenter v1 has no launch templates; set the AMI, user data, security groups and block devices that it has';

/** The fields of an AWSNodeTemplate, an inline provider or an EC2NodeClass as fields of a `pool` block. */
export function takeNodeClass(
  ledger: FieldLedger,
  path: Path,
  remarks: Record<string, string>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const put = (key: string, value: unknown) => {
    if (value !== undefined) fields[key] = value;
  };
  for (const key of ['launchTemplate', 'launchTemplateName']) ledger.leave([...path, key], LAUNCH_TEMPLATE);
  put('subnets', takeSelector(ledger, path, 'subnet'));
  put('securityGroups', takeSelector(ledger, path, 'securityGroup'));
  const ami = takeAmi(ledger, path, remarks);
  Object.assign(fields, ami.fields);
  put('instanceProfile', takeIdentity(ledger, path, 'instanceProfile'));
  if (fields.instanceProfile === undefined) put('role', takeIdentity(ledger, path, 'role'));
  ledger.leave([...path, 'role'], 'an EC2NodeClass takes one of role and instanceProfile');
  for (const key of SAME) put(key, ledger.take(...path, key));
  put('tags', takePairs(ledger, [...path, 'tags'], NodeTags, NOT_A_TAG));
  if (ami.sameFamily) put('userData', ledger.take(...path, 'userData'));
  ledger.leave([...path, 'userData'], 'was written for another AMI family than the nodes now have');
  put('metadataOptions', takeMetadataOptions(ledger, path, remarks));
  const others = OTHER_FIELDS.flatMap((key) => {
    const value = ledger.take(...path, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  if (others.length > 0) fields.nodeClass = Object.fromEntries(others);
  remarkDefaults(fields, remarks);
  return fields;
}

const IAM_NAMES = { role: IAM_ROLE, instanceProfile: /^[\w+=,.@-]{1,128}$/ };

/** Takes a role or profile that has a valid name, unlike `${ROLE}`. */
function takeIdentity(ledger: FieldLedger, path: Path, key: 'role' | 'instanceProfile'): unknown {
  const written = ledger.peek(...path, key) ?? undefined;
  if (written === undefined || IAM_NAMES[key].test(String(written))) return ledger.take(...path, key) ?? undefined;
  ledger.leave([...path, key], 'is not a name that IAM allows');
  return undefined;
}

/** Without selectors, a `pool` block looks up subnets and security groups by the cluster's name. */
function remarkDefaults(fields: Readonly<Record<string, unknown>>, remarks: Record<string, string>): void {
  for (const key of ['subnets', 'securityGroups'])
    if (fields[key] === undefined)
      remarks[key] = 'not in the files; by default those tagged karpenter.sh/discovery with the name of the cluster';
}

/** v1 lowered the default from two hops to one, which keeps pods without host network from the instance metadata. */
function takeMetadataOptions(ledger: FieldLedger, path: Path, remarks: Record<string, string>): unknown {
  const given = asMap(ledger.take(...path, 'metadataOptions'));
  if (given.httpPutResponseHopLimit !== undefined || String(ledger.peek('apiVersion')).endsWith('/v1'))
    return Object.keys(given).length > 0 ? given : undefined;
  remarks.metadataOptions =
    'the default changed from two hops to one in v1; remove it if no pod uses the instance metadata';
  return { ...given, httpPutResponseHopLimit: 2 };
}
