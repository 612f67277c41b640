import { type CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { CfnAccessEntry } from 'aws-cdk-lib/aws-eks';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct, type IDependable } from 'constructs';
import type { AssociatedPolicy } from '../../shared/adapters/aws/drop-access-policy';
import { ENVIRONMENT } from '../../shared/adapters/process/environment';
import { hashText } from '../../shared/core/basics/names';
import type { ClusterConfig } from '../../shared/core/config/config';
import type { Manifest } from '../../shared/core/manifests/cluster-object-manifests';
import { deployGroup, deployRights } from '../../shared/core/manifests/deploy-rights';
import type { ClusterEndpoint } from './cluster-endpoint-resource';
import { againProperty, DeployFunction } from './deploy-function';
import { describeClusterStatement, HeadstartFunction, type Placement } from './headstart-function';
import type { ScheduleProps } from './schedule-group';

export interface ClusterObjectsProps {
  readonly cluster: ClusterConfig;
  readonly endpoint: ClusterEndpoint;
  readonly objects: readonly Manifest[];
  /** A description of the objects, for that of the function. */
  readonly what: string;
  /** A short name for the objects, in the names of the deploying role's rights. */
  readonly part: string;
  /** Text whose changes, too, make the deploy check the objects again, which finds manual edits. */
  readonly changes?: string;
  /** Where the function that talks to the cluster runs. @default outside any VPC */
  readonly placement?: Placement | undefined;
  /** What must exist before the objects are applied, such as the release with Karpenter's CRDs. @default none */
  readonly after?: readonly IDependable[];
}

/**
 * Objects on the cluster, by two functions. One answers CloudFormation, outside any VPC and without rights in the
 * cluster. The other talks to the cluster, and is cluster admin only while it applies: its role and access entry are
 * replaced whenever the objects change, and the first function removes the admin policy as soon as they are applied.
 */
export class ClusterObjects extends Construct {
  readonly resource: CustomResource;
  /** What removes the admin policy if an update that changes nothing but tags has associated it again. */
  readonly dailyDrop: DailyDrop;

  constructor(scope: Construct, id: string, props: ClusterObjectsProps) {
    super(scope, id);
    const { cluster, endpoint, objects, what, changes, placement, after = [] } = props;
    const rights = deployRights({ what: props.part, namespace: cluster.namespace, objects });
    const text = JSON.stringify({ objects, rights });
    const changer = new HeadstartFunction(this, 'Change', {
      entry: 'deploy/change-objects',
      description: `Applies ${what} to ${cluster.name}, at deploys only`,
      environment: { ...endpoint.environment, [ENVIRONMENT.clusterName]: cluster.name },
      files: { 'objects.json': text },
      timeout: Duration.minutes(5),
      rolePath: endpoint.rolePath(hashText(JSON.stringify([text, againProperty(this)]))),
      ...(placement && { placement }),
    });
    changer.role.addToPolicy(describeClusterStatement(this, cluster));
    const entry = this.adminEntry(props, changer);
    // So that a wrong authentication mode fails with our message and not with EKS's; and EKS refuses a
    // role that IAM has just made: once a function has it, it is known everywhere.
    entry.node.addDependency(endpoint, changer);

    const front = new DeployFunction(this, 'Function', {
      entry: 'deploy/cluster-objects',
      description: `Has ${what} applied to ${cluster.name}, and answers CloudFormation`,
      cluster,
      timeout: Duration.minutes(8),
    });
    // Besides that, it may only list and remove the policies of that one entry, never add one.
    front.allow('lambda:InvokeFunction', changer.function.functionArn);
    allowDropping(front, entry, this.adminPolicy);
    this.resource = front.resource('ClusterObjects', {
      clusterId: endpoint.clusterId,
      functionName: changer.function.functionArn,
      deployer: changer.role.roleArn,
      adminPolicy: this.adminPolicy,
      objects: hashText(text),
      ...(changes !== undefined && { config: hashText(changes) }),
    });
    this.resource.node.addDependency(changer, entry, ...after);
    this.dailyDrop = dailyDrop(front, cluster, changer.role.roleArn, this.adminPolicy);
  }

  /**
   * Kubernetes lets nobody grant rights that they do not hold themselves, so the role
   * that applies the functions' RBAC must hold all of it, and more to create a
   * namespace and a PriorityClass; no narrower access policy of EKS is enough.
   */
  private adminEntry({ cluster, part }: ClusterObjectsProps, { role }: HeadstartFunction): CfnAccessEntry {
    return new CfnAccessEntry(this, 'Entry', {
      clusterName: cluster.name,
      principalArn: role.roleArn,
      type: 'STANDARD',
      // The rights that remain without the policy.
      kubernetesGroups: [deployGroup({ what: part, namespace: cluster.namespace })],
      accessPolicies: [{ policyArn: this.adminPolicy, accessScope: { type: 'cluster' } }],
    });
  }

  private get adminPolicy(): string {
    return accessPolicyArn(this, 'AmazonEKSClusterAdminPolicy');
  }
}

/** Allows to take this one access policy off this one entry, and to see that it is off. */
export function allowDropping(front: DeployFunction, entry: CfnAccessEntry, policyArn: string): void {
  front.function.role.addToPolicy(
    new PolicyStatement({
      actions: ['eks:DisassociateAccessPolicy'],
      resources: [entry.attrAccessEntryArn],
      conditions: { ArnEquals: { 'eks:policyArn': policyArn } },
    }),
  );
  front.allow('eks:ListAssociatedAccessPolicies', entry.attrAccessEntryArn);
}

/** A daily call that takes an access policy off an entry on which it should not be. */
export type DailyDrop = Pick<ScheduleProps, 'handler' | 'description' | 'input'>;

/** What the function must be allowed is in `allowDropping`. */
export function dailyDrop(
  front: DeployFunction,
  { name: clusterName, region }: ClusterConfig,
  principalArn: string,
  policyArn: string,
): DailyDrop {
  const dropAdmin: AssociatedPolicy = { clusterName, region, principalArn, policyArn };
  return {
    handler: front.function.function,
    description: `drops cluster admin of ${clusterName} where an update of tags associated it again`,
    input: Stack.of(front).toJsonString({ dropAdmin }),
  };
}

export function accessPolicyArn(scope: IConstruct, name: string): string {
  return `arn:${Stack.of(scope).partition}:eks::aws:cluster-access-policy/${name}`;
}
