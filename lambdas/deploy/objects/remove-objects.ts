import { KubeError } from '../../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { messageOf } from '../../../shared/core/basics/errors';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../../../shared/core/basics/names';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { bindingOf } from '../../../shared/core/manifests/deploy-rights';
import { shownObject } from '../../../shared/core/manifests/places';
import type { Log } from '../../../shared/core/ports/ports';
import type { DeployedObjects } from './deployed-objects';
import {
  CREATED_ANNOTATION,
  deleteObject,
  type LiveObject,
  readApplied,
  readObject,
  untilGone,
  type Waiting,
} from './live-objects';

export interface RemovalPorts extends Waiting {
  readonly log: Log;
  /** Whose headroom is ours in a namespace that we share; in our own one everything goes. */
  readonly headroomOwner: string | undefined;
}

/** Deletes what this custom resource applied, and waits for its namespace to end, so that a new deploy finds it free. */
export async function removeObjects(
  transport: KubeTransport,
  { objects, rights }: DeployedObjects,
  owner: string,
  ports: RemovalPorts,
): Promise<readonly string[]> {
  const removed = await deleteAll(transport, await readApplied(transport, objects, owner), ports);
  return [...removed, ...(await removeRights(transport, rights, owner))];
}

/** Deletes these, a namespace only if a deploy created it; otherwise what is ours in it. */
export async function deleteAll(
  transport: KubeTransport,
  objects: readonly LiveObject[],
  { log, headroomOwner, ...waiting }: RemovalPorts,
): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const object of objects) {
    if (object.kind === 'Namespace' && object.metadata.annotations?.[CREATED_ANNOTATION] === undefined)
      removed.push(...(await deleteHeadroom(transport, object.metadata.name, headroomOwner)));
    else {
      await deleteObject(transport, object);
      removed.push(shownObject(object));
    }
  }
  for (const object of objects.filter((one) => one.kind === 'Namespace' && removed.includes(shownObject(one))))
    await untilGone(transport, object, waiting).catch((error: unknown) =>
      // It will end by itself: nothing that the stack's deletion should wait for.
      log.warn('namespace is still terminating', { reason: messageOf(error) }),
    );
  return removed;
}

/**
 * Gives the deploying role's own rights away, as the last thing that it does. Its bindings
 * go, and their roles after them: by the garbage collector, where this was the last right.
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
  return bindings.map(shownObject);
}

async function deleteRole(transport: KubeTransport, role: DeployedObjects['rights'][number]): Promise<void> {
  const live = await readObject(transport, role);
  if (live) await deleteObject(transport, live);
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
