import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { kubeconfigFor } from '../../../lab/simulator/kube/rest/kubeconfig';
import { HEADROOM_LABEL } from '../../../shared/core/basics/names';
import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
import { golden } from '../../golden/golden';
import { fakeTerminal, runCli } from '../run-cli';
import { inFolder, session, typed } from '../session';

const ARCH = 'kubernetes.io/arch';
const pool = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { template: { spec } } });
const node = (name: string, nodePool: string, arch: string) => ({
  metadata: { name, labels: { 'karpenter.sh/nodepool': nodePool, [ARCH]: arch } },
});
interface PodChanges {
  readonly owner?: string;
  readonly of?: string;
  readonly phase?: string;
  readonly labels?: Readonly<Record<string, string>>;
}
const pod = (name: string, nodeName: string, cpu: string, memory: string, changes: PodChanges = {}) => ({
  metadata: {
    name,
    namespace: 'shop',
    labels: changes.labels,
    ownerReferences: [{ kind: changes.owner ?? 'ReplicaSet', name: changes.of ?? 'x', controller: true }],
  },
  spec: {
    nodeName,
    containers: [
      { name: 'c', resources: { requests: { cpu, memory } } },
      { name: 'sidecar', resources: {} },
    ],
  },
  status: { phase: changes.phase ?? 'Running' },
});

const LISTS: Readonly<Record<string, readonly object[]>> = {
  '/apis/karpenter.sh/v1/nodepools': [
    pool('service', {
      requirements: [{ key: ARCH, operator: 'In', values: ['amd64', 'arm64'] }],
      taints: [{ key: 'dedicated', value: 'service', effect: 'NoSchedule' }],
    }),
    pool('batch', { requirements: [{ key: ARCH, operator: 'In', values: ['arm64'] }] }),
    pool('a-node-pool-as-platform-teams-like-to-name-it', {
      requirements: [{ key: ARCH, operator: 'In', values: ['amd64'] }],
    }),
    pool('empty', { taints: [{ key: 'gpu', effect: 'NoExecute' }] }),
  ],
  '/api/v1/nodes': [node('s1', 'service', 'amd64'), node('s2', 'service', 'amd64'), node('b1', 'batch', 'arm64')],
  '/api/v1/pods': [
    pod('web', 's1', '1500m', '1Gi'),
    pod('cache', 's2', '250m', '6000000000'),
    pod('agent', 's2', '8', '64Gi', { owner: 'DaemonSet' }),
    pod('done', 's2', '9', '64Gi', { phase: 'Succeeded' }),
    pod('pause', 's2', '10', '64Gi', { labels: { [HEADROOM_LABEL]: 'service' } }),
    pod('elsewhere', 'other', '11', '64Gi'),
    pod('job', 'b1', '4', '8Gi'),
    ...['a', 'b', 'c'].map((end) => pod(`runner-${end}`, 'b1', '6', '8Gi', { of: 'runner-5d4f8c7bfg' })),
  ],
};

inFolder({});
const said = golden(`${__dirname}/init.txt`);

let server: LoopbackServer;
let lists: Readonly<Record<string, readonly object[]>>;
beforeAll(async () => {
  server = await loopbackServer(({ url }, response) => {
    const items = lists[new URL(url, 'http://127.0.0.1').pathname];
    const missing = { kind: 'Status', code: 404, reason: 'NotFound', message: 'not found' };
    json(response, items ? 200 : 404, items ? { items } : missing);
  });
});
afterAll(() => server.close());
beforeEach(() => {
  lists = LISTS;
  for (const file of ['headroom.yaml', 'app.mjs', 'cdk.json']) rmSync(file, { force: true });
  writeFileSync('kubeconfig', kubeconfigFor(server.url));
});

const CLUSTER = '--kubeconfig kubeconfig';
const written = () => readFileSync('headroom.yaml', 'utf8');

test('without a cluster, the config asks for more nodes at lunch as the one of the README', async () => {
  said(await session(['init --cluster my-cluster --region ap-northeast-2', 'validate']));
  expect(parse(written())).toEqual(parse(readFileSync(join(__dirname, '../../../headroom.yaml'), 'utf8')));
});

test.each([
  { machine: 'Europe/Zurich', zone: 'Europe/Zurich' },
  { machine: 'CET', zone: 'UTC' },
])('the window is in the time zone of the machine: $machine', async ({ machine, zone }) => {
  await runCli(['init'], fakeTerminal({ timezone: () => machine }));
  expect(parse(written()).nodePools.default.schedules[0].timezone).toBe(zone);
  expect(await runCli(['validate'])).toMatchObject({ code: 0, err: '' });
});

