import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { EC2Client } from '@aws-sdk/client-ec2';
import { CreateClusterCommand, EKSClient, type VpcConfigRequest } from '@aws-sdk/client-eks';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import { ACCOUNT, CREDENTIALS, type Emulator, REGION } from './emulator';

/** The SDK's own clients, pointed at the emulator, to set the stage and to look at the result. */
export function awsClients({ url }: Emulator) {
  const settings = { region: REGION, endpoint: url, credentials: CREDENTIALS };
  return {
    cloudWatch: new CloudWatchClient(settings),
    ec2: new EC2Client(settings),
    eks: new EKSClient(settings),
    events: new EventBridgeClient(settings),
    lambda: new LambdaClient(settings),
    sqs: new SQSClient(settings),
  };
}

/** Makes an EKS cluster in the emulator; its first security group counts as the cluster's own. */
export async function createCluster(eks: EKSClient, name: string, network: VpcConfigRequest = {}) {
  await eks.send(
    new CreateClusterCommand({
      name,
      version: '1.35',
      roleArn: `arn:aws:iam::${ACCOUNT}:role/cluster`,
      resourcesVpcConfig: {
        subnetIds: ['subnet-0a1b2c3d'],
        endpointPublicAccess: true,
        endpointPrivateAccess: true,
        ...network,
      },
    }),
  );
}
