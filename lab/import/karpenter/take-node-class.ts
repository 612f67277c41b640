import { IAM_ROLE } from '../../../shared/core/basics/iam-role';
import { NodeTags, OTHER_FIELDS } from '../../../shared/core/config/schema/node-class-schema';
import { asMap, type Values } from '../../../shared/core/config/yaml/untyped';
import { type FieldLedger, type Path, present, takeFields, takePairs } from '../input/field-ledger';
import { takeAmi } from './ami';
import { takeSelector } from './selector-terms';

const NOT_A_TAG = "is one of Karpenter's own tags, or has no name";
const SAME = ['blockDeviceMappings', 'kubelet'];
const LAUNCH_TEMPLATE =
  'Karpenter v1 has no launch templates; set the AMI, user data, security groups and block devices that it has';

/** The fields of an AWSNodeTemplate, an inline provider or an EC2NodeClass as fields of a `pool` block. */
export function takeNodeClass(ledger: FieldLedger, path: Path, remarks: Record<string, string>): Values {
  for (const key of ['launchTemplate', 'launchTemplateName']) ledger.leave([...path, key], LAUNCH_TEMPLATE);
  const ami = takeAmi(ledger, path, remarks);
  const instanceProfile = takeIdentity(ledger, path, 'instanceProfile');
  const others = takeFields(ledger, path, OTHER_FIELDS);
  const fields = present({
    subnets: takeSelector(ledger, path, 'subnet'),
    securityGroups: takeSelector(ledger, path, 'securityGroup'),
    ...ami,
    instanceProfile,
    role: instanceProfile === undefined ? takeIdentity(ledger, path, 'role') : undefined,
    ...takeFields(ledger, path, SAME),
    tags: takePairs(ledger, [...path, 'tags'], NodeTags, NOT_A_TAG),
    userData: ami && ledger.take(...path, 'userData'),
    metadataOptions: takeMetadataOptions(ledger, path, remarks),
    ...(Object.keys(others).length > 0 && { nodeClass: others }),
  });
  ledger.leave([...path, 'role'], 'an EC2NodeClass takes one of role and instanceProfile');
  ledger.leave([...path, 'userData'], 'was written for another AMI family than the nodes now have');
  // Without selectors, a `pool` block looks up subnets and security groups by the cluster's name.
  for (const key of ['subnets', 'securityGroups'])
    if (fields[key] === undefined)
      remarks[key] = 'not in the files; by default those tagged karpenter.sh/discovery with the name of the cluster';
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

/** v1 lowered the default from two hops to one, which keeps pods without host network from the instance metadata. */
function takeMetadataOptions(ledger: FieldLedger, path: Path, remarks: Record<string, string>): unknown {
  const given = asMap(ledger.take(...path, 'metadataOptions'));
  if (given.httpPutResponseHopLimit !== undefined || String(ledger.peek('apiVersion')).endsWith('/v1'))
    return Object.keys(given).length > 0 ? given : undefined;
  remarks.metadataOptions =
    'the default changed from two hops to one in v1; remove it if no pod uses the instance metadata';
  return { ...given, httpPutResponseHopLimit: 2 };
}
