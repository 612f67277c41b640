import { ACCOUNT, type Account, REGION, type Statement } from './account';
import { type Made, type Provider, ResourceFailure, type Stack, type Wanted } from './cloudformation';
import type { AccessEntry } from './kube-door';

/** A deployed function. */
export interface DeployedFunction {
  readonly name: string;
  readonly roleArn: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The id in the template, which tells what it runs. */
  readonly id: string;
  /** What was deployed with it. */
  readonly code: unknown;
}

/** What arrived at the address of a request; nothing if CloudFormation waits in vain. */
export interface CustomAnswer {
  readonly Status: 'SUCCESS' | 'FAILED';
  readonly Reason?: string;
  readonly PhysicalResourceId: string;
  readonly Data?: Readonly<Record<string, string>>;
}

export interface ProviderWorld {
  readonly account: Account;
  readonly clock: { now(): number; set(time: number): void };
  readonly functions: Map<string, DeployedFunction>;
  /** What the template's `Code` stands for. */
  readonly codeAt: (code: unknown) => unknown;
  /** Whether making this resource fails, such as for a quota. */
  readonly breaks: (wanted: Wanted) => boolean;
  readonly deliver: (event: CustomEvent) => Promise<CustomAnswer | undefined>;
  /** Runs Helm as this role. */
  readonly helm: (roleArn: string, properties: Readonly<Record<string, unknown>>) => void;
}

export type CustomEvent = Readonly<Record<string, unknown>> & {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly ResourceType: string;
  readonly ServiceToken: string;
};

