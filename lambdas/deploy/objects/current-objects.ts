import type { KubernetesObject } from '@kubernetes/client-node';
import { KubeError, orMissing } from '../../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../../../shared/core/basics/names';
import { NEVER_DELETED, objectText, PLACES, placeOf } from '../../../shared/core/manifests/places';
import type { AdmissionPorts } from '../protocol/retry-until-admitted';

const MAX_MS = 120_000;
const BETWEEN_LOOKS_MS = 3_000;

/** The custom resource that last applied an object; only that one removes it. */
export const APPLIED_BY_ANNOTATION = 'headstart.dev/applied-by';
/** Marks a namespace that a deploy created; no other one is ever deleted. */
export const CREATED_ANNOTATION = 'headstart.dev/created-by-deploy';

/** The kinds that a deploy may delete, RBAC before the objects that it covers. */
const DELETABLE = Object.keys(PLACES).filter((kind) => !NEVER_DELETED.includes(kind));

export interface CurrentObject extends KubernetesObject {
  readonly kind: string;
  readonly metadata: NonNullable<KubernetesObject['metadata']> & { readonly name: string };
}

/** Identifies an object; manifests and current objects both fit. */
export interface ObjectName {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}

export function objectPath({ kind, metadata }: ObjectName): string {
  const namespace = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `${rootOf(kind)}${namespace}/${placeOf(kind).plural}/${metadata.name}`;
}

export async function readObject(transport: KubeTransport, object: ObjectName): Promise<CurrentObject | undefined> {
  return orMissing(transport.get<CurrentObject>(objectPath(object)));
}

/** All objects of a kind with our label, whoever applied them; `undefined` if the cluster does not serve the kind. */
export async function listLabelled(
  transport: KubeTransport,
  kind: string,
): Promise<readonly CurrentObject[] | undefined> {
  const path = `${rootOf(kind)}/${placeOf(kind).plural}`;
  const found = await orMissing(transport.list<KubernetesObject>(path, `${MANAGED_BY_LABEL}=${MANAGED_BY}`));
  // List items have no kind.
  return found?.map((object) => ({ ...object, kind }) as CurrentObject);
}

/** The deletable objects that this custom resource applied, in deletion order. */
export async function listApplied(transport: KubeTransport, owner: string): Promise<readonly CurrentObject[]> {
  const lists = await Promise.all(DELETABLE.map((kind) => listLabelled(transport, kind)));
  return lists.flatMap((list) => list ?? []).filter(appliedBy(owner));
}

/** Those of these objects that this custom resource applied and may delete, in deletion order. */
export async function readApplied(
  transport: KubeTransport,
  objects: readonly ObjectName[],
  owner: string,
): Promise<readonly CurrentObject[]> {
  const current = await Promise.all(
    (await stillThere(transport, objects)).map((object) => readObject(transport, object)),
  );
  const found = current.filter((object) => object !== undefined).filter(appliedBy(owner));
  return DELETABLE.flatMap((kind) => found.filter((object) => object.kind === kind));
}

/** Without objects in a namespace that is gone or terminating, where the right to read is gone too. */
async function stillThere(transport: KubeTransport, objects: readonly ObjectName[]): Promise<readonly ObjectName[]> {
  const names = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  const current = await Promise.all(
    [...names].map((name) => readObject(transport, { kind: 'Namespace', metadata: { name } })),
  );
  const alive = current.filter((one) => one && one.metadata.deletionTimestamp === undefined);
  const kept = new Set(alive.map((one) => one?.metadata.name));
  return objects.filter(({ metadata }) => metadata.namespace === undefined || kept.has(metadata.namespace));
}

/** Deletes exactly this object; it is fine if it is already gone or replaced. */
export async function deleteObject(transport: KubeTransport, object: CurrentObject): Promise<void> {
  const { uid } = object.metadata;
  await transport.delete(objectPath(object), uid === undefined ? undefined : { uid }).catch((error: unknown) => {
    if (!(error instanceof KubeError && [404, 409].includes(error.status))) throw error;
  });
}

function appliedBy(owner: string) {
  return ({ metadata }: CurrentObject) => metadata.annotations?.[APPLIED_BY_ANNOTATION] === owner;
}

function rootOf(kind: string): string {
  const { group } = placeOf(kind);
  return group === '' ? '/api/v1' : `/apis/${group}/v1`;
}

/** Waits for an object that is being deleted; a namespace goes only after everything in it. */
export async function untilGone(
  transport: KubeTransport,
  object: CurrentObject,
  waiting: Omit<AdmissionPorts, 'log'>,
): Promise<void> {
  const { now, sleep, deadline } = waiting;
  const started = now();
  const until = Math.min(started + MAX_MS, deadline);
  for (;;) {
    const found = await readObject(transport, object);
    if (found?.metadata.uid !== object.metadata.uid) return;
    if (now() + BETWEEN_LOOKS_MS > until)
      throw new Error(
        `${objectText(object)} is still being deleted after ${Math.round((now() - started) / 1_000)} s; see what holds it: kubectl get ${object.kind.toLowerCase()} ${object.metadata.name} -o yaml`,
      );
    await sleep(BETWEEN_LOOKS_MS);
  }
}
