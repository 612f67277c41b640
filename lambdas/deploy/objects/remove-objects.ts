import { KubeError } from '../../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { messageOf } from '../../../shared/core/basics/errors';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../../../shared/core/basics/names';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { bindingOf } from '../../../shared/core/manifests/deploy-rights';
import { objectText } from '../../../shared/core/manifests/places';
import type { AdmissionPorts } from '../protocol/retry-until-admitted';
import {
  CREATED_ANNOTATION,
  type CurrentObject,
  deleteObject,
  readApplied,
  readObject,
  untilGone,
} from './current-objects';
import type { DeployedObjects } from './deployed-objects';

export interface RemovalPorts extends AdmissionPorts {
  /** The owner of our headroom in a namespace that we did not create; in our own everything goes. */
  readonly headroomOwner: string | undefined;
}

/** Deletes what this custom resource applied, and waits until its namespace is gone, for the sake of a new deploy. */
export async function removeObjects(
  transport: KubeTransport,
  { objects, rights }: DeployedObjects,
  owner: string,
  ports: RemovalPorts,
): Promise<readonly string[]> {
  const current = await readApplied(transport, objects, owner).catch((error: unknown) => {
    if (!(error instanceof KubeError && error.status === 403)) throw error;
    // They are removed last, so a request that is delivered again finds nothing to do.
    ports.log.warn('the deploying role has no rights any more, so nothing is removed', { reason: error.message });
  });
  if (!current) return [];
  const removed = await deleteAll(transport, current, ports);
  return [...removed, ...(await removeRights(transport, rights, owner))];
}

/** Deletes these objects; of a namespace that no deploy created, only our headroom in it. */
export async function deleteAll(
  transport: KubeTransport,
  objects: readonly CurrentObject[],
  { log, headroomOwner, ...waiting }: RemovalPorts,
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const object of objects) {
    if (object.kind === 'Namespace' && object.metadata.annotations?.[CREATED_ANNOTATION] === undefined)
      removed.push(...(await deleteHeadroom(transport, object.metadata.name, headroomOwner)));
    else {
      await deleteObject(transport, object);
      removed.push(objectText(object));
    }
  }
  for (const object of objects.filter((one) => one.kind === 'Namespace' && removed.includes(objectText(one))))
    await untilGone(transport, object, waiting).catch((error: unknown) =>
      // It goes by itself; the stack's deletion need not wait for it.
      log.warn('namespace is still terminating', { reason: messageOf(error) }),
    );
  return removed;
}

/**
 * Deletes the deploying role's own rights, as its last action. The bindings go first, then
 * their roles: by the garbage collector, if the role lost its last right with a binding.
 */
export async function removeRights(
  transport: KubeTransport,
  rights: DeployedObjects['rights'],
  owner: string,
): Promise<readonly string[]> {
  const roles = rights.filter(({ kind }) => !kind.endsWith('Binding'));
  const bindings = await readApplied(transport, roles.map(bindingOf), owner);
  for (const binding of bindings) await deleteObject(transport, binding);
  const names = bindings.map(({ metadata }) => metadata.name);
  for (const role of roles.filter(({ metadata }) => names.includes(metadata.name)))
    await deleteRole(transport, role).catch((error: unknown) => {
      if (!(error instanceof KubeError && error.status === 403)) throw error;
    });
  return bindings.map(objectText);
}

async function deleteRole(transport: KubeTransport, role: DeployedObjects['rights'][number]): Promise<void> {
  const current = await readObject(transport, role);
  if (current) await deleteObject(transport, current);
}

async function deleteHeadroom(
  transport: KubeTransport,
  namespace: string,
  owner: string | undefined,
): Promise<readonly string[]> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const deployments = await transport.list(path, `${MANAGED_BY_LABEL}=${MANAGED_BY}`);
  const names = deployments
    .filter(({ metadata }) => metadata?.annotations?.[ANNOTATIONS.owner] === owner)
    .map(({ metadata }) => metadata?.name ?? '');
  for (const name of names) await transport.delete(`${path}/${name}`);
  return names.map((name) => `Deployment ${namespace}/${name}`);
}
