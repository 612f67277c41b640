import { FakeNetwork } from '../fakes/fake-network';
import { START } from '../lambdas/deploy/kube-world';
import { memoryLog } from '../lambdas/deploy/requests';
import { ACCOUNT, Account, allowsByName, type Cluster, REGION } from './account';
import { Stack, type StackOutcome, type Wanted } from './cloudformation';
import { type InProcessProps, inProcess } from './in-process';
import { ADMIN, KubeDoor } from './kube-door';
import { type CustomAnswer, type CustomEvent, type DeployedFunction, providers } from './providers';
import type { Template } from './template';
import { codeAt } from './variants';

/** What happens to a request on its way: it comes twice, its answer is lost, or nobody ever answers. */
export type Mishap = 'twice' | 'lost' | 'unanswered' | 'dead';

const SECONDS: Readonly<Record<string, number>> = {
  'AWS::IAM::Role': 2,
  'AWS::IAM::Policy': 2,
  'AWS::Lambda::Function': 5,
  'AWS::EKS::AccessEntry': 1,
};
const PSEUDO = {
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::NoValue': '',
};

export interface DeployWorldProps {
  /** @default by actions and resources, without conditions */
  readonly evaluate?: ConstructorParameters<typeof Account>[2];
  /** What runs the functions. @default their handlers, in this process */
  readonly host?: (props: InProcessProps) => Pick<ReturnType<typeof inProcess>, 'answer' | 'call'>;
}

/** An account with one cluster, on which stacks are deployed. */
export function deployWorld({ evaluate = allowsByName, host = inProcess }: DeployWorldProps = {}) {
  let time = START;
  let clusters = 0;
  const clock = {
    now: () => time,
    set: (to: number) => {
      time = to;
    },
    sleep: async (ms: number) => {
      time += ms;
    },
  };
  const network = new FakeNetwork(new Map(), [{ name: 'platform', subnetIds: ['subnet-1', 'subnet-2'] }]);
  const account = new Account(clock.now, network, evaluate);
  const functions = new Map<string, DeployedFunction>();
  const log = memoryLog();
  const rung: string[] = [];
  const hosts = host({ account, functions, clock, log, rung });
  const plan = {
    breaks: (_: Wanted): boolean => false,
    mishap: (_: CustomEvent): Mishap | undefined => undefined,
  };

  async function deliver(event: CustomEvent): Promise<CustomAnswer | undefined> {
    const mishap = plan.mishap(event);
    if (mishap === 'dead') return undefined;
    const first = await hosts.answer(event);
    if (mishap === undefined) return first;
    if (mishap === 'unanswered') return undefined;
    // Lambda tries again a minute later; of two answers CloudFormation takes the first that arrives.
    if (mishap === 'lost') time += 60_000;
    const second = await hosts.answer(event);
    return mishap === 'twice' ? first : second;
  }

  const provider = providers({
    account,
    clock,
    functions,
    deliver,
    codeAt,
    breaks: (wanted) => plan.breaks(wanted),
    helm: (roleArn, { Values, Release }) => {
      const { cluster } = account;
      if (!cluster?.entries.get(roleArn)?.policies.has(ADMIN))
        throw new Error('Helm: the server has asked for the client to provide credentials');
      if (Release !== 'karpenter') return;
      const { additionalAnnotations = {} } = JSON.parse(String(Values)) as {
        additionalAnnotations?: Record<string, string>;
      };
      cluster.door.put(controller(additionalAnnotations));
    },
  });
  const stackOf = (name: string) => {
    const stack = new Stack(name, {
      provider,
      clock,
      pseudo: PSEUDO,
      duration: (type) => (SECONDS[type] ?? 1) * 1_000,
    });
    account.stacks.set(stack.id, () => stack.status);
    return stack;
  };
  const stacks = { headroom: stackOf('Headstart-demo'), karpenter: stackOf('Headstart-demo-karpenter') };
  const world = {
    account,
    network,
    plan,
    stacks,
    log,
    /** Functions that rang since a role may have stayed admin. */
    rung: rung as readonly string[],
    now: clock.now,
    pass: clock.sleep,
    /** The daily schedules that drop cluster admin, each fired once. */
    fireDaily: async () => {
      for (const { type, properties } of Object.values(stacks).flatMap(({ resources }) => resources)) {
        const { Arn = '', Input = '' } = (properties.Target ?? {}) as {
          readonly Arn?: string;
          readonly Input?: string;
        };
        if (type === 'AWS::Scheduler::Schedule' && Input.includes('dropAdmin'))
          await hosts.call(Arn, JSON.parse(Input));
      }
    },
    createCluster: (): Cluster => {
      const door = new KubeDoor();
      door.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } });
      account.cluster = { id: `CLUSTER${++clusters}`, status: 'ACTIVE', entries: new Map(), door };
      return account.cluster;
    },
    deploy: (stack: Stack, template: Template): Promise<StackOutcome> => stack.deploy(template),
    /** What is on the cluster; nothing where there is none. */
    names: (): readonly string[] =>
      (account.cluster?.door.names() ?? []).filter((name) => !name.includes('kube-system')),
    /** The roles that are cluster admin. */
    admins: () =>
      [...(account.cluster?.entries ?? [])]
        .filter(([, { policies }]) => policies.has(ADMIN))
        .map(([principal]) => principal),
  };
  world.createCluster();
  return world;
}

export type DeployWorld = ReturnType<typeof deployWorld>;

function controller(annotations: Readonly<Record<string, string>>) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'karpenter',
      namespace: 'kube-system',
      labels: { 'app.kubernetes.io/name': 'karpenter' },
      annotations: { 'meta.helm.sh/release-name': 'karpenter', ...annotations },
    },
    spec: {
      selector: { matchLabels: { app: 'karpenter' } },
      template: {
        metadata: { labels: { app: 'karpenter' } },
        spec: { containers: [{ name: 'controller', image: 'controller' }] },
      },
    },
  };
}
