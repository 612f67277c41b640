import type { CloudFormationCustomResourceDeleteEvent, CloudFormationCustomResourceEvent } from 'aws-lambda';
import { ClusterNotFoundError } from '../../../shared/adapters/aws/cluster-not-found';
import { type ClusterDescription, ClusterNotReadyError } from '../../../shared/adapters/aws/describe-cluster';
import type { AssociatedPolicy } from '../../../shared/adapters/aws/drop-access-policy';
import { clusterErrorType } from '../../../shared/adapters/kube/cluster-error';
import { DEPLOY_AGAIN } from '../../../shared/core/basics/deploy-again';
import { messageOf } from '../../../shared/core/basics/errors';
import type { ObjectOutcome, ObjectsRequest } from '../objects/objects-request';
import { type CustomResourceResponse, shortAttribute } from '../protocol/custom-resource';
import { beingDeleted, type ClusterAbout, clusterAbout, explainDeployError } from '../protocol/explain-deploy-error';
import { type AdmissionPorts, isPassingAwsError, untilAdmitted } from '../protocol/retry-until-admitted';
import { knownStatus, type RollbackPorts } from '../protocol/stack-rollback';

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
  /** Raises the alarm on a role of this cluster that may have stayed admin. */
  readonly ring: (clusterName: string) => void;
}

/** The value of `LeftToDelete` if there are no NodePools that a person may want to delete. */
export const NOTHING_LEFT = 'nothing';
/** The value of `Changed` if nobody changed the objects. */
export const AS_APPLIED = 'nothing';

export async function handleClusterObjects(
  event: CloudFormationCustomResourceEvent,
  ports: ClusterObjectsPorts,
): Promise<CustomResourceResponse> {
  if (event.RequestType === 'Delete') return deleteObjects(event, ports);
  const about = clusterAbout(event.ResourceProperties);
  const { clusterId } = propertiesOf(event.ResourceProperties);
  const patiently = <T>(call: () => Promise<T>) => untilAdmitted(ports, isPassingAwsError)(call);
  const facts = await patiently(() => ports.describe(about.name, about.region));
  if (!facts) throw new ClusterNotFoundError(about.name, about.region);
  if (facts.id !== clusterId)
    throw new Error(
      `cluster ${about.name} was deleted and created again since this stack was deployed to it; ${DEPLOY_AGAIN}`,
    );
  const deleted = beingDeleted(about, facts);
  if (deleted !== undefined) throw new Error(deleted);
  const request = (action: ObjectsRequest['action']) => patiently(() => requestChange(action, event, ports));
  const { applied, commands, changed } = await change(await isAdmin(event, ports), request).catch((error: unknown) => {
    throw explained(error, about, facts);
  });
  await endAdmin(applied, event, ports);
  return {
    physicalResourceId: physicalIdOf(about, clusterId),
    data: {
      LeftToDelete: commands.length === 0 ? NOTHING_LEFT : shortAttribute(commands.join(' && ')),
      Changed: changed.length === 0 ? AS_APPLIED : `${shortAttribute(changed.join(', '))}; ${DEPLOY_AGAIN}`,
    },
  };
}

async function change(isNew: boolean, request: (action: ObjectsRequest['action']) => Promise<ObjectOutcome>) {
  try {
    return { applied: isNew, ...(await request(isNew ? 'apply' : 'check')) };
  } catch (error) {
    if (!isNew || clusterErrorType(error) !== 'ClusterForbidden') throw error;
    // A request that has succeeded may be delivered again: the role is no longer admin, and everything is as applied.
    const found = await request('check').catch(() => undefined);
    if (found?.changed.length !== 0) throw error;
    return { applied: false, ...found };
  }
}

/**
 * Removes the admin policy. Where objects were applied, a failure fails the deploy: the rollback deletes
 * the role. Otherwise the role should have lost the policy long ago, and a failure only raises an alarm.
 */
