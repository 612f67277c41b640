import { join } from 'node:path';
import { kubeconfigFor } from '../../../lab/simulator/kube/rest/kubeconfig';
import { fakeTerminal, folderWith, runCli } from '../../cli/run-cli';
import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
import { golden } from '../../golden/golden';

const CONFIG = `
cluster: {name: shop, region: ap-northeast-2}
nodePools:
  default: {max: 1, unit: {slice: {cpu: 1, memory: 1Gi}}}
`;

const node = (name: string, group: string) => ({
  metadata: { name, labels: { 'eks.amazonaws.com/nodegroup': group } },
  spec: { providerID: `aws:///ap-northeast-2a/i-0${name.replace(/\D/g, '')}` },
});
const pod = (name: string, nodeName: string, cpu: string, memory: string, owner = 'ReplicaSet') => ({
  metadata: { name, namespace: 'shop', ownerReferences: [{ kind: owner, name: 'x', apiVersion: 'v1', uid: '1' }] },
  spec: { nodeName, containers: [{ name: 'c', resources: { requests: { cpu, memory } } }] },
  status: { phase: 'Running' },
});
const NODES = [
  node('n1', 'workers'),
  node('n2', 'workers'),
  node('n3', 'workers'),
  node('s1', 'system'),
  node('s2', 'system'),
];
const PODS = [
  pod('a', 'n1', '1', '1Gi'),
  pod('b', 'n1', '1500m', '2Gi'),
  pod('c', 'n2', '500m', '6Gi'),
  pod('d', 'n3', '250m', '1Gi'),
  pod('agent', 'n3', '4', '8Gi', 'DaemonSet'),
  pod('dns', 's1', '100m', '70Mi'),
];
const deployment = (name: string, labels: Record<string, string>, spec: object = {}) => ({
  metadata: { name, namespace: 'kube-system', labels },
  spec: { replicas: 2, template: { spec } },
});
const DEPLOYMENTS = [
  deployment('coredns', { 'k8s-app': 'kube-dns' }),
  deployment(
    'karpenter',
    { 'app.kubernetes.io/name': 'karpenter' },
    { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' } },
  ),
  deployment('cluster-autoscaler', { app: 'cluster-autoscaler' }),
];

let server: LoopbackServer;
beforeAll(async () => {
  server = await loopbackServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const [key = '', value = ''] = (searchParams.get('labelSelector') ?? '').split('=');
    const lists: Record<string, readonly { metadata: { labels?: Record<string, string> } }[]> = {
      '/api/v1/nodes': NODES,
      '/api/v1/pods': PODS as never,
      '/apis/apps/v1/deployments': DEPLOYMENTS.filter(({ metadata }) => metadata.labels[key] === value),
    };
    json(response, lists[pathname] ? 200 : 404, { items: lists[pathname] });
  });
});
afterAll(() => server.close());

const FLOOR = '{floor: {cpu: 2, memory: 4Gi}}';
const SMALL = { 'own.yaml': CONFIG, 'own.prod.yaml': 'nodePools: {default: {max: 2}}\n' };
const said = golden(`${__dirname}/transcript.txt`);

test.each([
  { name: 'the node groups', words: [] },
  { name: 'a group, two nodes at a time', words: ['workers', '--batch', '2'] },
  { name: 'a group to a floor', words: ['workers'], unit: FLOOR },
  { name: 'a group to a floor that is known by its cpu alone', words: ['workers'], unit: '{floor: {cpu: 2}}' },
  {
    name: 'a group to slices, by what is scarcest',
    words: ['workers'],
    unit: '{slice: {cpu: 250m, memory: 1Gi}}',
    max: 50,
  },
  { name: 'a group to a floor that counts again for each batch', words: ['workers'], unit: FLOOR, max: 2 },
  { name: 'a group that stays, which keeps two nodes', words: ['workers', '--keep', 'workers'] },
  { name: 'with a config of its own, and an overlay', words: ['workers', '-e', 'prod'], files: SMALL },
  { name: 'an unknown group', words: ['gone'] },
  { name: 'an unknown group to keep', words: ['workers', '--keep', 'gone'] },
  { name: 'a group that must stay and is small', words: ['system', '--keep', 'system'] },
  { name: 'a batch of nothing', words: ['workers', '--batch', '0'] },
  { name: 'an unknown NodePool', words: ['workers', '--nodepool', 'web'] },
])('migrate prints $name', async ({ name, words, unit = '{node: {cpu: 2, memory: 4Gi}}', max = 10, files }) => {
  const config = `cluster: {name: shop, region: ap-northeast-2}\nnodePools: {default: {max: ${max}, unit: ${unit}}}\n`;
  const folder = folderWith({ ...(files ?? { 'own.yaml': config }), kubeconfig: kubeconfigFor(server.url) });
  const argv = ['migrate', ...words, '-c', join(folder, 'own.yaml'), '--kubeconfig', join(folder, 'kubeconfig')];
  const { code, out, err } = await runCli(argv, fakeTerminal({ width: 120 }));
  said(name, `exit ${code}\n${err}${out}`.replaceAll(`${folder}/`, '').replaceAll(server.url, '<server>'));
});

test('migrate prints groups and steps as JSON', async () => {
  const folder = folderWith({ ...SMALL, kubeconfig: kubeconfigFor(server.url) });
  const argv = ['migrate', 'workers', '-c', join(folder, 'own.yaml'), '--kubeconfig', join(folder, 'kubeconfig')];
  const { keep, holding, steps } = JSON.parse((await runCli([...argv, '--json'])).out);
  expect({ keep, batches: holding.batches.length, titles: typeof steps[0].title }).toEqual({
    keep: 'system',
    batches: 3,
    titles: 'string',
  });
});
