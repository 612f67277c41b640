import { KubeError } from '../../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { messageOf } from '../../../shared/core/basics/errors';
import { FIELD_MANAGER, MANAGED_BY, MANAGED_BY_LABEL } from '../../../shared/core/basics/names';
import type { Manifest } from '../../../shared/core/manifests/cluster-object-manifests';
import { bindingOf, ownedBy } from '../../../shared/core/manifests/deploy-rights';
import { NEVER_DELETED, objectText } from '../../../shared/core/manifests/places';
import {
  APPLIED_BY_ANNOTATION,
  CREATED_ANNOTATION,
  type CurrentObject,
  deleteObject,
  listApplied,
  objectPath,
  readObject,
  untilGone,
} from './current-objects';
import type { DeployedObjects } from './deployed-objects';
import { leftToDelete } from './left-to-delete';
import { deleteAll, type RemovalPorts } from './remove-objects';

export interface Applied {
  readonly applied: readonly string[];
  readonly pruned: readonly string[];
  /** The commands that delete our NodePools and EC2NodeClasses that the config no longer contains; they stay. */
  readonly commands: readonly string[];
}

/** Kinds with immutable fields, where a new value needs a new object; deleting them is harmless. */
const RECREATED = ['PriorityClass', 'RoleBinding', 'ClusterRoleBinding'];

/**
 * Applies the objects, as cluster admin. First everything is read, so that a refusal leaves
 * the cluster untouched. Then everything is applied, the deploying role's own rights last.
 * Then objects that this custom resource applied earlier and that are gone from the list are
 * deleted, except NodePools and EC2NodeClasses. A failed apply removes what it created.
 */
export async function applyObjects(
  transport: KubeTransport,
  { objects, rights }: DeployedObjects,
  owner: string,
  ports: RemovalPorts,
): Promise<Applied> {
  const commands = await leftToDelete(transport, objects);
  const all = [...objects, ...rights];
  const current = await Promise.all(all.map((manifest) => readObject(transport, manifest)));
  refuseForeign(current.filter((found) => found !== undefined));
  for (const found of current)
    if (found?.metadata.deletionTimestamp !== undefined) await untilGone(transport, found, ports);

  try {
    for (const [index, manifest] of all.entries()) {
      const marked = marks(manifest, owner, current[index]);
      const prepared = rights.includes(manifest) ? await boundTo(transport, marked) : marked;
      await applyOne(transport, prepared, current[index]);
    }
  } catch (error) {
    await takeBack(
      transport,
      all.filter((_, index) => current[index] === undefined),
      ports,
    );
    throw error;
  }

  const kept = new Set(all.map(objectText));
  const forgotten = (await listApplied(transport, owner)).filter((object) => !kept.has(objectText(object)));
  const pruned = await deleteAll(transport, forgotten, ports);
  return { applied: all.map(objectText), pruned, commands };
}

function refuseForeign(current: readonly CurrentObject[]): void {
  const foreign = current.filter(({ metadata }) => metadata.labels?.[MANAGED_BY_LABEL] !== MANAGED_BY);
  if (foreign.length === 0) return;
  const namespaces = foreign.filter(({ kind }) => kind === 'Namespace');
  const others = foreign.filter(({ kind }) => kind !== 'Namespace');
  const overwrite = `--overwrite ${MANAGED_BY_LABEL}=${MANAGED_BY}`;
  const commands = others.map((object) => `kubectl label ${object.kind.toLowerCase()} ${nameOf(object)} ${overwrite}`);
  const fixes = [
    // Never taken over: our quota and Pod Security would reject what else is in it.
    ...(namespaces.length > 0 ? ['write another name in cluster.namespace'] : []),
    ...(commands.length > 0
      ? [`choose another name in the config, or hand over what is there: ${commands.join('; ')}`]
      : []),
  ];
  throw new Error(
    `not Headstart's, and nothing was changed: ${foreign.map(objectText).join(', ')}; ${fixes.join('; ')}`,
  );
}

function nameOf({ metadata }: CurrentObject): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.name} -n ${metadata.namespace}`;
}

/** A role of the deploying role's own rights, owned by the binding that was applied before it. */
async function boundTo(transport: KubeTransport, manifest: Manifest): Promise<Manifest> {
  if (manifest.kind.endsWith('Binding')) return manifest;
  const { name = '', uid = '' } = (await readObject(transport, bindingOf(manifest)))?.metadata ?? {};
  return ownedBy(manifest, { name, uid });
}

function marks(manifest: Manifest, owner: string, current: CurrentObject | undefined): Manifest {
  const { metadata } = manifest;
  const created = !current || current.metadata.annotations?.[CREATED_ANNOTATION] !== undefined;
  const annotations = {
    ...metadata.annotations,
    [APPLIED_BY_ANNOTATION]: owner,
    ...(manifest.kind === 'Namespace' && created && { [CREATED_ANNOTATION]: 'true' }),
  };
  return { ...manifest, metadata: { ...metadata, annotations } };
}

async function applyOne(
  transport: KubeTransport,
  manifest: Manifest,
  current: CurrentObject | undefined,
): Promise<void> {
  const apply = () => transport.apply(objectPath(manifest), manifest, FIELD_MANAGER);
  try {
    await apply();
  } catch (error) {
    const unchangeable = error instanceof KubeError && error.status === 422 && RECREATED.includes(manifest.kind);
    if (!unchangeable || !current) throw error;
    await deleteObject(transport, current);
    await apply();
  }
}

async function takeBack(transport: KubeTransport, made: readonly Manifest[], { log }: RemovalPorts): Promise<void> {
  const deletable = [...made].reverse().filter(({ kind }) => !NEVER_DELETED.includes(kind));
  try {
    for (const manifest of deletable) {
      const found = await readObject(transport, manifest);
      if (found) await deleteObject(transport, found);
    }
  } catch (error) {
    log.warn('what was applied before the failure stays', { reason: messageOf(error) });
  }
}