async function endAdmin(
  applied: boolean,
  event: CloudFormationCustomResourceEvent,
  ports: ClusterObjectsPorts,
): Promise<void> {
  const { name: clusterName, region } = clusterAbout(event.ResourceProperties);
  const { deployer: principalArn, adminPolicy: policyArn } = propertiesOf(event.ResourceProperties);
  const drop = () => ports.dropAdmin({ clusterName, region, principalArn, policyArn });
  try {
    await untilAdmitted(ports, () => true)(drop);
  } catch (error) {
    const [problem, reason] = ['the deploying role may still be cluster admin', messageOf(error)];
    ports.log.error(problem, { role: principalArn, reason });
    if (!applied) return ports.ring(clusterName);
    if (event.RequestType === 'Create')
      await removeOrLeave(event, ports).catch((failure: unknown) =>
        ports.log.warn('what was applied before the failure stays', { reason: messageOf(failure) }),
      );
    throw new Error(`${problem}: ${reason}; the rollback deletes it`, { cause: error });
  }
}

/** Whether the role is new. The old role, to which a rollback returns, has already lost the policy. */
async function isAdmin(event: CloudFormationCustomResourceEvent, ports: ClusterObjectsPorts): Promise<boolean> {
  if (event.RequestType !== 'Update') return true;
  const [old, now] = [event.OldResourceProperties, event.ResourceProperties].map(propertiesOf);
  return old?.deployer !== now?.deployer && !(await knownStatus(event.StackId, ports)).startsWith('UPDATE_ROLLBACK');
}

async function deleteObjects(
  event: CloudFormationCustomResourceDeleteEvent,
  ports: ClusterObjectsPorts,
): Promise<CustomResourceResponse> {
  const { PhysicalResourceId: physicalResourceId } = event;
  const about = clusterAbout(event.ResourceProperties);
  const { clusterId } = propertiesOf(event.ResourceProperties);
  const isUnknown = (error: unknown) => clusterErrorType(error) === 'ClusterUnauthenticated';
  const patiently = untilAdmitted(ports, (error) => isPassingAwsError(error) || isUnknown(error));
  const facts = await patiently(() => living(about, ports));
  // An id of CloudFormation's own stands for a creation that it stopped waiting for, and whose objects may be there.
  const isOther =
    physicalResourceId.startsWith('cluster-objects-') && physicalResourceId !== physicalIdOf(about, clusterId);
  if (!facts || facts.id !== clusterId || isOther) {
    ports.log.info('cluster is gone, and with it everything in it', { cluster: about.name, id: clusterId });
    return { physicalResourceId };
  }
  try {
    await patiently(() => removeOrLeave(event, ports));
    return { physicalResourceId };
  } catch (error) {
    const left = await living(about, ports).catch(() => facts);
    if (!left) return { physicalResourceId };
    throw explained(error, about, left);
  }
}

/** A cluster that is being deleted is gone, and one without an endpoint is not the one that was deployed to. */
async function living(
  { name, region }: ClusterAbout,
  { describe }: ClusterObjectsPorts,
): Promise<ClusterDescription | undefined> {
  const facts = await describe(name, region).catch((error: unknown) => {
    if (error instanceof ClusterNotReadyError) return undefined;
    throw error;
  });
  return facts?.status === 'DELETING' ? undefined : facts;
}

/**
 * Removes the objects if the whole stack goes. Otherwise they stay: the config has changed to manual
 * access, or an update that added them is rolled back, and they may have been applied by hand before.
 */
async function removeOrLeave(event: CloudFormationCustomResourceEvent, ports: ClusterObjectsPorts): Promise<void> {
  if ((await ports.stackStatus(event.StackId)).startsWith('UPDATE')) await leave(event, ports);
  else await requestChange('remove', event, ports);
}

async function leave(event: CloudFormationCustomResourceEvent, ports: ClusterObjectsPorts): Promise<void> {
  ports.log.warn('objects left, since the stack stays', { resource: event.LogicalResourceId });
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
  const text = explainDeployError({ type, message: messageOf(error) }, about, facts);
  // A new role gets a new access entry. The runtime functions keep theirs, so there this would not help.
  const isUnknown = type === 'ClusterUnauthenticated' && about.access === 'entry';
  return new Error(isUnknown ? `${text}; ${DEPLOY_AGAIN}` : text, { cause: error });
}
