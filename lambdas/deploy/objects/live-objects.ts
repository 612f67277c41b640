import type { KubernetesObject } from '@kubernetes/client-node';
import { KubeError, orMissing } from '../../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../../../shared/core/basics/names';
import { NEVER_DELETED, PLACES, placeOf, shownObject } from '../../../shared/core/manifests/places';

const MAX_MS = 120_000;
const BETWEEN_LOOKS_MS = 3_000;

/** Which custom resource applied an object last; only that one removes it. */
export const APPLIED_BY_ANNOTATION = 'headstart.dev/applied-by';
/** On a namespace that was not there before a deploy; no other one is ever deleted. */
export const CREATED_ANNOTATION = 'headstart.dev/created-by-deploy';

/** What a deploy may delete, rights before what they are rights to. */
const DELETABLE = Object.keys(PLACES).filter((kind) => !NEVER_DELETED.includes(kind));

/** An object as the cluster has it. */
export interface LiveObject extends KubernetesObject {
  readonly kind: string;
  readonly metadata: NonNullable<KubernetesObject['metadata']> & { readonly name: string };
}

/** Says which object is meant; manifests and live objects both do. */
export interface ObjectName {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}

/** The path of one object. */
export function objectPath({ kind, metadata }: ObjectName): string {
  const namespace = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `${rootOf(kind)}${namespace}/${placeOf(kind).plural}/${metadata.name}`;
}

export async function readObject(transport: KubeTransport, object: ObjectName): Promise<LiveObject | undefined> {
  return orMissing(transport.get<LiveObject>(objectPath(object)));
}

/** All objects of a kind with our label, whoever applied them; `undefined` when the cluster does not serve the kind. */
export async function listLabelled(transport: KubeTransport, kind: string): Promise<readonly LiveObject[] | undefined> {
  const path = `${rootOf(kind)}/${placeOf(kind).plural}`;
  const found = await orMissing(transport.list<KubernetesObject>(path, `${MANAGED_BY_LABEL}=${MANAGED_BY}`));
  // The items of a list do not say their kind.
  return found?.map((object) => ({ ...object, kind }) as LiveObject);
}

/** What this custom resource applied once, of the kinds that a deploy may delete, in the order to delete them. */
export async function listApplied(transport: KubeTransport, owner: string): Promise<readonly LiveObject[]> {
  const lists = await Promise.all(DELETABLE.map((kind) => listLabelled(transport, kind)));
  return lists.flatMap((list) => list ?? []).filter(appliedBy(owner));
}

/** Of these objects, what this custom resource applied and may delete, in the order to delete them. */
export async function readApplied(
  transport: KubeTransport,
  objects: readonly ObjectName[],
  owner: string,
): Promise<readonly LiveObject[]> {
  const live = await Promise.all((await stillThere(transport, objects)).map((object) => readObject(transport, object)));
  const found = live.filter((object) => object !== undefined).filter(appliedBy(owner));
  return DELETABLE.flatMap((kind) => found.filter((object) => object.kind === kind));
}

/** Without what is in a namespace that is gone or ends: with it, the right to look there has gone. */
async function stillThere(transport: KubeTransport, objects: readonly ObjectName[]): Promise<readonly ObjectName[]> {
  const names = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  const live = await Promise.all(
    [...names].map((name) => readObject(transport, { kind: 'Namespace', metadata: { name } })),
  );
  const alive = live.filter((one) => one && one.metadata.deletionTimestamp === undefined);
  const kept = new Set(alive.map((one) => one?.metadata.name));
  return objects.filter(({ metadata }) => metadata.namespace === undefined || kept.has(metadata.namespace));
}

/** Deletes this very object; that it is gone already, or is another one by now, is fine. */
export async function deleteObject(transport: KubeTransport, object: LiveObject): Promise<void> {
  const { uid } = object.metadata;
  await transport.delete(objectPath(object), uid === undefined ? undefined : { uid }).catch((error: unknown) => {
    if (!(error instanceof KubeError && [404, 409].includes(error.status))) throw error;
  });
}

function appliedBy(owner: string) {
  return ({ metadata }: LiveObject) => metadata.annotations?.[APPLIED_BY_ANNOTATION] === owner;
}

function rootOf(kind: string): string {
  const { group } = placeOf(kind);
  return group === '' ? '/api/v1' : `/apis/${group}/v1`;
}

export interface Waiting {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly deadline: number;
}

/** Waits for an object that is being deleted: a namespace ends only after everything in it. */
export async function untilGone(transport: KubeTransport, object: LiveObject, waiting: Waiting): Promise<void> {
  const { now, sleep, deadline } = waiting;
  const started = now();
  const until = Math.min(started + MAX_MS, deadline);
  for (;;) {
    const found = await readObject(transport, object);
    if (found?.metadata.uid !== object.metadata.uid) return;
    if (now() + BETWEEN_LOOKS_MS > until)
      throw new Error(
        `${shownObject(object)} is still being deleted after ${Math.round((now() - started) / 1_000)} s; see what holds it: kubectl get ${object.kind.toLowerCase()} ${object.metadata.name} -o yaml`,
      );
    await sleep(BETWEEN_LOOKS_MS);
  }
}
