import { writeFileSync } from 'node:fs';
import { kubeconfigFor } from '../../../lab/simulator/kube/rest/kubeconfig';
import { golden } from '../../golden/golden';
import { fakeTerminal, NOW } from '../run-cli';
import { inFolder, typed } from '../session';
import { FAULTS, type Loose, slowNodes } from './faults';
import {
  type CannedCluster,
  FLOOR_CONFIG,
  floorNode,
  HEALTHY_CONFIG,
  healthyCluster,
  PATHS,
  podOn,
  serveCanned,
} from './healthy-cluster';

const folder = inFolder({});
const said = golden(`${__dirname}/doctor.txt`);

const COMMAND = 'doctor --kubeconfig kubeconfig';
const wide = () => fakeTerminal({ now: () => NOW, width: 120 });

/** What doctor prints about this cluster. */
async function doctor(cluster: CannedCluster, config = HEALTHY_CONFIG): Promise<string> {
  writeFileSync('headroom.yaml', config);
  const { server } = await serveCanned(cluster, folder);
  try {
    return await typed(COMMAND, wide());
  } finally {
    await server.close();
  }
}
const NOTHING = /no problems found in what was checked\n$/;

function cannedWith(change: (cluster: CannedCluster) => void): CannedCluster {
  const cluster = healthyCluster();
  change(cluster);
  return cluster;
}

test('finds nothing on a healthy cluster', async () => {
  said(await doctor(healthyCluster()));
});

const PLANTED = FAULTS.map(([name, plant, config = HEALTHY_CONFIG]) => [name, plant, config] as const);
test.each(PLANTED)('finds %s, and nothing else', async (_name, plant, config) => {
  const cluster = healthyCluster();
  plant(cluster, (path, name) => {
    const items = (cluster.lists[path] ?? []) as Loose[];
    return name === undefined ? items[0] : items.find(({ metadata }) => metadata.name === name);
  });
  const text = await doctor(cluster, config);
  said(text.slice(text.indexOf('\n') + 1).replace(/^(fine|seen|not checked): .*\n( {2}.*\n)*/gm, ''));
  expect(text.match(/^(error|warning|note): /gm)).toHaveLength(1);
  expect(text.includes('[exit 2]')).toBe(/^error: /m.test(text));
});

test('exits with what the JSON of its findings says', async () => {
  const cluster = cannedWith(({ refused }) => refused.add('list nodepools'));
  writeFileSync('headroom.yaml', HEALTHY_CONFIG);
  const { server } = await serveCanned(cluster, folder);
  said(await typed(`${COMMAND} --json`, wide()));
  await server.close();
});

test.each([
  ['a policy that refuses them', 403, 'Forbidden', 'admission webhook "a.b" denied the request: a label is required'],
  ['a webhook that is down', 422, 'Invalid', 'failed calling webhook "a.b": connection refused'],
  ['a webhook that does not support dry runs', 400, 'BadRequest', 'admission webhook "a.b" does not support dry run'],
  [
    "the person's own missing right",
    403,
    'Forbidden',
    'pods is forbidden: User "jane" cannot create resource "pods" in API group "" in the namespace "headroom"',
  ],
  [
    'a PriorityClass that does not exist, which another check reports',
    403,
    'Forbidden',
    'pods "headroom-default-x" is forbidden: no PriorityClass with name headstart-headroom was found',
  ],
])('tries the pause pods by a dry run: %s', async (_name, status, reason, message) => {
  said(await doctor({ ...healthyCluster(), refusal: { status, reason, message } }));
});

test('says that a floor has no requests if a policy demands them', async () => {
  const message = 'admission webhook "a.b" denied the request: requests are required';
  said(await doctor({ ...healthyCluster(), refusal: { status: 403, reason: 'Forbidden', message } }, FLOOR_CONFIG));
});

const AUTO_LEAD = HEALTHY_CONFIG.replace('leadTime: 5m', 'leadTime: auto');
const claims = (items: object[]) => (cluster: CannedCluster) =>
  void Object.assign(cluster.lists, { [PATHS.nodeClaims]: items });
