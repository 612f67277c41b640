import {
  CreateTagsCommand,
  DescribeTagsCommand,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { handleDiscoveryTags } from '../../lambdas/deploy/handlers/handle-discovery-tags';
import { awsClusterNetwork } from '../../shared/adapters/aws/cluster-network';
import { jsonLog } from '../../shared/adapters/process/json-log';
import { fakeClock, request } from '../lambdas/deploy/requests';
import { awsClients } from './harness/aws-clients';
import { type Emulator, REGION, startEmulator } from './harness/emulator';
import { createNetworkedCluster } from './harness/networked-cluster';
import { describeAws } from './harness/shared-installation';
import { useEnvironment } from './harness/use-environment';

const TAG = 'karpenter.sh/discovery';

describeAws('discovery tags', () => {
  let emulator: Emulator;
  let restore: () => void;
  let aws: ReturnType<typeof awsClients>;
  let subnets: string[];
  let group: string;
  let nodeGroupGroup: string;
  let made = 0;
  let clusterName: string;

  beforeAll(async () => {
    emulator = await startEmulator();
    restore = useEnvironment(emulator.environment);
    aws = awsClients(emulator);
  });
  afterAll(async () => {
    restore?.();
    await emulator?.stop();
  });

  beforeEach(async () => {
    clusterName = `demo-${++made}`;
    ({ subnets, group, nodeGroupGroup } = await createNetworkedCluster(aws, clusterName, made));
  });

  /** Which of these carry the tag, and with which value. */
  async function tagged(ids: readonly string[] = [...subnets, group, nodeGroupGroup]): Promise<Record<string, string>> {
    const { Tags = [] } = await aws.ec2.send(new DescribeTagsCommand({ Filters: [{ Name: 'key', Values: [TAG] }] }));
    const found = Tags.filter(({ ResourceId }) => ids.includes(ResourceId ?? ''));
    return Object.fromEntries(found.map(({ ResourceId, Value }) => [ResourceId, Value]));
  }

  const handle = (type: 'Create' | 'Update' | 'Delete', properties: object, before: object = {}) =>
    handleDiscoveryTags(
      request(type, { clusterName, owner: 'stack/tags', ...properties } as never, { OldResourceProperties: before }),
      {
        stackStatus: async () => 'DELETE_IN_PROGRESS',
        network: async (name) => awsClusterNetwork({ clusterName: name, region: REGION, endpoint: emulator.url }),
        log: jsonLog(() => {}),
        ...fakeClock(),
        deadline: Number.POSITIVE_INFINITY,
      },
    );
  const launch = async (tags: Readonly<Record<string, string>>) => {
    const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    const { Instances = [] } = await aws.ec2.send(
      new RunInstancesCommand({
        ImageId: 'ami-12c6146b',
        MinCount: 1,
        MaxCount: 1,
        TagSpecifications: [{ ResourceType: 'instance', Tags }],
      }),
    );
    return Instances.map(({ InstanceId = '' }) => InstanceId);
  };
  const named = (...ids: string[]) => Object.fromEntries(ids.map((id) => [id, clusterName]));

  test('are set on the node groups’ subnets and the launch template’s security groups, and taken away', async () => {
    const properties = { subnets: 'node-groups', securityGroups: 'launch-template' };
    await handle('Create', properties);
    await expect(tagged()).resolves.toEqual(named(...subnets, nodeGroupGroup));
    await handle('Create', properties);
    await expect(tagged()).resolves.toEqual(named(...subnets, nodeGroupGroup));
    await handle('Delete', properties);
    await expect(tagged()).resolves.toEqual({});
  });

  test('follow the config, and leave what others have tagged', async () => {
    const [first = '', second = ''] = subnets;
    await aws.ec2.send(new CreateTagsCommand({ Resources: [first], Tags: [{ Key: TAG, Value: clusterName }] }));
    const listed = { subnets: [first, second], securityGroups: [group] };
    await handle('Create', listed);
    await expect(tagged()).resolves.toEqual(named(first, second, group));
    await handle('Update', { subnets: [first], securityGroups: [nodeGroupGroup] }, listed);
    await expect(tagged()).resolves.toEqual(named(first, nodeGroupGroup));
    await handle('Delete', {});
    await expect(tagged()).resolves.toEqual(named(first));
  });

  test('stay while nodes of Karpenter live on them, and go with the last one', async () => {
    await handle('Create', { subnets, securityGroups: [] });
    const InstanceIds = await launch({
      'karpenter.sh/nodepool': 'default',
      [`kubernetes.io/cluster/${clusterName}`]: 'owned',
    });
    await launch({ 'karpenter.sh/nodepool': 'default', 'kubernetes.io/cluster/other': 'owned' });
    await handle('Delete', { subnets });
    await expect(tagged()).resolves.toEqual(named(...subnets));
    await aws.ec2.send(new TerminateInstancesCommand({ InstanceIds }));
    await handle('Delete', { subnets });
    await expect(tagged()).resolves.toEqual({});
  });
});
