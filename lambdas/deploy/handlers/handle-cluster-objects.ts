import type { CloudFormationCustomResourceDeleteEvent, CloudFormationCustomResourceEvent } from 'aws-lambda';
import { ClusterNotFoundError } from '../../../shared/adapters/aws/cluster-not-found';
import type { ClusterDescription } from '../../../shared/adapters/aws/describe-cluster';
import type { AssociatedPolicy } from '../../../shared/adapters/aws/drop-access-policy';
import { clusterErrorType } from '../../../shared/adapters/kube/cluster-error';
import { DEPLOY_AGAIN } from '../../../shared/core/basics/deploy-again';
import { messageOf } from '../../../shared/core/basics/errors';
import type { ObjectOutcome, ObjectsRequest } from '../objects/objects-request';
import { type CustomResourceResponse, shortAttribute } from '../protocol/custom-resource';
import { type ClusterAbout, clusterAbout, explainClusterError } from '../protocol/explain-cluster-error';
import { type AdmissionPorts, isRefusedByAws, untilAdmitted } from '../protocol/retry-until-admitted';
import { isUpdateRollingBack, type RollbackPorts } from '../protocol/stack-rollback';

/** The custom resource's properties besides the cluster. */
export interface ClusterObjectsProperties {
  /** The cluster's identity when the deploy read it. */
  readonly clusterId: string;
  /** The function that talks to the cluster. */
  readonly functionName: string;
  /** That function's role. If it changes, it is new, and cluster admin until the objects are applied. */
  readonly deployer: string;
  /** The access policy that makes it cluster admin. */
  readonly adminPolicy: string;
}

export interface ClusterObjectsPorts extends AdmissionPorts, RollbackPorts {
  readonly describe: (name: string, region: string) => Promise<ClusterDescription | undefined>;
  /** Invokes the other function; throws that function's own error, under its own name. */
  readonly send: (functionName: string, region: string, request: ObjectsRequest) => Promise<ObjectOutcome>;
  readonly dropAdmin: (policy: AssociatedPolicy) => Promise<void>;
}

/** The value of `LeftToDelete` if there are no NodePools that a person may want to delete. */
export const NOTHING_LEFT = 'nothing';
/** The value of `Changed` if nobody changed the objects. */
export const AS_APPLIED = 'nothing';

/** Has the other function apply, check or remove Headstart's objects. */
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
      `cluster ${about.name} was deleted and created again since this stack was deployed to it; ${DEPLOY_AGAIN}`,
    );
  const action = (await isAdmin(event, ports)) ? 'apply' : 'check';
  const { commands, changed } = await patiently(() => requestChange(action, event, ports)).catch((error: unknown) => {
    throw explained(error, about, facts);
  });
  const { name: clusterName, region } = about;
  await patiently(() => ports.dropAdmin({ clusterName, region, principalArn: deployer, policyArn: adminPolicy }));
  return {
    physicalResourceId: physicalIdOf(about, clusterId),
    data: {
      LeftToDelete: commands.length === 0 ? NOTHING_LEFT : shortAttribute(commands.join(' && ')),
      Changed: changed.length === 0 ? AS_APPLIED : `${shortAttribute(changed.join(', '))}; ${DEPLOY_AGAIN}`,
    },
  };
}

/** Whether the role is new. The old role, to which a rollback returns, has already lost the policy. */
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
 * Whether the whole stack is deleted. Otherwise the objects stay: the config has changed to manual
 * access, or an update that added them is rolled back, and they may have been applied by hand before.
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
  action: ObjectsRequest['action'],
  event: CloudFormationCustomResourceEvent,
  { send }: ClusterObjectsPorts,
): Promise<ObjectOutcome> {
  const { functionName } = propertiesOf(event.ResourceProperties);
  const { region } = clusterAbout(event.ResourceProperties);
  return send(functionName, region, { action, owner: `${event.StackId}/${event.LogicalResourceId}` });
}

/** A new cluster changes the id, so CloudFormation deletes the old resource afterwards. */
function physicalIdOf({ name }: ClusterAbout, clusterId: string): string {
  return `cluster-objects-${name}-${clusterId}`;
}

function propertiesOf(properties: unknown): ClusterObjectsProperties {
  return properties as ClusterObjectsProperties;
}

function explained(error: unknown, about: ClusterAbout, facts: ClusterDescription): Error {
  const type = clusterErrorType(error);
  const text = explainClusterError({ type, message: messageOf(error) }, about, facts);
  // A new role gets a new access entry. The runtime functions keep theirs, so there this would not help.
  const isUnknown = type === 'ClusterUnauthenticated' && about.access === 'entry';
  return new Error(isUnknown ? `${text}; ${DEPLOY_AGAIN}` : text, { cause: error });
}
