import { KubeApi } from '../../../lab/simulator/kube/api/kube-api';
import { KINDS, type Kind } from '../../../lab/simulator/kube/kinds';
import { ObjectStore } from '../../../lab/simulator/kube/object-store';
import { type ApiRequest, respond } from '../../../lab/simulator/kube/rest/rest-response';
import type { Connection } from '../../../shared/adapters/kube/connection';
import { type KubeTransport, kubeTransport } from '../../../shared/adapters/kube/kube-transport';
import type { Manifest } from '../../../shared/core/manifests/cluster-object-manifests';
import { apiRequest, json, type LoopbackServer, loopbackServer, TEST_CA } from '../../fakes/loopback-server';

export const START = Date.parse('2026-03-02T03:00:00Z');

/** A Kubernetes API on loopback that a test can look into and make refuse. */
export interface KubeWorld {
  readonly url: string;
  readonly transport: KubeTransport;
  /** Answers with this status instead, where it gives one. */
  refuse: (request: Pick<ApiRequest, 'method' | 'path'>) => number | undefined;
  /** `Role headroom/headstart-runtime` and the like, of everything that is there. */
  names(): string[];
  writes(): string[];
  find(kind: string, name: string): Manifest | undefined;
  put(manifest: Manifest): void;
  /** Forgets all that is there. */
  clear(): void;
  close(): Promise<void>;
}

export async function kubeWorld(options: { readonly tls?: boolean } = {}): Promise<KubeWorld> {
  let made = 0;
  const store = new ObjectStore({ now: () => START, newUid: () => `uid-${++made}`, newSuffix: () => 'abcde' });
  const api = new KubeApi(store);
  const server = await loopbackServer((seen, response) => {
    const request = apiRequest(seen);
    const refused = world.refuse(request);
    if (refused !== undefined)
      return json(response, refused, { reason: 'Refused', message: `refused with ${refused}` });
    const { status, body } = respond(api, request);
    json(response, status, body);
  }, options.tls);
  const world: KubeWorld = {
    url: server.url,
    transport: kubeTransport(connectionTo(server), { sleep: async () => {} }),
    refuse: () => undefined,
    names: () => KINDS.flatMap((kind) => store.list(kind).map(({ metadata }) => shown(kind, metadata))).sort(),
    writes: () =>
      server.seen.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${pathOf(url)}`),
    find: (kind, name) => {
      const found = store.list(kindOf(kind)).find(({ metadata }) => metadata.name === name);
      return found as unknown as Manifest | undefined;
    },
    put: (manifest) => {
      const { namespace, name } = manifest.metadata;
      const place = { name, ...(namespace !== undefined && { namespace }) };
      const options = { fieldManager: 'kubectl', force: true };
      api.apply(kindOf(manifest.kind), place, manifest, options);
      if (manifest.status !== undefined)
        api.apply(kindOf(manifest.kind), place, manifest, { ...options, subresource: 'status' });
    },
    clear: () => {
      for (const kind of KINDS)
        for (const { metadata } of store.list(kind)) store.remove(kind, metadata.namespace, metadata.name);
    },
    close: server.close,
  };
  return world;
}

function connectionTo({ url }: LoopbackServer): Connection {
  return { server: () => url, tls: () => ({ ca: TEST_CA }), authorize: async () => ({}) };
}

function kindOf(name: string): Kind {
  const found = KINDS.find(({ kind }) => kind === name);
  if (!found) throw new Error(`the fake API serves no ${name}`);
  return found;
}

function shown({ kind }: Kind, { namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? url;
}