/** What makes the resources of each type that matters to a deploy; all others are only named. */
export function providers(world: ProviderWorld): (type: string) => Provider {
  const { account, clock, functions, codeAt } = world;
  let made = 0;
  const nameOf = ({ id }: Wanted, { name }: Stack) => `${name}-${id}-${++made}`;
  const known: Record<string, Provider> = {
    'AWS::IAM::Role': {
      create: async (wanted, stack) => {
        const name = nameOf(wanted, stack);
        const arn = `arn:aws:iam::${ACCOUNT}:role${wanted.properties.Path ?? '/'}${name}`;
        account.roles.set(arn, { arn, createdAt: clock.now(), policies: new Map(), known: new Set() });
        return { physicalId: name, attributes: { Arn: arn } };
      },
      update: async (wanted, old, stack) =>
        wanted.properties.Path === old.properties.Path ? old : (known['AWS::IAM::Role']?.create(wanted, stack) ?? old),
      delete: async ({ attributes }) => void account.roles.delete(attributes.Arn ?? ''),
    },
    'AWS::IAM::Policy': {
      create: async (wanted, stack) => {
        const name = nameOf(wanted, stack);
        attach(name, wanted);
        return { physicalId: name, attributes: {} };
      },
      update: async (wanted, old) => {
        detach(old.physicalId);
        attach(old.physicalId, wanted);
        return old;
      },
      delete: async ({ physicalId }) => detach(physicalId),
    },
    'AWS::EKS::AccessEntry': {
      create: async ({ properties }) => createEntry(properties),
      update: async ({ properties }, old) =>
        properties.PrincipalArn === old.properties.PrincipalArn
          ? updateEntry(properties, old)
          : createEntry(properties),
      // An entry that went with its cluster counts as deleted.
      delete: async ({ physicalId, attributes }) => {
        const entries = account.cluster?.entries;
        if (entries?.get(physicalId)?.arn === attributes.AccessEntryArn) entries?.delete(physicalId);
      },
    },
    'AWS::Lambda::Function': {
      create: async (wanted, stack) => {
        const name = nameOf(wanted, stack);
        const arn = `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${name}`;
        functions.set(arn, functionOf(wanted, name));
        return { physicalId: name, attributes: { Arn: arn } };
      },
      update: async (wanted, old) => {
        functions.set(old.attributes.Arn ?? '', functionOf(wanted, old.physicalId));
        return old;
      },
      delete: async ({ attributes }) => void functions.delete(attributes.Arn ?? ''),
    },
    'Custom::AWSCDK-EKS-HelmChart': {
      create: async ({ properties }) => {
        const handler = [...functions.values()].find(({ id }) => id.includes('KubectlHandler'));
        world.helm(handler?.roleArn ?? '', properties);
        return { physicalId: `helm-${properties.Release}`, attributes: {} };
      },
      update: async (wanted, old, stack) => ({
        ...old,
        ...(await known['Custom::AWSCDK-EKS-HelmChart']?.create(wanted, stack)),
      }),
      delete: async () => {},
    },
  };
  const custom: Provider = {
    restores: true,
    create: async (wanted, stack) => request('Create', wanted, stack, {}),
    update: async (wanted, old, stack) =>
      request('Update', wanted, stack, { PhysicalResourceId: old.physicalId, OldResourceProperties: old.properties }),
    delete: async (old, stack) => {
      await request('Delete', old, stack, { PhysicalResourceId: old.physicalId });
    },
  };
  const other: Provider = {
    create: async (wanted, stack) => {
      if (world.breaks(wanted)) throw new Error('quota exceeded');
      return { physicalId: nameOf(wanted, stack), attributes: {} };
    },
    update: async (wanted, old) => {
      if (world.breaks(wanted)) throw new Error('quota exceeded');
      return old;
    },
    delete: async () => {},
  };
  return (type) => known[type] ?? (type.startsWith('Custom::') ? custom : other);

  function attach(name: string, { properties }: Wanted): void {
    const { Statement: all } = properties.PolicyDocument as { readonly Statement: readonly Statement[] };
    for (const role of account.roles.values())
      if ((properties.Roles as string[]).some((one) => role.arn.endsWith(`/${one}`))) {
        role.policies.set(name, all);
        role.known.clear();
      }
  }

  function detach(name: string): void {
    for (const role of account.roles.values()) if (role.policies.delete(name)) role.known.clear();
  }

  function createEntry(properties: Wanted['properties']) {
    const principal = String(properties.PrincipalArn);
    const role = principal.split('/').pop() ?? '';
    const arn = `arn:aws:eks:${REGION}:${ACCOUNT}:access-entry/${properties.ClusterName}/role/${ACCOUNT}/${role}/${++made}`;
    const groups = (properties.KubernetesGroups ?? []) as AccessEntry['groups'];
    const policies = ((properties.AccessPolicies ?? []) as { PolicyArn: string }[]).map(({ PolicyArn }) => PolicyArn);
    account.createEntry(principal, { arn, groups, policies });
    return { physicalId: principal, attributes: { AccessEntryArn: arn } };
  }

  /** CloudFormation may put back what it believes the entry has. */
  function updateEntry(properties: Wanted['properties'], old: Made) {
    const entry = account.cluster?.entries.get(old.physicalId);
    if (!entry) throw new Error('The specified principalArn could not be found');
    const groups = (properties.KubernetesGroups ?? []) as AccessEntry['groups'];
    const written = ((properties.AccessPolicies ?? []) as { PolicyArn: string }[]).map(({ PolicyArn }) => PolicyArn);
    const policies = account.temper.putsPoliciesBack
      ? new Map(written.map((one) => [one, entry.policies.get(one) ?? clock.now()]))
      : entry.policies;
    account.cluster?.entries.set(old.physicalId, { ...entry, groups, policies });
    return old;
  }

  /** Lambda takes a role only when IAM knows it everywhere. */
  function functionOf({ id, properties }: Wanted, name: string): DeployedFunction {
    const roleArn = String(properties.Role);
    const role = account.roles.get(roleArn);
    if (role) clock.set(Math.max(clock.now(), role.createdAt + account.temper.principalDelayMs));
    const { Variables = {} } = (properties.Environment ?? {}) as { readonly Variables?: Record<string, string> };
    return { name, roleArn, environment: Variables, id, code: codeAt(properties.Code) };
  }

  async function request(
    RequestType: CustomEvent['RequestType'],
    { id, type, properties }: Wanted,
    stack: Stack,
    more: object,
  ) {
    const event: CustomEvent = {
      RequestType,
      ServiceToken: String(properties.ServiceToken),
      StackId: stack.id,
      RequestId: `request-${++made}`,
      LogicalResourceId: id,
      ResourceType: type,
      ResourceProperties: properties,
      ...more,
    };
    const answer = await world.deliver(event);
    if (!answer) {
      clock.set(clock.now() + Number(properties.ServiceTimeout ?? 3_600) * 1_000);
      const physicalId = 'PhysicalResourceId' in more ? String(more.PhysicalResourceId) : `${stack.name}-${id}-1A2B3C`;
      throw new ResourceFailure('CloudFormation did not receive a response from your Custom Resource', physicalId);
    }
    const { Status, Reason = '', PhysicalResourceId, Data = {} } = answer;
    if (Status === 'FAILED') throw new ResourceFailure(Reason, PhysicalResourceId);
    return { physicalId: PhysicalResourceId, attributes: Data };
  }
}
