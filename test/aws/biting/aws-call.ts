import type { AwsCall } from '../../deploys/account';
import type { Seen } from '../../fakes/loopback-server';
import { ACCOUNT, REGION } from '../harness/emulator';

/** A call as the layer in front of the emulator understands it. */
export interface ReceivedCall extends Omit<AwsCall, 'principal' | 'resource'> {
  readonly service: 'eks' | 'ec2' | 'lambda' | 'cloudformation';
  /** The access key that signed it. */
  readonly key: string;
  /** What IAM is asked about; several for one call that changes several resources. */
  readonly resources: readonly string[];
  readonly parameters: URLSearchParams;
  /** The parts of its path. */
  readonly path: readonly string[];
}

const EC2_KINDS: Readonly<Record<string, string>> = { 'subnet-': 'subnet', 'sg-': 'security-group' };

/** Reads who calls what on which resource from a signed request of one of the services that our functions use. */
export function receivedCall({ method, url, headers, body }: Seen): ReceivedCall {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const signature = headers.authorization ?? '';
  const scope = /Credential=([^,]+)/.exec(signature)?.[1] ?? searchParams.get('X-Amz-Credential') ?? '';
  const [key = '', , , service = ''] = scope.split('/');
  const path = pathname.split('/').slice(1).map(decodeURIComponent);
  const parameters = new URLSearchParams(body === '' ? searchParams : service === 'ec2' ? body : searchParams);
  const common = { key, parameters, path };
  switch (service) {
    case 'eks':
      return { ...common, service, ...eksCall(method, path) };
    case 'lambda':
      return { ...common, service, action: 'lambda:InvokeFunction', resources: [path[2] ?? ''] };
    case 'cloudformation':
      return {
        ...common,
        service,
        action: `cloudformation:${parameters.get('Action')}`,
        resources: [parameters.get('StackName') ?? ''],
      };
    case 'ec2':
      return { ...common, service, ...ec2Call(parameters) };
    default:
      throw new Error(`no function of ours calls ${service}: ${method} ${url}`);
  }
}

function eksCall(method: string, [, cluster = '', part, name = '', more, policy = '']: readonly string[]) {
  const arn = (kind: string, rest: string) => [`arn:aws:eks:${REGION}:${ACCOUNT}:${kind}/${rest}`];
  if (part === undefined) return { action: 'eks:DescribeCluster', resources: arn('cluster', cluster) };
  if (part === 'node-groups' && name === '')
    return { action: 'eks:ListNodegroups', resources: arn('cluster', cluster) };
  if (part === 'node-groups')
    return { action: 'eks:DescribeNodegroup', resources: arn('nodegroup', `${cluster}/${name}/1a2b`) };
  // The resource is the entry's own ARN, which only EKS knows.
  if (more === 'access-policies' && method === 'DELETE')
    return { action: 'eks:DisassociateAccessPolicy', resources: [name], context: { 'eks:policyArn': policy } };
  return { action: 'eks:ListAssociatedAccessPolicies', resources: [name] };
}

function ec2Call(parameters: URLSearchParams) {
  const action = `ec2:${parameters.get('Action')}`;
  if (!/Tags$/.test(action) || action === 'ec2:DescribeTags') return { action, resources: ['*'] };
  const valuesOf = (pattern: RegExp) =>
    [...parameters].filter(([name]) => pattern.test(name)).map(([, value]) => value);
  const [ids, keys, values] = [
    valuesOf(/^ResourceId\.\d+$/),
    valuesOf(/^Tag\.\d+\.Key$/),
    valuesOf(/^Tag\.\d+\.Value$/),
  ];
  const kindOf = (id: string) => Object.entries(EC2_KINDS).find(([start]) => id.startsWith(start))?.[1] ?? 'instance';
  const requested =
    action === 'ec2:CreateTags' ? keys.map((name, index) => [`aws:RequestTag/${name}`, values[index] ?? '']) : [];
  return {
    action,
    resources: ids.map((id) => `arn:aws:ec2:${REGION}:${ACCOUNT}:${kindOf(id)}/${id}`),
    context: { 'aws:TagKeys': keys, ...Object.fromEntries(requested) },
  };
}
