import type { Cluster } from '../../test/cluster/harness/cluster';
import { openApiserver, type WatchEvent } from '../../test/cluster/workload/open-apiserver';

/** A Deployment's wanted replicas, from a moment on. */
export interface Change {
  readonly replicas: number;
  /** By this machine's clock, which is also that of KEDA. */
  readonly at: number;
}

/** What the Deployments of the cluster have been told to be. */
export interface ReplicaWatch {
  /** Every change of a Deployment's `spec.replicas`, the oldest first. */
  changesOf(namespace: string, name: string): readonly Change[];
  close(): void;
}

interface Deployment {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec?: { readonly replicas: number };
}

/** Watches the Deployments of all namespaces, as a controller would. */
export async function watchReplicas(cluster: Cluster): Promise<ReplicaWatch> {
  const apiserver = await openApiserver(cluster);
  const known = new Map<string, Change[]>();
  const note = ({ object: { metadata, spec } }: WatchEvent<Deployment>) => {
    if (spec === undefined) return;
    const path = `${metadata.namespace}/${metadata.name}`;
    const changes = known.get(path) ?? [];
    known.set(path, changes);
    if (changes.at(-1)?.replicas !== spec.replicas) changes.push({ replicas: spec.replicas, at: Date.now() });
  };
  apiserver.watch('/apis/apps/v1/deployments?watch=true', note);
  return {
    changesOf: (namespace, name) => known.get(`${namespace}/${name}`) ?? [],
    close: () => apiserver.close(),
  };
}
