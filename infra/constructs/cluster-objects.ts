import { type CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { CfnAccessEntry } from 'aws-cdk-lib/aws-eks';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct, type IDependable } from 'constructs';
import { ENVIRONMENT } from '../../shared/adapters/process/environment';
import { hashText } from '../../shared/core/basics/names';
import type { ClusterConfig } from '../../shared/core/config/config';
import type { Manifest } from '../../shared/core/manifests/cluster-objects';
import { deployGroup, deployRights } from '../../shared/core/manifests/deploy-rights';
import type { ClusterEndpoint } from './cluster-endpoint';
import { againProperty, DeployFunction } from './deploy-function';
import { describeClusterStatement } from './describe-cluster-statement';
import { HeadstartFunction, type Placement } from './headstart-function';

/** Properties of `ClusterObjects`. */
export interface ClusterObjectsProps {
  /** The cluster that they are applied to. */
  readonly cluster: ClusterConfig;
  /** How the cluster is reached. */
  readonly endpoint: ClusterEndpoint;
  /** What is applied. */
  readonly objects: readonly Manifest[];
  /** What the objects are, for the function's description. */
  readonly what: string;
  /** The same in one word, for the names of the rights that the deploying role keeps. */
  readonly part: string;

  /**
   * A text whose every change has the objects looked at again, which finds what somebody removed.
   *
   * @default they are looked at again only when they change
   */
  readonly changes?: string;

  /**
   * Where the function runs that talks to the cluster.
   *
   * @default outside of any VPC
   */
  readonly placement?: Placement | undefined;

  /**
   * What must be there before the objects are applied, such as the release that brings Karpenter's CRDs.
   *
   * @default none
   */
  readonly after?: readonly IDependable[];
}

/**
 * Objects on the cluster, by two functions. One answers CloudFormation, outside of any VPC and
 * without any right in the cluster. The other one talks to the cluster, and is admin of it only
 * while it applies: its role and access entry are made anew whenever the objects change, and
 * the first function takes the admin policy off as soon as they are applied.
 */
export class ClusterObjects extends Construct {
  readonly resource: CustomResource;

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
    // Only then does a wrong authentication mode fail with our message and not with EKS's.
    entry.node.addDependency(endpoint);

    const front = new DeployFunction(this, 'Function', {
      entry: 'deploy/cluster-objects',
      description: `Has ${what} applied to ${cluster.name}, and answers CloudFormation`,
      cluster,
      timeout: Duration.minutes(8),
    });
    this.letRequestChanges(front, changer, entry);
    this.resource = front.resource('ClusterObjects', {
      clusterId: endpoint.clusterId,
      functionName: changer.function.functionArn,
      deployer: changer.role.roleArn,
      adminPolicy: this.adminPolicy,
      objects: hashText(text),
      ...(changes !== undefined && { config: hashText(changes) }),
    });
    this.resource.node.addDependency(changer, entry, ...after);
  }

  /**
   * Kubernetes lets nobody grant rights that they do not hold themselves, so who
   * applies RBAC for the functions must hold all of it, and more to create a
   * namespace and a PriorityClass; no narrower access policy of EKS does.
   */
  private adminEntry({ cluster, part }: ClusterObjectsProps, { role }: HeadstartFunction): CfnAccessEntry {
    return new CfnAccessEntry(this, 'Entry', {
      clusterName: cluster.name,
      principalArn: role.roleArn,
      type: 'STANDARD',
      // What is left when the policy is off.
      kubernetesGroups: [deployGroup({ what: part, namespace: cluster.namespace })],
      accessPolicies: [{ policyArn: this.adminPolicy, accessScope: { type: 'cluster' } }],
    });
  }

  /** To take a policy off that one entry is all that it may change in EKS: nothing here can put one on. */
  private letRequestChanges(front: DeployFunction, changer: HeadstartFunction, entry: CfnAccessEntry): void {
    const allow = (action: string, resource: string) =>
      front.function.role.addToPolicy(new PolicyStatement({ actions: [action], resources: [resource] }));
    allow('lambda:InvokeFunction', changer.function.functionArn);
    allow('eks:DisassociateAccessPolicy', entry.attrAccessEntryArn);
  }

  private get adminPolicy(): string {
    return accessPolicyArn(this, 'AmazonEKSClusterAdminPolicy');
  }
}

/** The ARN of one of EKS's access policies. */
export function accessPolicyArn(scope: IConstruct, name: string): string {
  return `arn:${Stack.of(scope).partition}:eks::aws:cluster-access-policy/${name}`;
}
