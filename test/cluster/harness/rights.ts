import type { ApiClient } from './api-client';

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** Every right that the apiserver knows of, as `group/resource: verbs on names`. */
export async function rightsIn(api: ApiClient, namespace: string): Promise<readonly string[]> {
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } };
  const { status } = await api.send<{ status: { incomplete: boolean; resourceRules: readonly Rule[] } }>(
    'POST',
    '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
    review,
  );
  if (status.incomplete) throw new Error('the apiserver does not know all rights');
  return (
    status.resourceRules
      .flatMap(({ apiGroups, resources, verbs, resourceNames = ['*'] }) =>
        resources.map((one) => `${apiGroups[0]}/${one}: ${[...verbs].sort()} on ${[...resourceNames].sort()}`),
      )
      // Every authenticated user may ask about itself.
      .filter((right) => !right.includes('/selfsubject'))
      .sort()
  );
}
