import { stringify } from 'yaml';
import { clusterObjects } from '../../../../shared/core/manifests/cluster-object-manifests';
import { bindingOf, deployGroup, deployRights, ownedBy } from '../../../../shared/core/manifests/deploy-rights';
import { drainingKinds, objectText, PLACES, placeOf } from '../../../../shared/core/manifests/places';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/cluster-objects.txt`);
const RBAC = 'rbac.authorization.k8s.io';
const rule = (apiGroup: string, resources: string[], ...verbs: string[]) => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
});
const RUNTIME_RULES = [
  rule('apps', ['deployments'], 'get', 'list', 'create', 'patch', 'delete'),
  rule('events.k8s.io', ['events'], 'create', 'list'),
  rule('', ['pods'], 'list', 'delete'),
  rule('apps', ['replicasets'], 'list'),
];

const yamlOf = (objects: readonly object[]) => objects.map((one) => stringify(one)).join('---\n');

// The objects are in cluster-objects.txt.
test('a default deploy puts exactly these objects on the cluster, in the order in which they are needed', () => {
  said(yamlOf(clusterObjects('hr')));
});

test('with live schedules the functions may also read their ConfigMap, and no other', () => {
  const [role] = clusterObjects('hr', { liveSchedules: true }).filter(({ kind }) => kind === 'Role');
  const one = { ...rule('', ['configmaps'], 'get'), resourceNames: ['headroom-schedules'] };
  expect(role?.rules).toEqual([...RUNTIME_RULES, one]);
});

test('without wake-ups the functions may neither list nor delete pods', () => {
  const [role] = clusterObjects('hr', { wakeUp: false }).filter(({ kind }) => kind === 'Role');
  expect(role?.rules).toEqual([RUNTIME_RULES[0], rule('events.k8s.io', ['events'], 'create', 'list')]);
});

describe('what a deploying role keeps when it is no longer cluster admin', () => {
  const nodePool = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'web' } };
  const other = { ...nodePool, metadata: { name: 'ci' } };
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q', namespace: 'hr' } };
  const rights = (objects: Parameters<typeof deployRights>[0]['objects']) =>
    deployRights({ what: 'deploy', namespace: 'hr', objects });

  test('are its own objects by name, and the headroom in its namespace', () => {
    said(yamlOf(rights([nodePool, quota, other])));
  });

  test('are none inside the namespace where it applies nothing there', () => {
    const isWide = ({ kind }: { readonly kind: string }) => kind.startsWith('Cluster');
    expect(rights([nodePool, other])).toEqual(rights([nodePool, quota, other]).filter(isWide));
  });

  test('are not to list what it does not apply', () => {
    expect(JSON.stringify(rights([{ ...quota, metadata: { name: 'q' } }]))).not.toContain('list');
  });

  test('belong to one group, and each role goes with its binding', () => {
    const [binding, role] = rights([nodePool, other]);
    if (!binding || !role) throw new Error('no rights');
    expect(deployGroup({ what: 'deploy', namespace: 'hr' })).toBe('headstart:hr:deploy');
    expect(bindingOf(role)).toEqual({ kind: binding.kind, metadata: binding.metadata });
    const ownerReferences = [{ apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', name: 'x', uid: 'u1' }];
    const owned = { ...role, metadata: { ...role.metadata, ownerReferences } };
    expect(ownedBy(role, { name: 'x', uid: 'u1' })).toEqual(owned);
  });
});

test('every kind has its API path, and RBAC is deleted before the objects that it covers', () => {
  expect(Object.entries(PLACES).map(([kind, { group, plural }]) => `${kind} ${group}/${plural}`)).toEqual([
    `RoleBinding ${RBAC}/rolebindings`,
    `Role ${RBAC}/roles`,
    `ClusterRoleBinding ${RBAC}/clusterrolebindings`,
    `ClusterRole ${RBAC}/clusterroles`,
    'NetworkPolicy networking.k8s.io/networkpolicies',
    'ResourceQuota /resourcequotas',
    'Namespace /namespaces',
    'PriorityClass scheduling.k8s.io/priorityclasses',
    'NodePool karpenter.sh/nodepools',
    'EC2NodeClass karpenter.k8s.aws/ec2nodeclasses',
  ]);
  expect(() => placeOf('Pod')).toThrow('objects of kind "Pod" are not applied by a deploy');
});

test('NodePools are never deleted by a deploy, and are listed only where it applies some', () => {
  const of = (kind: string) => ({ apiVersion: 'v1', kind, metadata: { name: 'a' } });
  expect(drainingKinds([of('Role'), of('EC2NodeClass')])).toEqual(['NodePool', 'EC2NodeClass']);
  expect(drainingKinds([of('Role')])).toEqual([]);
});

test('an object is named by kind, namespace and name', () => {
  expect(clusterObjects('hr').slice(1, 3).map(objectText)).toEqual([
    'PriorityClass headstart-hr',
    'ResourceQuota hr/headstart-pause-pods-only',
  ]);
});
