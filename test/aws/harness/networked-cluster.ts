import {
  CreateLaunchTemplateCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateVpcCommand,
} from '@aws-sdk/client-ec2';
import { CreateNodegroupCommand } from '@aws-sdk/client-eks';
import { type awsClients, createCluster } from './aws-clients';
import { ACCOUNT } from './emulator';

/** A cluster with a VPC of its own (10.<number>.0.0/16), two subnets and a node group with a launch template. */
export async function createNetworkedCluster(
  { ec2, eks }: Pick<ReturnType<typeof awsClients>, 'ec2' | 'eks'>,
  clusterName: string,
  number: number,
) {
  const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: `10.${number}.0.0/16` }));
  const VpcId = Vpc?.VpcId ?? '';
  const subnet = async (index: number) => {
    const { Subnet } = await ec2.send(new CreateSubnetCommand({ VpcId, CidrBlock: `10.${number}.${index}.0/24` }));
    return Subnet?.SubnetId ?? '';
  };
  const securityGroup = async (name: string) => {
    const props = { GroupName: `${name}-${number}`, Description: name, VpcId };
    return (await ec2.send(new CreateSecurityGroupCommand(props))).GroupId ?? '';
  };
  const subnets = [await subnet(0), await subnet(1)];
  const [group, nodeGroupGroup] = [await securityGroup('cluster'), await securityGroup('nodes')];
  await createCluster(eks, clusterName, { subnetIds: subnets, securityGroupIds: [group] });
  const { LaunchTemplate } = await ec2.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: clusterName,
      LaunchTemplateData: { SecurityGroupIds: [nodeGroupGroup] },
    }),
  );
  await eks.send(
    new CreateNodegroupCommand({
      clusterName,
      nodegroupName: 'platform',
      nodeRole: `arn:aws:iam::${ACCOUNT}:role/nodes`,
      subnets,
      launchTemplate: { id: LaunchTemplate?.LaunchTemplateId, version: '1' },
    }),
  );
  return { subnets, group, nodeGroupGroup };
}
