import {
  CreateTagsCommand,
  DeleteTagsCommand,
  DescribeLaunchTemplateVersionsCommand,
  EC2Client,
  type Filter,
  paginateDescribeInstances,
  paginateDescribeTags,
  type TagDescription,
} from '@aws-sdk/client-ec2';
import {
  DescribeClusterCommand,
  DescribeNodegroupCommand,
  EKSClient,
  paginateListNodegroups,
} from '@aws-sdk/client-eks';
import { KARPENTER_NODEPOOL_LABEL } from '../../core/basics/names';
import {
  ADDED_BY_TAG,
  type ClusterNetwork,
  DISCOVERY_TAG,
  type DiscoveryTags,
  type NodeGroup,
} from '../../core/karpenter/install/discovery-tags';

export interface AwsClusterNetworkProps {
  readonly clusterName: string;
  readonly region: string;
  /** Another address, for an emulator. */
  readonly endpoint?: string;
}

/** The most values that a filter takes at once. */
const IDS_AT_ONCE = 200;

/** The cluster's network through @aws-sdk/client-eks and client-ec2; load this file only where it is needed. */
export function awsClusterNetwork({ clusterName, region, endpoint }: AwsClusterNetworkProps): ClusterNetwork {
  const settings = { region, maxAttempts: 5, ...(endpoint && { endpoint }) };
  const eks = new EKSClient(settings);
  const ec2 = new EC2Client(settings);
  const launched: Filter[] = [
    { Name: `tag:kubernetes.io/cluster/${clusterName}`, Values: ['owned'] },
    { Name: 'tag-key', Values: [KARPENTER_NODEPOOL_LABEL] },
    { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping', 'stopped'] },
  ];
  return {
    clusterSecurityGroup: async () => {
      const { cluster } = await eks.send(new DescribeClusterCommand({ name: clusterName }));
      const group = cluster?.resourcesVpcConfig?.clusterSecurityGroupId;
      if (!group)
        throw new Error(
          `cluster ${clusterName} has no security group of its own; write ids in discovery.securityGroups`,
        );
      return group;
    },
    nodeGroups: async () => {
      const found: NodeGroup[] = [];
      for await (const { nodegroups = [] } of paginateListNodegroups({ client: eks }, { clusterName }))
        for (const nodegroupName of nodegroups) {
          const response = await eks.send(new DescribeNodegroupCommand({ clusterName, nodegroupName }));
          const { subnets = [], launchTemplate } = response.nodegroup ?? {};
          const { id, version } = launchTemplate ?? {};
          found.push({
            name: nodegroupName,
            subnetIds: subnets,
            ...(id && version && { launchTemplate: { id, version } }),
          });
        }
      return found;
    },
    launchTemplateSecurityGroups: async ({ id, version }) => {
      const { LaunchTemplateVersions = [] } = await ec2.send(
        new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId: id, Versions: [version] }),
      );
      return LaunchTemplateVersions.flatMap(({ LaunchTemplateData: data }) => [
        ...(data?.SecurityGroupIds ?? []),
        ...(data?.NetworkInterfaces ?? []).flatMap(({ Groups = [] }) => Groups),
      ]);
    },
    karpenterNodes: async () => {
      let nodes = 0;
      for await (const { Reservations = [] } of paginateDescribeInstances({ client: ec2 }, { Filters: launched }))
        nodes += Reservations.flatMap(({ Instances = [] }) => Instances).length;
      return nodes;
    },
    readTags: async (ids) => {
      const tags: DiscoveryTags[] = [];
      for (let first = 0; first < ids.length; first += IDS_AT_ONCE)
        tags.push(...(await describeTags([{ Name: 'resource-id', Values: ids.slice(first, first + IDS_AT_ONCE) }])));
      return tags;
    },
    tagsAddedBy: (owner) =>
      describeTags([
        { Name: 'key', Values: [ADDED_BY_TAG] },
        { Name: 'value', Values: [owner] },
      ]),
    addTags: async (ids, tags) => {
      if (ids.length === 0) return;
      await ec2.send(new CreateTagsCommand({ Resources: [...ids], Tags: tagList(tags) }));
    },
    removeTags: async (ids, tags) => {
      if (ids.length === 0) return;
      await ec2.send(new DeleteTagsCommand({ Resources: [...ids], Tags: tagList(tags) }));
    },
  };

  async function describeTags(filters: Filter[]): Promise<readonly DiscoveryTags[]> {
    const found: TagDescription[] = [];
    for await (const { Tags = [] } of paginateDescribeTags({ client: ec2 }, { Filters: filters })) found.push(...Tags);
    return byResource(found);
  }
}

function tagList(tags: Readonly<Record<string, string>>) {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}

function byResource(tags: readonly TagDescription[]): readonly DiscoveryTags[] {
  const ids = [...new Set(tags.flatMap(({ ResourceId }) => ResourceId ?? []))];
  return ids.map((id) => {
    const read = (key: string) => tags.find((tag) => tag.ResourceId === id && tag.Key === key)?.Value;
    const [discovery, addedBy] = [read(DISCOVERY_TAG), read(ADDED_BY_TAG)];
    return { id, ...(discovery !== undefined && { discovery }), ...(addedBy !== undefined && { addedBy }) };
  });
}
