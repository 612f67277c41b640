import { CALM, type Temper } from '../../deploys/account';
import type { Stack } from '../../deploys/cloudformation';
import type { CustomEvent } from '../../deploys/providers';
import type { StackName, VariantName, variants } from '../../deploys/variants';
import type { DeployWorld, Mishap } from '../../deploys/world';

/** The custom resources, by the end of their type, in the order in which a deploy meets them. */
export const RESOURCES = [
  'ClusterEndpoint',
  'DiscoveryTags',
  'KarpenterCheck',
  'DropAdmin',
  'ClusterObjects',
  'DeployReconcile',
] as const;
export type ResourceName = (typeof RESOURCES)[number];

/** How each stack ended. */
export type Ended = Readonly<Record<StackName, string>>;

/** What a deploy of a situation may do. */
export interface Deploying {
  readonly world: DeployWorld;
  /** Deploys or destroys both stacks, Karpenter's first, or last; gives how they ended. */
  deploy(variant: VariantName): Promise<Ended>;
  destroy(): Promise<Ended>;
  temper(temper: Partial<Temper>): void;
  /** What happens to requests from now on. */
  mishap(choose: (event: CustomEvent, stack: Stack | undefined) => Mishap | undefined): void;
}

export interface Situation {
  readonly name: string;
  /** What was there before. */
  readonly before?: VariantName;
  /** What is seen; with `each`, once for each custom resource. */
  readonly act: (deploying: Deploying, resource: ResourceName) => Promise<Ended>;
  /** Once for each custom resource, and only that one is looked at. */
  readonly each?: boolean;
}

/** What each custom resource cannot do without, and whose role asks for it. */
const NEEDED: Readonly<Record<ResourceName, { readonly role: RegExp; readonly action: RegExp }>> = {
  ClusterEndpoint: { role: /ClusterEndpoint/, action: /DescribeCluster/ },
  DiscoveryTags: { role: /Discovery/, action: /CreateTags/ },
  KarpenterCheck: { role: /CheckFront/, action: /InvokeFunction/ },
  DropAdmin: { role: /Narrow/, action: /AccessPolic/ },
  ClusterObjects: { role: /ObjectsFunction/, action: /AccessPolic/ },
  DeployReconcile: { role: /DeployReconcile/, action: /InvokeFunction/ },
};
const isOf =
  (resource: ResourceName) =>
  ({ ResourceType }: CustomEvent) =>
    ResourceType.endsWith(resource);

export const SITUATIONS: readonly Situation[] = [
  {
    name: 'first deploy; roles, rights and entries take their time',
    act: async ({ deploy, temper }) => {
      temper({ principalDelayMs: 20_000, entryDelayMs: 5_000 });
      return deploy('first');
    },
  },
  { name: 'edit', before: 'first', act: ({ deploy }) => deploy('edited') },
  { name: 'upgrade: other objects and other code', before: 'first', act: ({ deploy }) => deploy('objects') },
  { name: 'role replaced (`-c again=`)', before: 'first', act: ({ deploy }) => deploy('again') },
  {
    name: 'cluster re-created, then `-c again=`',
    before: 'first',
    act: async ({ deploy, world }) => {
      world.createCluster();
      return deploy('again');
    },
  },
  {
    name: 'cluster DELETING, `cdk destroy`',
    before: 'first',
    act: async ({ destroy, world }) => {
      if (world.account.cluster) world.account.cluster.status = 'DELETING';
      return destroy();
    },
  },
  {
    name: 'update rolled back, since the last resource fails',
    before: 'first',
    act: async ({ deploy, mishap }) => {
      mishap((event, stack) =>
        stack?.status === 'UPDATE_IN_PROGRESS' &&
        /DeployReconcile|NodePools/.test(`${event.ResourceType} ${event.LogicalResourceId}`)
          ? 'dead'
          : undefined,
      );
      return deploy('again');
    },
  },
  {
    name: 'first deploy, an answer never arrives',
    each: true,
    act: async ({ deploy, mishap }, resource) => {
      mishap((event) => (isOf(resource)(event) && event.RequestType === 'Create' ? 'unanswered' : undefined));
      return deploy('first');
    },
  },
  {
    name: 'first deploy, every request comes twice',
    act: async ({ deploy, mishap }) => {
      mishap(() => 'twice');
      return deploy('first');
    },
  },
  {
    name: 'first deploy, throttled three times at each call',
    act: async ({ deploy, temper }) => {
      const failed = new Map<string, number>();
      temper({
        fails: ({ principal, action }) => {
          const key = `${principal} ${action}`;
          failed.set(key, (failed.get(key) ?? 0) + 1);
          if ((failed.get(key) ?? 0) > 3) return undefined;
          return action.startsWith('ec2:') ? 'RequestLimitExceeded' : 'ThrottlingException';
        },
      });
      return deploy('first');
    },
  },
  {
    name: 'first deploy, denied once after each change of a policy',
    act: async ({ deploy, temper }) => {
      temper({ deniedOnce: true });
      return deploy('first');
    },
  },
  {
    name: 'first deploy, denied for good',
    each: true,
    act: async ({ deploy, temper }, resource) => {
      const { role, action } = NEEDED[resource];
      temper({
        fails: (call) =>
          role.test(call.principal) && action.test(call.action)
            ? call.action.startsWith('ec2:')
              ? 'UnauthorizedOperation'
              : 'AccessDeniedException'
            : undefined,
      });
      return deploy('first');
    },
  },
];

/** The ways to act on a world, with what its custom resources were asked and answered. */
export function deployingIn(world: DeployWorld, deploys: ReturnType<typeof variants>): Deploying {
  const both = async (
    names: readonly StackName[],
    act: (stack: Stack, name: StackName) => Promise<{ readonly status: string }>,
  ) => {
    const ended: Partial<Record<StackName, string>> = {};
    for (const name of names) ended[name] = (await act(world.stacks[name], name)).status;
    return ended as Ended;
  };
  const stackOf = ({ StackId }: CustomEvent) => Object.values(world.stacks).find(({ id }) => id === StackId);
  return {
    world,
    deploy: (variant) => both(['karpenter', 'headroom'], (stack, name) => stack.deploy(deploys[name][variant])),
    destroy: () => both(['headroom', 'karpenter'], (stack) => stack.destroy()),
    temper: (temper) => {
      world.account.temper = { ...CALM, ...temper };
    },
    mishap: (choose) => {
      world.plan.mishap = (event) => choose(event, stackOf(event));
    },
  };
}
