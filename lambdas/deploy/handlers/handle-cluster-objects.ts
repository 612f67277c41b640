import type { CloudFormationCustomResourceDeleteEvent, CloudFormationCustomResourceEvent } from 'aws-lambda';
import { ClusterNotFoundError } from '../../../shared/adapters/aws/cluster-not-found';
import type { ClusterDescription } from '../../../shared/adapters/aws/describe-cluster';
import type { AssociatedPolicy } from '../../../shared/adapters/aws/drop-access-policy';
import { clusterErrorType } from '../../../shared/adapters/kube/cluster-error';
import { DEPLOY_AFRESH } from '../../../shared/core/basics/deploy-afresh';
import { messageOf } from '../../../shared/core/basics/errors';
import type { ObjectOutcome, ObjectsRequest } from '../objects/objects-request';
import { type CustomResourceResponse, shortAttribute } from '../protocol/custom-resource';
import { type ClusterAbout, clusterAbout, explainClusterError } from '../protocol/explain-cluster-error';
import { type AdmissionPorts, isRefusedByAws, untilAdmitted } from '../protocol/retry-until-admitted';
import { isUpdateRollingBack, type RollbackPorts } from '../protocol/stack-rollback';

/** What the custom resource's properties say beside the cluster. */
export interface ClusterObjectsProperties {
  /** The cluster's identity when the deploy read it. */
  readonly clusterId: string;
  /** The function that talks to the cluster. */
  readonly functionName: string;
  /** That function's role. Another one is new, and cluster admin until the objects are applied. */
  readonly deployer: string;
  /** The access policy that makes it cluster admin. */
  readonly adminPolicy: string;
}

export interface ClusterObjectsPorts extends AdmissionPorts, RollbackPorts {
  readonly describe: (name: string, region: string) => Promise<ClusterDescription | undefined>;
  /** Has the other function do it; throws that function's own error, under its own name. */
  readonly send: (functionName: string, region: string, order: ObjectsRequest) => Promise<ObjectOutcome>;
  readonly dropAdmin: (policy: AssociatedPolicy) => Promise<void>;
}

/** The attribute that says which NodePools a person may want to delete. */
export const NOTHING_LEFT = 'nothing';
/** The attribute that says what somebody changed. */
export const AS_APPLIED = 'nothing';

/** Has Headstart's objects applied, checked or removed, and answers for it. */
export async function handleClusterObjects(
  event: CloudFormationCustomResourceEvent,
  ports: ClusterObjectsPorts,
): Promise<CustomResourceResponse> {
  if (event.RequestType === 'Delete') return deleteObjects(event, ports);
  const about = clusterAbout(event.ResourceProperties);
  const { clusterId, deployer, adminPolicy } = propertiesOf(event.ResourceProperties);
  const patiently = untilAdmitted(ports, isRefusedByAws);
  const facts = await patiently(() => ports.describe(about.name, about.region));
  if (!facts) throw new ClusterNotFoundError(about.name, about.region);
  if (facts.id !== clusterId)
    throw new Error(
      `cluster ${about.name} was deleted and created again since this stack was deployed to it; ${DEPLOY_AFRESH}`,
    );
  const order = (await isAdmin(event, ports)) ? 'apply' : 'check';
  const { commands, changed } = await patiently(() => requestChange(order, event, ports)).catch((error: unknown) => {
    throw explained(error, about, facts);
  });
  const { name: clusterName, region } = about;
  await patiently(() => ports.dropAdmin({ clusterName, region, principalArn: deployer, policyArn: adminPolicy }));
  return {
    physicalResourceId: physicalIdOf(about, clusterId),
    data: {
      LeftToDelete: commands.length === 0 ? NOTHING_LEFT : shortAttribute(commands.join(' && ')),
      Changed: changed.length === 0 ? AS_APPLIED : `${shortAttribute(changed.join(', '))}; ${DEPLOY_AFRESH}`,
    },
  };
}

/** A role that CloudFormation has just made; the one that a rollback comes back to has long lost the policy. */
async function isAdmin(event: CloudFormationCustomResourceEvent, ports: ClusterObjectsPorts): Promise<boolean> {
  if (event.RequestType !== 'Update') return true;
  const [old, now] = [event.OldResourceProperties, event.ResourceProperties].map(propertiesOf);
  return old?.deployer !== now?.deployer && !(await isUpdateRollingBack(event.StackId, ports));
}

async function deleteObjects(
  event: CloudFormationCustomResourceDeleteEvent,
  ports: ClusterObjectsPorts,
): Promise<CustomResourceResponse> {
  const { PhysicalResourceId: physicalResourceId } = event;
  const about = clusterAbout(event.ResourceProperties);
  const { clusterId } = propertiesOf(event.ResourceProperties);
  const facts = await ports.describe(about.name, about.region);
  if (!facts || facts.id !== clusterId || physicalResourceId !== physicalIdOf(about, clusterId)) {
    ports.log.info('cluster is gone, and with it everything in it', { cluster: about.name, id: clusterId });
    return { physicalResourceId };
  }
  try {
    if (await isEnding(event.StackId, ports)) await requestChange('remove', event, ports);
    else await leave(event, ports);
    return { physicalResourceId };
  } catch (error) {
    const left = await ports.describe(about.name, about.region).catch(() => facts);
    if (!left) return { physicalResourceId };
    throw explained(error, about, left);
  }
}

/**
 * Whether the whole stack goes. Otherwise the objects stay: the config has gone over to manual
 * access, or an update is rolled back, before which a person may have applied them by hand.
 */
async function isEnding(stackId: string, { stackStatus }: ClusterObjectsPorts): Promise<boolean> {
  return !(await stackStatus(stackId)).startsWith('UPDATE');
}

async function leave(event: CloudFormationCustomResourceDeleteEvent, ports: ClusterObjectsPorts): Promise<void> {
  ports.log.warn('objects left, since the stack stays', { resource: event.PhysicalResourceId });
  await requestChange('leave', event, ports).catch((error: unknown) =>
    ports.log.warn("the deploying role's own rights stay, too", { reason: messageOf(error) }),
  );
}

function requestChange(
  order: ObjectsRequest['order'],
  event: CloudFormationCustomResourceEvent,
  { send }: ClusterObjectsPorts,
): Promise<ObjectOutcome> {
  const { functionName } = propertiesOf(event.ResourceProperties);
  const { region } = clusterAbout(event.ResourceProperties);
  return send(functionName, region, { order, owner: `${event.StackId}/${event.LogicalResourceId}` });
}

/** Another one makes CloudFormation delete the old resource afterwards, which is that of another cluster. */
function physicalIdOf({ name }: ClusterAbout, clusterId: string): string {
  return `cluster-objects-${name}-${clusterId}`;
}

function propertiesOf(properties: unknown): ClusterObjectsProperties {
  return properties as ClusterObjectsProperties;
}

function explained(error: unknown, about: ClusterAbout, facts: ClusterDescription): Error {
  const type = clusterErrorType(error);
  const text = explainClusterError({ type, message: messageOf(error) }, about, facts);
  // The entry of this role is made anew with the role; those of the functions that run all the time are not.
  const isUnknown = type === 'ClusterUnauthenticated' && about.access === 'entry';
  return new Error(isUnknown ? `${text}; ${DEPLOY_AFRESH}` : text, { cause: error });
}
