import type { ClusterDescription } from '../../../shared/adapters/aws/describe-cluster';
import type { ClusterErrorType } from '../../../shared/adapters/kube/cluster-error';
import { DEPLOY_AGAIN } from '../../../shared/core/basics/deploy-again';
import type { ClusterConfig } from '../../../shared/core/config/config';

export type ClusterAbout = Pick<ClusterConfig, 'name' | 'region' | 'access'> & {
  /** Whether the functions run in the VPC. */
  readonly placed: boolean;
};

export interface ClusterError {
  /** Absent if there is no advice for it. */
  readonly type?: ClusterErrorType | undefined;
  readonly message: string;
}

export function explainDeployError(error: ClusterError, about: ClusterAbout, facts?: ClusterDescription): string {
  const { type, message } = error;
  return type === undefined ? message : `${adviceFor(type, about, facts)} (${message})`;
}

function adviceFor(type: ClusterErrorType, about: ClusterAbout, facts?: ClusterDescription): string {
  switch (type) {
    case 'ClusterUnreachable':
      return about.placed ? unreachableFromVpc(about, facts) : unreachableFromOutside(about, facts);
    case 'ClusterTooSlow':
      return `cluster ${about.name} answers too slowly; look for an overloaded API server or a webhook that does not answer, and deploy again`;
    case 'ClusterUnauthenticated':
      return unauthenticated(about, facts);
    case 'ClusterForbidden':
      return forbidden(about);
    case 'KarpenterNotServed':
      return `cluster ${about.name} does not serve karpenter.sh/v1; install Karpenter 1.0 or newer first, or let Headstart prepare it with karpenter: {manage: true}`;
  }
}

/** Its API stops long before EKS stops describing it. */
export function beingDeleted({ name }: ClusterAbout, { status }: ClusterDescription): string | undefined {
  if (status !== 'DELETING') return undefined;
  return `cluster ${name} is being deleted; remove the stack with cdk destroy, or write another cluster.name`;
}

/** Why functions outside the VPC can never reach the cluster, if so. */
export function closedToOutside({ name }: ClusterAbout, facts: ClusterDescription): string | undefined {
  if (facts.publicAccess) return undefined;
  return `cluster ${name} has a private endpoint only, which functions outside of its VPC ${facts.vpcId} cannot reach; write cluster.vpc: {subnetIds: [...]} with private subnets of ${facts.vpcId}`;
}

function unreachableFromOutside(about: ClusterAbout, facts?: ClusterDescription): string {
  if (!facts)
    return `the functions cannot reach cluster ${about.name}; if its endpoint is private or admits only some addresses, write cluster.vpc: {subnetIds: [...]}`;
  const closed = closedToOutside(about, facts);
  if (closed) return closed;
  const open = facts.publicCidrs.length === 0 || facts.publicCidrs.includes('0.0.0.0/0');
  if (open) return `the functions cannot reach cluster ${about.name} at its public endpoint ${facts.server}`;
  const how = facts.privateAccess ? '' : ' and turn on private endpoint access';
  return `the public endpoint of cluster ${about.name} admits only ${facts.publicCidrs.join(', ')}, and functions outside of a VPC have no fixed address; write cluster.vpc: {subnetIds: [...]} with private subnets of ${facts.vpcId}${how}`;
}

function unreachableFromVpc({ name }: ClusterAbout, facts?: ClusterDescription): string {
  const group = facts?.securityGroupId ? `security group ${facts.securityGroupId}` : 'its security group';
  if (facts && !facts.privateAccess)
    return `the functions in cluster.vpc cannot reach cluster ${name}, whose endpoint is public only; turn on private endpoint access, or give the subnets a NAT gateway`;
  return `the functions in cluster.vpc cannot reach cluster ${name}; ${group} must admit port 443 from the functions' security group, and the VPC must have DNS support and DNS hostnames on`;
}

function unauthenticated(about: ClusterAbout, facts?: ClusterDescription): string {
  if (about.access === 'manual')
    return `cluster ${about.name} does not know the function's role; add the mapRoles that the stack prints to the aws-auth ConfigMap`;
  return (
    configMapMode(about, facts) ??
    `cluster ${about.name} does not know the function's role; its access entry is missing or was removed: compare aws eks list-access-entries --cluster-name ${about.name} --region ${about.region}`
  );
}

/** Access entries do not work in this mode. */
export function configMapMode({ name, region }: ClusterAbout, facts?: ClusterDescription): string | undefined {
  if (facts?.authenticationMode !== 'CONFIG_MAP') return undefined;
  return `cluster ${name} has authentication mode CONFIG_MAP, which does not support access entries; run aws eks update-cluster-config --name ${name} --region ${region} --access-config authenticationMode=API_AND_CONFIG_MAP (it cannot be undone), or write cluster.access: manual`;
}

function forbidden({ name, access }: ClusterAbout): string {
  const how =
    access === 'manual'
      ? 'apply the manifests that synth writes (headstart-manifests-*.yaml) with kubectl'
      : `look for an admission policy that refuses it; if RBAC objects were removed, ${DEPLOY_AGAIN}`;
  return `cluster ${name} refuses this to the function's role; ${how}`;
}

/** From the properties of our custom resources; CloudFormation turns all into text. */
export function clusterAbout(properties: unknown): ClusterAbout {
  type Properties = Pick<ClusterConfig, 'region' | 'access'> & Readonly<Record<'clusterName' | 'placed', string>>;
  const { clusterName, region, access, placed } = properties as Properties;
  return { name: clusterName, region, access, placed: placed === 'true' };
}
