import { KubeApi } from '../../lab/simulator/kube/api/kube-api';
import { KINDS } from '../../lab/simulator/kube/kinds';
import { ObjectStore } from '../../lab/simulator/kube/object-store';
import { type ApiRequest, type ApiResponse, respond } from '../../lab/simulator/kube/rest/rest-response';
import type { TransportOptions } from '../../shared/adapters/kube/kube-transport';
import type { Manifest } from '../../shared/core/manifests/cluster-object-manifests';
import { START } from '../lambdas/deploy/kube-world';

export const ADMIN = 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy';

export interface AccessEntry {
  readonly arn: string;
  readonly since: number;
  readonly groups: readonly string[];
  /** Each with the time at which it was associated. */
  readonly policies: Map<string, number>;
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface Asked {
  readonly group: string;
  readonly namespace: string | undefined;
  readonly resource: string;
  readonly name: string | undefined;
  readonly verb: string;
}

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PATCH: 'patch', PUT: 'update', DELETE: 'delete' };
const VIEW = ADMIN.replace('ClusterAdmin', 'View');

/** A Kubernetes API that lets in whom EKS lets in: by access entry, access policy and RBAC. */
export class KubeDoor {
  private uids = 0;
  private readonly store = new ObjectStore({
    now: () => START,
    newUid: () => `uid-${++this.uids}`,
    newSuffix: () => 'abcde',
  });
  private readonly api = new KubeApi(this.store);

  /** Answers as the principal of this entry is answered. */
  respond(entry: AccessEntry | undefined, admittedSince: number, request: ApiRequest): ApiResponse {
    if (!entry || entry.since > admittedSince)
      return { status: 401, body: { reason: 'Unauthorized', message: 'Unauthorized' } };
    const asked = askedOf(request);
    const allowed =
      entry.policies.has(ADMIN) ||
      (entry.policies.has(VIEW) && ['get', 'list'].includes(asked.verb)) ||
      this.rulesFor(entry.groups, asked.namespace).some((rule) => isAllowed(rule, asked));
    if (!allowed)
      return { status: 403, body: { reason: 'Forbidden', message: `${asked.verb} ${asked.resource} is forbidden` } };
    const response = respond(this.api, request);
    this.collectGarbage();
    return response;
  }

  names(): readonly string[] {
    return KINDS.flatMap((kind) =>
      this.store
        .list(kind)
        .map(
          ({ metadata: { namespace, name } }) =>
            `${kind.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
        ),
    ).sort();
  }

  put(manifest: Manifest): void {
    const kind = KINDS.find((one) => one.kind === manifest.kind);
    const { name, namespace } = manifest.metadata;
    if (kind)
      this.api.apply(kind, { name, ...(namespace !== undefined && { namespace }) }, manifest, {
        fieldManager: 'kubectl',
        force: true,
      });
  }

  private rulesFor(groups: readonly string[], namespace: string | undefined): readonly Rule[] {
    const objects = (name: string) =>
      KINDS.filter(({ kind }) => kind === name).flatMap((kind) => this.store.list(kind)) as unknown as Manifest[];
    const bindings = [
      ...objects('ClusterRoleBinding'),
      ...objects('RoleBinding').filter(({ metadata }) => metadata.namespace === namespace),
    ];
    return bindings
      .filter(({ subjects }) => (subjects as { name: string }[]).some(({ name }) => groups.includes(name)))
      .flatMap(({ metadata, roleRef }) => {
        const { kind, name } = roleRef as { kind: string; name: string };
        return objects(kind).filter(
          (role) =>
            role.metadata.name === name && (kind === 'ClusterRole' || role.metadata.namespace === metadata.namespace),
        );
      })
      .flatMap(({ rules }) => rules as Rule[]);
  }

  /** Deletes what belonged to something that is gone, as the garbage collector does. */
  private collectGarbage(): void {
    const all = KINDS.flatMap((kind) => this.store.list(kind).map((object) => ({ kind, object })));
    const alive = new Set(all.map(({ object }) => object.metadata.uid));
    for (const { kind, object } of all) {
      const { ownerReferences = [], namespace, name } = object.metadata;
      if (ownerReferences.length > 0 && ownerReferences.every(({ uid }) => !alive.has(uid)))
        this.store.remove(kind, namespace, name);
    }
  }
}

function askedOf({ method, path }: ApiRequest): Asked {
  const [, group = '', namespace, resource = '', name] =
    /^\/(?:api|apis\/([^/]+))\/v1(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+))?/.exec(path) ?? [];
  return { group, namespace, resource, name, verb: VERBS[method] ?? (name === undefined ? 'list' : 'get') };
}

function isAllowed(
  { apiGroups, resources, resourceNames, verbs }: Rule,
  { group, resource, name, verb }: Asked,
): boolean {
  const has = (list: readonly string[], value: string) => list.includes(value) || list.includes('*');
  return (
    has(apiGroups, group) &&
    has(resources, resource) &&
    has(verbs, verb) &&
    (resourceNames === undefined || (name !== undefined && resourceNames.includes(name)))
  );
}

/** Sends requests straight to that API, as one principal. */
export function sendThrough(answer: (request: ApiRequest) => ApiResponse): NonNullable<TransportOptions['send']> {
  return async (_connection, { method, path, body = '', contentType = '' }) => {
    const { pathname, searchParams } = new URL(path, 'http://127.0.0.1');
    const { status, body: text } = answer({
      method,
      path: pathname,
      query: searchParams,
      contentType,
      accept: '',
      userAgent: 'headstart',
      body,
    });
    return { status, headers: {}, body: typeof text === 'string' ? text : JSON.stringify(text) };
  };
}
