import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvokeCommand, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { TEST_CA } from '../fakes/loopback-server';
import { type KubeWorld, kubeWorld } from '../lambdas/deploy/kube-world';
import { awsClients, createCluster } from './harness/aws-clients';
import { bootstrap, cdk, destroy } from './harness/cdk';
import { deployedStack } from './harness/deployed-stack';
import { type Emulator, REGION, startEmulator } from './harness/emulator';
import { type FunctionHost, openFunctionHost } from './harness/function-host';
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
const OWN_NAMES = [
  'ClusterRole headstart-runtime-headroom',
  'ClusterRoleBinding headstart-runtime-headroom',
  'Namespace headroom',
  'PriorityClass headstart-headroom',
  'Role headroom/headstart-runtime',
  'RoleBinding headroom/headstart-runtime',
];

describeAws('cdk deploy, with the deployed functions running,', () => {
  const home = mkdtempSync(join(tmpdir(), 'headstart-cdk-'));
  let world: KubeWorld;
  let host: FunctionHost;
  let emulator: Emulator;
  let aws: ReturnType<typeof awsClients>;

  beforeAll(async () => {
    world = await kubeWorld({ tls: true });
    host = await openFunctionHost();
    const kube = { url: world.url, caBase64: TEST_CA.toString('base64') };
    emulator = await startEmulator({ functionHost: host, kube });
    host.environment = emulator.environment;
    aws = awsClients(emulator);
    await bootstrap(emulator, home);
  });
  afterAll(async () => {
    await emulator?.stop();
    await Promise.all([host?.close(), world?.close()]);
    rmSync(home, { recursive: true, force: true });
  });

  const deploy = (config: string) =>
    cdk(emulator, home, 'deploy', '--all', '--require-approval', 'never', '-c', `config=${config}`);
  /** The custom resources that are asked for from here on. */
  const watchCustomResources = () => {
    const before = host.ran.length;
    return () => host.ran.slice(before).filter((what) => what.includes('Custom::'));
  };

  test('of the minimal config sets up functions and cluster, obeys an order, and leaves nothing when destroyed', async () => {
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
    expect(host.notRun).toEqual([]);
    expect(output('LeftToDelete')).toBe('nothing');
    expect(output('Outcome')).toMatch(/^default /);
    expect(world.names()).toEqual([...OWN_NAMES, 'Deployment headroom/headroom-default'].sort());

    const { Functions = [] } = await aws.lambda.send(new ListFunctionsCommand({}));
    const endpoints = Functions.map(({ Environment }) => Environment?.Variables?.HEADSTART_ENDPOINT);
    expect(new Set(endpoints)).toEqual(new Set([undefined, world.url]));

    const order = { nodePool: 'default', exactly: 7, for: '10m', by: 'ana' };
    const { Payload } = await aws.lambda.send(
      new InvokeCommand({ FunctionName: 'headstart-my-cluster-inflate', Payload: JSON.stringify(order) }),
    );
    expect(JSON.parse(Buffer.from(Payload ?? []).toString())).toMatchObject({ decisions: [{ replicas: 7 }] });
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

  test('to a private endpoint without vpc fails, and says what to write', async () => {
    const network = { endpointPublicAccess: false, endpointPrivateAccess: true };
    await createCluster(aws.eks, 'hidden', network);
    const config = join(home, 'hidden.yaml');
    writeFileSync(config, `cluster: {name: hidden, region: ${REGION}}\nnodePools: {default: {max: 4}}\n`);
    await expect(deploy(config)).rejects.toThrow(
      /cluster hidden has a private endpoint only[\s\S]*write cluster\.vpc: \{subnetIds: \[\.\.\.\]\}/,
    );
    expect(world.names()).toEqual([]);
  });

  test('of the full config also makes rules, NodePools and what Karpenter needs', async () => {
    const network = await createNetworkedCluster(aws, 'shop', 1);
    const config = join(home, 'full.yaml');
    writeFileSync(config, fullConfig(network));
    const created = watchCustomResources();
    await deploy(config);

    const { made, recordedOnly, output } = await deployedStack(emulator, 'Headstart-shop-ap-northeast-2');
    expect(Object.keys(made)).toEqual(
      expect.arrayContaining([
        'AWS::Events::Rule',
        'AWS::SQS::Queue',
        'AWS::IAM::ManagedPolicy',
        'AWS::Lambda::Function',
      ]),
    );
    expect(recordedOnly.filter((type) => !RECORDED_ONLY.includes(type))).toEqual([]);
    expect(created()).toEqual(
      expect.arrayContaining(['Create Custom::HeadstartDiscoveryTags', 'Create Custom::HeadstartDeployReconcile']),
    );
    // They need kubectl and helm in a layer.
    expect(new Set(host.notRun)).toEqual(new Set(['Create Custom::AWSCDK-EKS-HelmChart']));
    expect(output('LeftToDelete')).toBe('nothing');
    const names = world.names();
    for (const pool of ['default', 'service', 'monitoring', 'cicd', 'system-critical'])
      expect(names).toEqual(
        expect.arrayContaining([`NodePool ${pool}`, `EC2NodeClass ${pool}`, `Deployment headroom/headroom-${pool}`]),
      );

    await destroy(emulator, home);
    const left = world.names();
    expect(left.filter((name) => !/^(NodePool|EC2NodeClass) /.test(name))).toEqual([]);
    expect(left).toContain('NodePool default');
  });
});

/** The example, with subnets and a security group that the emulator knows. */
function fullConfig({
  subnets,
  nodeGroupGroup,
}: {
  readonly subnets: readonly string[];
  readonly nodeGroupGroup: string;
}) {
  return readFileSync(join(__dirname, '..', '..', 'examples', 'full.yaml'), 'utf8')
    .replace(/subnet-\w+/g, (id) => subnets[id.endsWith('1') ? 0 : 1] ?? '')
    .replace(/sg-\w+/g, nodeGroupGroup);
}
