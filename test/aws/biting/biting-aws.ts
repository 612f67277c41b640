import type { ServerResponse } from 'node:http';
import type { Account } from '../../deploys/account';
import { json, type LoopbackServer, loopbackServer, type Seen } from '../../fakes/loopback-server';
import { awsError } from '../../lambdas/deploy/requests';
import type { Emulator } from '../harness/emulator';
import { type ReceivedCall, receivedCall } from './aws-call';

export interface BitingAwsProps {
  readonly emulator: Emulator;
  /** The account whose calls these are; another one for each test. */
  readonly account: () => Account;
  /** The role that an access key stands for. */
  readonly roleOf: (key: string) => string;
  /** Runs a function, as Lambda does. */
  readonly invoke: (
    functionArn: string,
    event: unknown,
  ) => Promise<{ readonly failed: boolean; readonly payload: unknown }>;
  /** The tags of a subnet or security group, for conditions on them. */
  readonly tagsOf: (id: string) => Promise<Readonly<Record<string, string>>>;
}

const STATUS: Readonly<Record<string, number>> = {
  AccessDeniedException: 403,
  UnauthorizedOperation: 403,
  ResourceNotFoundException: 404,
  ThrottlingException: 429,
  RequestLimitExceeded: 503,
  ServerException: 500,
};

/**
 * What AWS does and the emulator does not: every call of a function is authorized by the policies that were
 * synthesized for its role; access entries, their policies and the cluster's status have a state of their own;
 * Lambda runs functions. What is left goes on to the emulator.
 */
export async function startBitingAws(props: BitingAwsProps): Promise<LoopbackServer> {
  return loopbackServer((seen, response) => {
    const call = receivedCall(seen);
    answer(props, call, seen, response).catch((error: Error) => refuse(response, call, error));
  });
}

async function answer(props: BitingAwsProps, call: ReceivedCall, seen: Seen, response: ServerResponse): Promise<void> {
  const account = props.account();
  const principal = props.roleOf(call.key);
  const [, cluster, , entry = '', , policy = ''] = call.path;
  for (const named of call.resources) {
    const resource =
      account.cluster?.entries.get(named)?.arn ??
      (named.startsWith('arn:aws:iam:') ? missingEntry(named, cluster) : named);
    const tags = call.action === 'ec2:DeleteTags' ? await props.tagsOf(resource.split('/').pop() ?? '') : {};
    const present = Object.entries(tags).map(([key, value]) => [`aws:ResourceTag/${key}`, value]);
    await account.authorize({
      principal,
      action: call.action,
      resource,
      context: { ...call.context, ...Object.fromEntries(present) },
    });
  }
  switch (call.action) {
    case 'eks:DisassociateAccessPolicy':
      account.disassociate(entry, policy);
      return json(response, 200, {});
    case 'eks:ListAssociatedAccessPolicies': {
      const policies = [...account.associated(entry)].map(([policyArn, since]) => ({
        policyArn,
        // The functions' clock is the real one.
        associatedAt: (Date.now() + since - account.now()) / 1_000,
      }));
      // EKS may put as few on a page as it likes.
      const from = Number(call.parameters.get('nextToken') ?? 0);
      const associatedAccessPolicies = policies.slice(from, from + 1);
      const more = from + 1 < policies.length && { nextToken: `${from + 1}` };
      return json(response, 200, { clusterName: cluster, principalArn: entry, associatedAccessPolicies, ...more });
    }
    case 'eks:DescribeCluster':
      return describeCluster(props, account, seen, response);
    case 'lambda:InvokeFunction': {
      const { failed, payload } = await props.invoke(call.resources[0] ?? '', JSON.parse(seen.body || '{}'));
      response.writeHead(200, {
        'content-type': 'application/json',
        ...(failed && { 'x-amz-function-error': 'Unhandled' }),
      });
      response.end(JSON.stringify(payload));
      return;
    }
    case 'cloudformation:DescribeStacks': {
      const status = account.stacks.get(call.resources[0] ?? '')?.() ?? '';
      response.writeHead(200, { 'content-type': 'text/xml' });
      response.end(`<DescribeStacksResponse><StackStatus>${status}</StackStatus></DescribeStacksResponse>`);
      return;
    }
    default:
      return forward(props, seen, response);
  }
}

/** The emulator's description, with the status and the identity of the cluster that there is now. */
async function describeCluster({ emulator }: BitingAwsProps, account: Account, seen: Seen, response: ServerResponse) {
  if (!account.cluster) throw awsError('ResourceNotFoundException', 'No cluster found');
  const { id, status } = account.cluster;
  const described = await fetch(`${emulator.url}${seen.url}`, {
    headers: { authorization: seen.headers.authorization ?? '' },
  });
  const { cluster } = (await described.json()) as { readonly cluster: object };
  const identity = { oidc: { issuer: `https://oidc.eks.${'amazonaws.com'}/id/${id}` } };
  const accessConfig = { authenticationMode: 'API_AND_CONFIG_MAP' };
  const isReady = status !== 'CREATING' && status !== 'FAILED';
  json(response, 200, {
    cluster: { ...cluster, status, identity, accessConfig, ...(!isReady && { endpoint: undefined }) },
  });
}

async function forward({ emulator }: BitingAwsProps, { method, url, headers, body }: Seen, response: ServerResponse) {
  const sent = { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' };
  const found = await fetch(`${emulator.url}${url}`, { method, headers: sent, ...(body !== '' && { body }) });
  response.writeHead(found.status, { 'content-type': found.headers.get('content-type') ?? 'text/xml' });
  response.end(await found.text());
}

function refuse(response: ServerResponse, { service }: ReceivedCall, { name, message }: Error): void {
  const status = STATUS[name] ?? 400;
  if (service === 'eks' || service === 'lambda') {
    response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': name });
    response.end(JSON.stringify({ message }));
    return;
  }
  const code = service === 'ec2' ? name : name.replace('Exception', '');
  const error = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  response.writeHead(status, { 'content-type': 'text/xml' });
  response.end(
    service === 'ec2' ? `<Response><Errors>${error}</Errors></Response>` : `<ErrorResponse>${error}</ErrorResponse>`,
  );
}

/** The ARN of an entry that is gone: the policy names another one, or none. */
function missingEntry(principal: string, cluster = ''): string {
  const [, , , , account = '', role = ''] = principal.split(':');
  return `arn:aws:eks:ap-northeast-2:${account}:access-entry/${cluster}/role/${account}/${role.split('/').pop()}/0`;
}
