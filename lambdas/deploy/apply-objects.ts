import { KubeError } from '../../shared/adapters/kube-error';
import type { KubeTransport } from '../../shared/adapters/kube-transport';
import { FIELD_MANAGER, MANAGED_BY, MANAGED_BY_LABEL } from '../../shared/core/basics/names';
import { deleteCommands } from '../../shared/core/karpenter/delete-commands';
import type { Manifest } from '../../shared/core/manifests/cluster-objects';
import {
  APPLIED_BY_ANNOTATION,
  deleteObject,
  type LiveObject,
  listApplied,
  listLabelled,
  NEVER_DELETED,
  objectPath,
  readObject,
  shownObject,
} from './live-objects';
import { untilGone, type Waiting } from './until-gone';

export interface ApplyRequest {
  readonly objects: readonly Manifest[];
  /** Names the custom resource that applies, in the objects themselves. */
  readonly owner: string;
}

export interface Applied {
  readonly applied: readonly string[];
  readonly pruned: readonly string[];
  /** The commands that delete the NodePools and EC2NodeClasses of ours that are no longer asked for; they stay. */
  readonly commands: readonly string[];
}

/** Some of their fields never change, so that a new value needs a new object; deleting one harms nothing. */
const RECREATED = ['PriorityClass', 'RoleBinding', 'ClusterRoleBinding'];

/**
 * Brings the cluster to these objects. First all is looked at, so that a refusal
 * leaves the cluster untouched; then all is applied; then what this custom resource
 * applied earlier and no longer asks for is deleted, NodePools and EC2NodeClasses excepted.
 */
export async function applyObjects(
  transport: KubeTransport,
  { objects, owner }: ApplyRequest,
  waiting: Waiting,
): Promise<Applied> {
  const ours = await Promise.all(NEVER_DELETED.map((kind) => listLabelled(transport, kind)));
  refuseUnserved(
    objects,
    NEVER_DELETED.filter((_, index) => ours[index] === undefined),
  );
  const live = await Promise.all(objects.map((manifest) => readObject(transport, manifest)));
  refuseForeign(live.filter((found) => found !== undefined));
  for (const found of live)
    if (found?.metadata.deletionTimestamp !== undefined) await untilGone(transport, found, waiting);

  for (const [index, manifest] of objects.entries()) await applyOne(transport, owned(manifest, owner), live[index]);

  const present = ours
    .flatMap((list) => list ?? [])
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ kind, metadata: { name } }) => ({ kind, name }));
  const kept = new Set(objects.map(shownObject));
  const forgotten = (await listApplied(transport, owner)).filter((object) => !kept.has(shownObject(object)));
  for (const object of forgotten) await deleteObject(transport, object);
  return {
    applied: objects.map(shownObject),
    pruned: forgotten.map(shownObject),
    commands: deleteCommands(present, objects),
  };
}

function refuseUnserved(objects: readonly Manifest[], unserved: readonly string[]): void {
  const impossible = objects.filter(({ kind }) => unserved.includes(kind));
  if (impossible.length === 0) return;
  throw new Error(
    `the cluster does not serve ${unserved.join(' and ')}, and the config asks for ${impossible.map(shownObject).join(', ')}; install Karpenter 1.0 or newer first: deploy without pool blocks, install it, then deploy with them`,
  );
}

function refuseForeign(live: readonly LiveObject[]): void {
  const foreign = live.filter(({ metadata }) => metadata.labels?.[MANAGED_BY_LABEL] !== MANAGED_BY);
  if (foreign.length === 0) return;
  const overwrite = `--overwrite ${MANAGED_BY_LABEL}=${MANAGED_BY}`;
  const commands = foreign.map((object) => `kubectl label ${object.kind.toLowerCase()} ${nameOf(object)} ${overwrite}`);
  throw new Error(
    `not Headstart's, and nothing was changed: ${foreign.map(shownObject).join(', ')}; choose another name in the config, or hand over what is there: ${commands.join('; ')}`,
  );
}

function nameOf({ metadata }: LiveObject): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.name} -n ${metadata.namespace}`;
}

function owned(manifest: Manifest, owner: string): Manifest {
  const { metadata } = manifest;
  const annotations = { ...metadata.annotations, [APPLIED_BY_ANNOTATION]: owner };
  return { ...manifest, metadata: { ...metadata, annotations } };
}

async function applyOne(transport: KubeTransport, manifest: Manifest, live: LiveObject | undefined): Promise<void> {
  const apply = () => transport.apply(objectPath(manifest), manifest, FIELD_MANAGER);
  try {
    await apply();
  } catch (error) {
    const unchangeable = error instanceof KubeError && error.status === 422 && RECREATED.includes(manifest.kind);
    if (!unchangeable || !live) throw error;
    await deleteObject(transport, live);
    await apply();
  }
}
