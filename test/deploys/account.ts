import type { FakeNetwork } from '../fakes/fake-network';
import { awsError } from '../lambdas/deploy/requests';
import type { AccessEntry, KubeDoor } from './kube-door';

export const ACCOUNT = '123456789012';
export const REGION = 'ap-northeast-2';

export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: object;
}

export interface Role {
  readonly arn: string;
  readonly createdAt: number;
  /** By the physical id of the policy. */
  readonly policies: Map<string, readonly Statement[]>;
  /** The actions that were allowed since the last change of a policy. */
  readonly known: Set<string>;
}

export interface Cluster {
  readonly id: string;
  status: 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING' | 'FAILED';
  readonly entries: Map<string, AccessEntry>;
  readonly door: KubeDoor;
}

/** One call of a function to AWS. */
export interface AwsCall {
  readonly principal: string;
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, string | readonly string[]>>;
}

/** What AWS does besides what was asked of it. */
export interface Temper {
  /** For this long EKS refuses a new role as a principal; making a function with the role takes at least as long. */
  readonly principalDelayMs: number;
  /** For this long the cluster does not know a new access entry. */
  readonly entryDelayMs: number;
  /** After each change of a role's policies, the first call of each action is denied. */
  readonly deniedOnce: boolean;
  /** Whether CloudFormation gives an entry that it changes all policies of the template again. */
  readonly putsPoliciesBack: boolean;
  /** What EKS answers when a policy is taken off that is off. */
  readonly secondDisassociate: string | undefined;
  /** The error of this call, if it has one. */
  readonly fails: (call: AwsCall) => string | undefined;
}

export const CALM: Temper = {
  principalDelayMs: 0,
  entryDelayMs: 0,
  deniedOnce: false,
  putsPoliciesBack: false,
  secondDisassociate: 'ResourceNotFoundException',
  fails: () => undefined,
};

/** The part of an AWS account that a deploy changes or is refused by. */
export class Account {
  temper: Temper = CALM;
  readonly roles = new Map<string, Role>();
  readonly stacks = new Map<string, () => string>();
  cluster: Cluster | undefined;

  constructor(
    readonly now: () => number,
    readonly network: FakeNetwork,
    /** Whether these statements allow the call. */
    private readonly evaluate: (statements: readonly Statement[], call: AwsCall) => Promise<boolean>,
  ) {}

  /** Throws what AWS answers if it does not do what it was asked. */
  async authorize(call: AwsCall): Promise<void> {
    const role = this.roles.get(call.principal);
    const statements = [...(role?.policies.values() ?? [])].flat();
    const denied = awsError(
      call.action.startsWith('ec2:') ? 'UnauthorizedOperation' : 'AccessDeniedException',
      `${call.principal} is not authorized to perform ${call.action} on ${call.resource}`,
    );
    if (!role || !(await this.evaluate(statements, call))) throw denied;
    if (this.temper.deniedOnce && !role.known.has(call.action)) {
      role.known.add(call.action);
      throw denied;
    }
    const failure = this.temper.fails(call);
    if (failure !== undefined) throw awsError(failure);
  }

  createEntry(
    principal: string,
    entry: Pick<AccessEntry, 'arn' | 'groups'> & { readonly policies: readonly string[] },
  ) {
    const role = this.roles.get(principal);
    if (!this.cluster || this.cluster.status === 'DELETING')
      throw awsError('ResourceNotFoundException', 'No cluster found');
    if (!role || this.now() < role.createdAt + this.temper.principalDelayMs)
      throw awsError('InvalidParameterException', 'The specified principalArn is invalid: invalid principal.');
    const since = this.now();
    this.cluster.entries.set(principal, {
      ...entry,
      since,
      policies: new Map(entry.policies.map((one) => [one, since])),
    });
  }

  disassociate(principal: string, policy: string): void {
    const entry = this.cluster?.entries.get(principal);
    if (!entry) throw awsError('ResourceNotFoundException');
    if (!entry.policies.delete(policy) && this.temper.secondDisassociate !== undefined)
      throw awsError(this.temper.secondDisassociate);
  }

  /** The policies of an entry, each with the time at which it was associated. */
  associated(principal: string): ReadonlyMap<string, number> {
    const entry = this.cluster?.entries.get(principal);
    if (!entry) throw awsError('ResourceNotFoundException');
    return entry.policies;
  }
}

/** Actions and resources with wildcards; conditions are left to the evaluation of the emulated AWS. */
export async function allowsByName(statements: readonly Statement[], { action, resource }: AwsCall): Promise<boolean> {
  return statements.some(
    ({ Effect, Action, Resource }) =>
      Effect === 'Allow' && [Action].flat().some(matches(action)) && [Resource].flat().some(matches(resource)),
  );
}

function matches(value: string): (pattern: string) => boolean {
  return (pattern) =>
    new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(value);
}
