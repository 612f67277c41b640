import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { clusterErrorType, hasCode } from '../../shared/adapters/cluster-error';
import { ClusterNotFoundError } from '../../shared/adapters/cluster-not-found';
import type { ClusterDescription } from '../../shared/adapters/describe-cluster';
import type { KubeTransport } from '../../shared/adapters/kube-transport';
import { messageOf } from '../../shared/core/basics/errors';
import type { Manifest } from '../../shared/core/manifests/cluster-objects';
import { applyObjects } from './apply-objects';
import { clusterAbout } from './cluster-about';
import { type CustomResourceResponse, NOT_CREATED } from './custom-resource';
import { explainClusterError } from './explain-cluster-error';
import { removeObjects } from './remove-objects';
import { type AdmissionPorts, retryUntilAdmitted } from './retry-until-admitted';
import { isUpdateRollingBack, type RollbackPorts } from './stack-rollback';

export interface ClusterObjectsPorts extends AdmissionPorts, RollbackPorts {
  readonly connect: () => Promise<KubeTransport>;
  /** What is applied: it comes with the code, so that whoever may invoke the function cannot choose. */
  readonly objects: readonly Manifest[];
  readonly describe: (name: string, region: string) => Promise<ClusterDescription | undefined>;
}

/** The attribute that says which NodePools a person may want to delete. */
export const NOTHING_LEFT = 'nothing';

/** Applies Headstart's objects to the cluster, or removes them. */
export async function handleClusterObjects(
  event: CloudFormationCustomResourceEvent,
  ports: ClusterObjectsPorts,
): Promise<CustomResourceResponse> {
  const about = clusterAbout(event.ResourceProperties);
  const physicalResourceId = `cluster-objects-${about.name}`;
  const owner = `${event.StackId}/${event.LogicalResourceId}`;
  try {
    if (event.RequestType !== 'Delete')
      return { physicalResourceId, data: { LeftToDelete: await apply(owner, ports) } };
    if (![physicalResourceId, NOT_CREATED].includes(event.PhysicalResourceId))
      // Another id is that of another cluster, which this connection does not lead to.
      ports.log.warn('objects left on another cluster', { resource: event.PhysicalResourceId });
    else if (await isUpdateRollingBack(event.StackId, ports))
      // With manual access before the update a person had applied them, and they are needed again.
      ports.log.warn('objects left, since an update is rolled back', { resource: event.PhysicalResourceId });
    else await remove(owner, ports);
    return { physicalResourceId: event.PhysicalResourceId };
  } catch (error) {
    const facts = await describeAfter(error, about, ports);
    if (event.RequestType === 'Delete' && facts === 'gone') {
      ports.log.info('cluster is gone, and with it everything in it', { cluster: about.name });
      return { physicalResourceId: event.PhysicalResourceId };
    }
    const clusterError = { type: clusterErrorType(error), message: messageOf(error) };
    throw new Error(explainClusterError(clusterError, about, facts === 'gone' ? undefined : facts), { cause: error });
  }
}

async function apply(owner: string, ports: ClusterObjectsPorts): Promise<string> {
  const { connect, objects, log } = ports;
  const transport = retryUntilAdmitted(await connect(), ports);
  const { applied, pruned, commands } = await applyObjects(transport, { objects, owner }, ports);
  log.info('cluster objects applied', { applied, pruned, commands });
  return commands.length === 0 ? NOTHING_LEFT : commands.join(' && ');
}

async function remove(owner: string, ports: ClusterObjectsPorts): Promise<void> {
  const removed = await removeObjects(await ports.connect(), owner, ports);
  ports.log.info('cluster objects removed', { removed });
}

/** What EKS says after a failure: `gone` when there is no such cluster, or not even its name any more. */
async function describeAfter(
  error: unknown,
  { name, region }: { readonly name: string; readonly region: string },
  { describe, log }: ClusterObjectsPorts,
): Promise<ClusterDescription | 'gone' | undefined> {
  if (error instanceof ClusterNotFoundError) return 'gone';
  try {
    return (await describe(name, region)) ?? 'gone';
  } catch (failure) {
    log.warn('cluster not described', { reason: messageOf(failure) });
    return hasCode(error, 'ENOTFOUND') ? 'gone' : undefined;
  }
}