test.each<[string, string, (cluster: CannedCluster) => void]>([
  ['nodes that leave a minute for the schedule', HEALTHY_CONFIG, claims(slowNodes(6, 240))],
  ['too few slow nodes to know', HEALTHY_CONFIG, claims(slowNodes(4, 900))],
  ['slow nodes and a learned lead time', AUTO_LEAD, claims(slowNodes(6, 900))],
  ['a floor without a node yet', FLOOR_CONFIG, () => {}],
  [
    'a free pod slot on each node of a floor, beside pods that have ended',
    FLOOR_CONFIG,
    ({ lists }) => {
      lists[PATHS.nodes]?.push(floorNode('a'));
      lists[PATHS.allPods]?.push(podOn('a'), podOn('a'), podOn('a', 'Succeeded'), podOn('a', 'Failed'));
    },
  ],
  [
    'small and full nodes of another NodePool than the floor',
    FLOOR_CONFIG,
    ({ lists }) => {
      const labels = { 'karpenter.sh/nodepool': 'other', 'karpenter.k8s.aws/instance-cpu': '1' };
      lists[PATHS.nodes]?.push({ metadata: { name: 'o', labels }, status: { allocatable: { pods: '1' } } });
      lists[PATHS.allPods]?.push(podOn('o'));
    },
  ],
  [
    'a LimitRange that gives floor pods nothing',
    FLOOR_CONFIG,
    ({ lists }) =>
      lists[PATHS.limitRanges]?.push({
        metadata: { name: 'm' },
        spec: { limits: [{ type: 'Pod', max: { cpu: '8' } }] },
      }),
  ],
  [
    'consolidation of floor nodes at once',
    FLOOR_CONFIG,
    ({ lists }) => {
      (lists[PATHS.nodePools] as Loose[])[0].spec.disruption.consolidateAfter = '0s';
    },
  ],
])('has nothing to say about %s', async (_name, config, change) => {
  const text = await doctor(cannedWith(change), config);
  expect(text).toMatch(NOTHING);
  if (config === FLOOR_CONFIG) expect(text.replace(/\s+/g, ' ')).toContain('headroom, floors');
});

test('says what it may not read instead of calling it fine', async () => {
  const unreadable = cannedWith(({ forbidden }) =>
    forbidden.add(PATHS.priorityClasses).add('/apis/authorization.k8s.io/v1/subjectaccessreviews'),
  );
  said('PriorityClasses and permissions', await doctor(unreadable));
  said(
    'the pods on the nodes of a floor',
    await doctor(
      cannedWith(({ forbidden }) => forbidden.add(PATHS.allPods)),
      FLOOR_CONFIG,
    ),
  );
});

test('names every NodePool that does not exist, with all its headrooms and its spot twin', async () => {
  const config = `${HEALTHY_CONFIG}
  batch: {max: 2}
  gpu-a: {max: 2, nodePool: gpu}
  gpu-b: {max: 2, nodePool: gpu}
  other: {max: 2, nodeSelector: {team: a}, pool: {role: nodes, spotTwin: true}}
`;
  said((await doctor(healthyCluster(), config)).match(/^\w+: NodePool .*\n/gm)?.join('') ?? '');
});

test('finds a kubeconfig of another cluster, and says how to get the right one', async () => {
  const { server } = await serveCanned(healthyCluster(), folder);
  writeFileSync('headroom.yaml', HEALTHY_CONFIG);
  writeFileSync('kubeconfig', kubeconfigFor(server.url, 'arn:aws:eks:us-east-1:123456789012:cluster/prod'));
  said(await typed(COMMAND, wide()));
  await server.close();
});

test('reports a broken config and an unreachable cluster with their exit codes', async () => {
  said('a broken config', await doctor(healthyCluster(), HEALTHY_CONFIG.replace('max: 10', 'max: -1')));
  writeFileSync('headroom.yaml', HEALTHY_CONFIG);
  // Its server is closed.
  said('an unreachable cluster', await typed(COMMAND, wide()));
});

describe('on EKS Auto Mode', () => {
  const autoMode = (name: string, disruption: object = {}) =>
    cannedWith(({ lists }) => {
      const [pool] = lists[PATHS.nodePools] as Loose[];
      pool.metadata.name = name;
      const nodeClassRef = { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' };
      pool.spec.template = { spec: { ...pool.spec.template?.spec, nodeClassRef } };
      Object.assign(pool.spec.disruption, disruption);
      lists[PATHS.deployments] = [];
    });
  const BUILT_IN = HEALTHY_CONFIG.replace('  default:', '  general-purpose:');

  test.each([
    [
      'no controller in the cluster is no problem, and it says who runs Karpenter',
      autoMode('general-purpose'),
      BUILT_IN,
    ],
    [
      'a built-in NodePool that consolidates at once cannot be changed, so the fix is another one',
      autoMode('general-purpose', { consolidateAfter: '30s' }),
      BUILT_IN,
    ],
    ['a built-in NodePool that is off can be turned on, not created', autoMode('system'), BUILT_IN],
    [
      'prerequisites that nobody needs are pointed out',
      autoMode('default'),
      `${HEALTHY_CONFIG}karpenter: {manage: true}\n`,
    ],
  ])('%s', async (_name, cluster, config) => {
    said(await doctor(cluster, config));
  });
});
