import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { CreateEventBusCommand } from '@aws-sdk/client-eventbridge';
import { ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { tempFolder } from '../fakes/temp-folder';
import { OWN_NAMES } from '../lambdas/deploy/cluster-objects-setup';
import { createCluster } from './harness/aws-clients';
import { bootstrap, cdk, destroy } from './harness/cdk';
import { deployedStack } from './harness/deployed-stack';
import { type EmulatedAccount, startAccount } from './harness/emulated-account';
import { REGION } from './harness/emulator';
import { createNetworkedCluster } from './harness/networked-cluster';
import { describeAws } from './harness/shared-installation';

/** What the emulator cannot make; the template tests cover these. */
const RECORDED_ONLY = [
  'AWS::CloudWatch::Alarm',
  'AWS::EC2::SecurityGroupIngress',
  'AWS::EKS::AccessEntry',
  'AWS::EKS::Addon',
  'AWS::EKS::PodIdentityAssociation',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::LayerVersion',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::Scheduler::Schedule',
  'AWS::Scheduler::ScheduleGroup',
];

describeAws('cdk deploy, with the deployed functions running,', () => {
  const home = tempFolder();
  let account: EmulatedAccount;
  let { world, host, emulator, aws }: EmulatedAccount = {} as EmulatedAccount;

  beforeAll(async () => {
    account = await startAccount();
    ({ world, host, emulator, aws } = account);
    await bootstrap(emulator, home);
  });
  afterAll(async () => {
    await account?.stop();
  });

  const deploy = (config: string) =>
    cdk(emulator, home, 'deploy', '--all', '--require-approval', 'never', '-c', `config=${config}`);
  /** The custom resources that are asked for from here on. */
  const watchCustomResources = () => {
    const before = host.ran.length;
    return () => host.ran.slice(before).filter((what) => what.includes('Custom::'));
  };

  test('of the minimal config sets up functions and cluster, obeys an override, and leaves nothing when destroyed', async () => {
    await createCluster(aws.eks, 'my-cluster');
    const created = watchCustomResources();
    await deploy('headroom.yaml');

    const { made, recordedOnly, output } = await deployedStack(emulator, 'Headstart-my-cluster-ap-northeast-2');
    expect(Object.keys(made)).toEqual(
      expect.arrayContaining(['AWS::SQS::Queue', 'AWS::IAM::Role', 'AWS::Lambda::Function', 'AWS::SNS::Topic']),
    );
    expect(recordedOnly.filter((type) => !RECORDED_ONLY.includes(type))).toEqual([]);
    expect(created()).toEqual([
      'Create Custom::HeadstartClusterEndpoint',
      'Create Custom::HeadstartClusterObjects',
      'Create Custom::HeadstartDeployReconcile',
    ]);
    expect(host.ran.filter((what) => what.startsWith('Disassociate'))).toEqual([
      expect.stringMatching(
        /^Disassociate \/clusters\/my-cluster\/access-entries\/arn:aws:iam::\d+:role\/headstart\/[0-9A-F]{32}\/\w{12}\/.*\/access-policies\/arn:aws:eks::aws:cluster-access-policy\/AmazonEKSClusterAdminPolicy$/,
      ),
    ]);
    expect(host.notRun).toEqual([]);
    expect(output('Changed')).toBe('nothing');
    expect(output('Outcome')).toMatch(/^default /);
    expect(world.names()).toEqual([...OWN_NAMES, 'Deployment headroom/headroom-default'].sort());

    const { Functions = [] } = await aws.lambda.send(new ListFunctionsCommand({}));
    const endpoints = Functions.map(({ Environment }) => Environment?.Variables?.HEADSTART_ENDPOINT);
    expect(new Set(endpoints)).toEqual(new Set([undefined, world.url]));

    const override = { headroom: 'default', exactly: 7, for: '10m', by: 'ana' };
    const answer = await account.invoke('headstart-my-cluster-inflate', override);
    expect(answer).toMatchObject({ decisions: [{ replicas: 7 }] });
    expect(world.find('Deployment', 'headroom-default')?.spec).toMatchObject({ replicas: 7 });

    const deleted = watchCustomResources();
    await destroy(emulator, home);
    expect(deleted()).toEqual([
      'Delete Custom::HeadstartDeployReconcile',
      'Delete Custom::HeadstartClusterObjects',
      'Delete Custom::HeadstartClusterEndpoint',
    ]);
    expect(world.names()).toEqual([]);
  });

  test('from a subnet without a way to the cluster, to EKS and to S3 fails, and says why', async () => {
    const { subnets, nodeGroupGroup } = await createNetworkedCluster(aws, 'stranded', 2);
    const config = join(home, 'stranded.yaml');
    const vpc = `{subnetIds: [${subnets[0]}], securityGroupIds: [${nodeGroupGroup}]}`;
    writeFileSync(
      config,
      `cluster: {name: stranded, region: ${REGION}, vpc: ${vpc}}\nnodePools: {default: {max: 4}}\n`,
    );
    const hole = await blackHole();
    host.environmentOf = (name) =>
      name.includes('ObjectsChange') ? { HEADSTART_ENDPOINT: hole.url, AWS_ENDPOINT_URL: hole.url } : {};
    try {
      await expect(deploy(config)).rejects.toThrow(
        /the functions in cluster\.vpc cannot reach cluster stranded; security group sg-\w+ must admit port 443/,
      );
    } finally {
      host.environmentOf = () => ({});
      await hole.close();
    }
    // Nothing was applied, so nothing is left.
    expect(world.names()).toEqual([]);
  });

  test('of the full config also makes rules, NodePools and what Karpenter needs', async () => {
    const network = await createNetworkedCluster(aws, 'shop', 1);
    await aws.events.send(new CreateEventBusCommand({ Name: 'shop' }));
    const config = join(home, 'full.yaml');
    writeFileSync(config, fullConfig(network));
    const created = watchCustomResources();
    await deploy(config);

    const name = 'Headstart-shop-ap-northeast-2';
    const headroom = await deployedStack(emulator, name);
    const karpenter = await deployedStack(emulator, `${name}-karpenter`);
    expect(Object.keys(headroom.made)).toEqual(
      expect.arrayContaining(['AWS::Events::Rule', 'AWS::SQS::Queue', 'AWS::Lambda::Function']),
    );
    expect(Object.keys(karpenter.made)).toEqual(
      expect.arrayContaining(['AWS::Events::Rule', 'AWS::SQS::Queue', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::Role']),
    );
    for (const { recordedOnly } of [headroom, karpenter])
      expect(recordedOnly.filter((type) => !RECORDED_ONLY.includes(type))).toEqual([]);
    const ran = created();
    // Karpenter's come first: the headroom is for its NodePools.
    expect(ran.indexOf('Create Custom::HeadstartDiscoveryTags')).toBeLessThan(
      ran.indexOf('Create Custom::HeadstartDeployReconcile'),
    );
    expect(ran).toContain('Create Custom::HeadstartDiscoveryTags');
    // Of Helm's role, of that of the NodePools, and of that of the headroom's objects.
    const admins = host.ran.filter((what) => what.startsWith('Disassociate /clusters/shop/'));
    expect(admins.map((what) => what.includes('/Headstart-shop-ap-northeast-2-karpenter-KarpenterHelmRole'))).toEqual([
      true,
      false,
      false,
    ]);
    // They need kubectl and helm in a layer.
    expect(new Set(host.notRun)).toEqual(new Set(['Create Custom::AWSCDK-EKS-HelmChart']));
    expect(karpenter.output('LeftToDelete')).toBe('nothing');
    const names = world.names();
    for (const pool of ['default', 'service', 'monitoring', 'cicd', 'system-critical'])
      expect(names).toEqual(
        expect.arrayContaining([`NodePool ${pool}`, `EC2NodeClass ${pool}`, `Deployment headroom/headroom-${pool}`]),
      );

    // What Karpenter lives on is another stack, and stays as it is.
    await destroy(emulator, home, name);
    const others = names.filter((found) => !/^(NodePool|EC2NodeClass) /.test(found));
    const rights = ['ClusterRole headstart-node-pools-headroom', 'ClusterRoleBinding headstart-node-pools-headroom'];
    expect(others).toEqual(expect.arrayContaining(rights));
    expect(world.names()).toEqual(names.filter((found) => !others.includes(found) || rights.includes(found)));
    await expect(deployedStack(emulator, `${name}-karpenter`)).resolves.toMatchObject({ made: karpenter.made });
    await expect(destroy(emulator, home)).rejects.toThrow(/cannot be deleted while TerminationProtection is enabled/);
  });
});

/** Takes connections and never answers, as a network that drops packets looks to a function. */
async function blackHole() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The example, with subnets and a security group that the emulator knows. */
function fullConfig({
  subnets,
  nodeGroupGroup,
}: {
  readonly subnets: readonly string[];
  readonly nodeGroupGroup: string;
}) {
  return (
    readFileSync(join(__dirname, '..', '..', 'examples', 'full.yaml'), 'utf8')
      .replace(/subnet-\w+/g, (id) => subnets[id.endsWith('1') ? 0 : 1] ?? '')
      .replace(/sg-\w+/g, nodeGroupGroup)
      // The emulated account is another one.
      .replace(/arn:aws:events:[^/]+event-bus\//, '')
  );
}
