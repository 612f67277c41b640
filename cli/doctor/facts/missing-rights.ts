import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { runtimeGroup } from '../../../shared/core/basics/names';
import { rbacManifests } from '../../../shared/core/manifests/cluster-objects';
import type { LooseObject, Right } from './kube-facts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Asks the cluster's authorizer what the functions' group is not allowed to do, however it got its permissions. */
export async function missingRights(transport: KubeTransport, namespace: string): Promise<readonly Right[]> {
  const rights = neededRights(namespace);
  const allowed = await Promise.all(rights.map((right) => isAllowed(transport, namespace, right)));
  return rights.filter((_, index) => !allowed[index]);
}

/** The rules of our own Role and ClusterRole, one by one. */
function neededRights(namespace: string): readonly Right[] {
  return rbacManifests(namespace).flatMap(({ kind, rules }) => {
    const inNamespace = kind === 'Role' ? { namespace } : {};
    return ((rules ?? []) as readonly Rule[]).flatMap(({ apiGroups, resources, verbs }) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => ({ verb, group: apiGroups[0] ?? '', resource, ...inNamespace })),
      ),
    );
  });
}

async function isAllowed(
  transport: KubeTransport,
  ours: string,
  { verb, group, resource, namespace }: Right,
): Promise<boolean> {
  const { status } = await transport.create<LooseObject>('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: {
      user: 'headstart',
      groups: [runtimeGroup(ours), 'system:authenticated'],
      resourceAttributes: { verb, group, resource, ...(namespace !== undefined && { namespace }) },
    },
  } as LooseObject);
  return status?.allowed === true;
}
