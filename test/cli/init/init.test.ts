import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { kubeconfigFor } from '../../../lab/simulator/kube/rest/kubeconfig';
import { HEADROOM_LABEL } from '../../../shared/core/basics/names';
import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
import { runCli } from '../run-cli';

const ARCH = 'kubernetes.io/arch';
const pool = (name: string, spec: object = {}) => ({ metadata: { name }, spec: { template: { spec } } });
const node = (name: string, nodePool: string, arch: string) => ({
  metadata: { name, labels: { 'karpenter.sh/nodepool': nodePool, [ARCH]: arch } },
});
interface PodChanges {
  readonly owner?: string;
  readonly phase?: string;
  readonly labels?: Readonly<Record<string, string>>;
}
const pod = (name: string, nodeName: string, cpu: string, memory: string, changes: PodChanges = {}) => ({
  metadata: {
    name,
    namespace: 'shop',
    labels: changes.labels,
    ownerReferences: [{ kind: changes.owner ?? 'ReplicaSet' }],
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
  ],
};

let server: LoopbackServer;
let lists: Readonly<Record<string, readonly object[]>>;
let folder: string;
beforeAll(async () => {
  server = await loopbackServer(({ url }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    const items = lists[pathname];
    json(
      response,
      items ? 200 : 404,
      items ? { items } : { kind: 'Status', code: 404, reason: 'NotFound', message: 'not found' },
    );
  });
});
afterAll(() => server.close());
beforeEach(() => {
  lists = LISTS;
  folder = mkdtempSync(join(tmpdir(), 'headstart-init-'));
  writeFileSync(join(folder, 'kubeconfig'), kubeconfigFor(server.url));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const out = () => join(folder, 'headroom.yaml');
const init = (...args: readonly string[]) => runCli(['init', '--out', out(), ...args]);
const fromCluster = (...args: readonly string[]) => init('--kubeconfig', join(folder, 'kubeconfig'), ...args);
const written = () => readFileSync(out(), 'utf8');

describe('without a cluster', () => {
  test('the config is valid, and asks for more nodes at lunch as the one of the README', async () => {
    expect((await init('--cluster', 'my-cluster', '--region', 'ap-northeast-2')).code).toBe(0);
    expect(parse(written())).toEqual(parse(readFileSync('headroom.yaml', 'utf8')));
    expect((await runCli(['validate', '-c', out()])).code).toBe(0);
  });

  test('what has to be edited is said in the file', async () => {
    await init();
    expect(written()).toContain(`# Edit cluster.name and cluster.region, then run \`npx headstart plan -c ${out()}\`.`);
  });
});

describe('from a cluster', () => {
  test('each NodePool has an entry with a unit as large as its largest running pod, and the config is valid', async () => {
    expect(await fromCluster('--cluster', 'shop', '--region', 'eu-central-1')).toMatchObject({ code: 0 });
    expect(parse(written())).toEqual({
      cluster: { name: 'shop', region: 'eu-central-1' },
      nodePools: {
        batch: { max: 4, unit: { node: { cpu: 4, memory: '8Gi' } } },
        empty: { max: 4, unit: { node: { cpu: 1, memory: '2Gi' } } },
        service: { max: 4, unit: { node: { cpu: '1500m', memory: '5723Mi' } }, nodeSelector: { [ARCH]: 'amd64' } },
      },
    });
    expect((await runCli(['validate', '-c', out()])).code).toBe(0);
  });

  test('comments say which pods, taints and architectures that comes from', async () => {
    await fromCluster();
    for (const line of [
      '# The most that a pod there requests (shop/web, shop/cache).',
      '# Taints, which its headroom tolerates: dedicated=service:NoSchedule.',
      '# Taints, which its headroom tolerates: gpu:NoExecute.',
      '# Architecture: amd64, arm64.',
      '# The NodePool allows amd64 and arm64, and all its nodes are amd64.',
      '# No pod with requests runs there: write what your largest one will request.',
    ])
      expect(written()).toContain(line);
    expect(written()).not.toContain('undefined');
  });

  test('the CDK app is deployed by a version of the CLI that reads what it synthesizes', async () => {
    expect((await init('--app')).out).toContain('npm install --save-dev aws-cdk@2');
  });

  test('it asks for nothing until somebody decides so', async () => {
    await fromCluster();
    const { out: text } = await runCli(['plan', '-c', out(), '--json']);
    const pools: Record<string, { steps: { replicas: number }[] }> = JSON.parse(text).nodePools;
    expect(Object.values(pools).flatMap(({ steps }) => steps.map(({ replicas }) => replicas))).toEqual([0, 0, 0]);
  });

  test.each([
    {
      by: 'aws eks update-kubeconfig',
      called: 'arn:aws-cn:eks:cn-north-1:123456789012:cluster/shop',
      cluster: { name: 'shop', region: 'cn-north-1' },
    },
    {
      by: 'eksctl',
      called: 'shop.eu-west-1.eksctl.io',
      cluster: { name: 'shop', region: 'eu-west-1' },
    },
  ])('name and region come from what $by writes', async ({ called, cluster }) => {
    writeFileSync(join(folder, 'kubeconfig'), kubeconfigFor(server.url, called));
    await fromCluster();
    expect(parse(written()).cluster).toEqual(cluster);
  });

  test.each([
    {
      without: 'NodePools',
      found: { ...LISTS, '/apis/karpenter.sh/v1/nodepools': [] },
      code: 1,
      says: 'has no NodePools; create one',
    },
    {
      without: 'Karpenter',
      found: {},
      code: 2,
      says: 'does not serve karpenter.sh/v1: install Karpenter 1.0 or newer',
    },
  ])('a cluster without $without is named, and nothing is written', async ({ found, code, says }) => {
    lists = found;
    expect(await fromCluster()).toMatchObject({ code, err: expect.stringContaining(says) });
    expect(existsSync(out())).toBe(false);
  });
});

describe('files', () => {
  test('--app writes an app of a few lines and the cdk.json that runs it', async () => {
    const { out: said } = await init('--app');
    expect(readFileSync(join(folder, 'app.mjs'), 'utf8').trim().split('\n').length).toBeLessThanOrEqual(10);
    expect(JSON.parse(readFileSync(join(folder, 'cdk.json'), 'utf8'))).toMatchObject({ app: 'node app.mjs' });
    expect(said).toContain('npx cdk deploy --all');
  });

  test('what exists is not overwritten without --force, and then nothing at all is written', async () => {
    writeFileSync(join(folder, 'cdk.json'), '{}');
    expect(await init('--app')).toMatchObject({ code: 1, err: expect.stringContaining('already exists; add --force') });
    expect(existsSync(out())).toBe(false);
    expect((await init('--app', '--force')).code).toBe(0);
  });
});