test('what has to be edited is said in the file', async () => {
  await typed('init');
  expect(written()).toContain('# Edit cluster.name and cluster.region, then run `npx headstart plan`.');
});

test('from a cluster, each NodePool has an entry with a unit as large as its largest running pod, and why', async () => {
  const commands = await session([`init ${CLUSTER} --cluster shop --region eu-central-1`, 'validate']);
  said(`${commands}\n${written()}`);
});

test('from a cluster, the config asks for nothing until somebody decides so', async () => {
  await typed(`init ${CLUSTER}`);
  const { out } = await runCli(['plan', '--json']);
  const pools: Record<string, { steps: { replicas: number }[] }> = JSON.parse(out).nodePools;
  expect(Object.values(pools).flatMap(({ steps }) => steps.map(({ replicas }) => replicas))).toEqual([0, 0, 0, 0]);
});

/** A pod that needs more than cpu and memory, in its containers, before them and beside them. */
const demanding = {
  metadata: { name: 'train', namespace: 'ml', ownerReferences: [{ kind: 'ReplicaSet' }] },
  spec: {
    nodeName: 'b1',
    overhead: { memory: '100Mi' },
    initContainers: [
      { name: 'proxy', restartPolicy: 'Always', resources: { requests: { cpu: '500m' } } },
      { name: 'fetch', resources: { requests: { cpu: 7, 'ephemeral-storage': '20Gi' } } },
    ],
    containers: [
      { name: 'c', resources: { requests: { cpu: 1, memory: '1Gi' }, limits: { 'nvidia.com/gpu': 1 } } },
      {
        name: 'd',
        resources: { requests: { cpu: 2, 'hugepages-2Mi': '64Mi', 'nvidia.com/gpu': 1, 'vpc.amazonaws.com/efa': 0 } },
      },
    ],
  },
  status: { phase: 'Running' },
};

test('from a cluster, the unit has every resource that a pod requests, as the scheduler adds them up', async () => {
  lists = { ...LISTS, '/api/v1/pods': [demanding] };
  await typed(`init ${CLUSTER} --cluster shop --region eu-central-1`);
  expect(parse(written()).nodePools.batch.unit).toEqual({
    node: { cpu: '7500m', memory: '1124Mi', 'ephemeral-storage': '20Gi', 'hugepages-2Mi': '64Mi', 'nvidia.com/gpu': 2 },
  });
  expect(await typed('validate')).toContain('valid, 4 headrooms');
});

test('from a cluster, a pod that requests nothing but a GPU is not forgotten', async () => {
  const containers = [{ name: 'c', resources: { limits: { 'nvidia.com/gpu': 1 } } }];
  lists = { ...LISTS, '/api/v1/pods': [{ ...demanding, spec: { nodeName: 'b1', containers } }] };
  await typed(`init ${CLUSTER}`);
  expect(parse(written()).nodePools.batch.unit).toEqual({ node: { 'nvidia.com/gpu': 1 } });
  expect(written()).toContain('(ml/train)');
});

test.each([
  ['aws eks update-kubeconfig', 'arn:aws-cn:eks:cn-north-1:123456789012:cluster/shop', 'cn-north-1'],
  ['eksctl', 'shop.eu-west-1.eksctl.io', 'eu-west-1'],
])('name and region come from what %s writes', async (_by, name, region) => {
  writeFileSync('kubeconfig', kubeconfigFor(server.url, name));
  await typed(`init ${CLUSTER}`);
  expect(parse(written()).cluster).toEqual({ name: 'shop', region });
});

test.each([
  ['NodePools', { ...LISTS, '/apis/karpenter.sh/v1/nodepools': [] }],
  ['Karpenter', {}],
])('a cluster without %s is an error, and nothing is written', async (_name, found) => {
  lists = found;
  said(await typed(`init ${CLUSTER}`));
  expect(existsSync('headroom.yaml')).toBe(false);
});

test('--app writes an app of a few lines and the cdk.json that runs it', async () => {
  const command = await typed('init --app');
  said(`${command}\n--- app.mjs\n${readFileSync('app.mjs', 'utf8')}`);
  expect(JSON.parse(readFileSync('cdk.json', 'utf8'))).toMatchObject({ app: 'node app.mjs' });
});

test('what exists is not overwritten without --force, and then nothing at all is written', async () => {
  writeFileSync('cdk.json', '{}');
  const refused = await typed('init --app');
  expect(existsSync('headroom.yaml')).toBe(false);
  said(`${refused}\n${await typed('init --app --force')}`);
});
