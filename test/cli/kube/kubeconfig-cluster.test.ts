import { join } from 'node:path';
import { stringify } from 'yaml';
import { kubeconfigCluster } from '../../../cli/kube/kubeconfig-cluster';
import { folderWith } from '../run-cli';

const ENDPOINT = 'https://0123456789ABCDEF.gr7.eu-central-1.eks.amazonaws.com';
const ARN = 'arn:aws:eks:ap-northeast-2:123456789012:cluster/shop';
const CHINA = 'arn:aws-cn:eks:cn-north-1:123456789012:cluster/shop';

function written(server: string, names: { cluster?: string; user?: string } = {}, exec?: object): string {
  const { cluster = 'c', user = 'u' } = names;
  const text = stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'any',
    clusters: [{ name: cluster, cluster: { server } }],
    users: [{ name: user, user: exec ? { exec: { apiVersion: 'client.authentication.k8s.io/v1', ...exec } } : {} }],
    contexts: [{ name: 'any', context: { cluster, user } }],
  });
  return join(folderWith({ kubeconfig: text }), 'kubeconfig');
}

const SHOP = { name: 'shop', region: 'ap-northeast-2', account: '123456789012' };
const HERE = { region: 'eu-central-1' };
const PROD = { name: 'prod', region: 'us-east-1', account: '123456789012' };
const TOKEN = ['--region', 'us-east-1', 'eks', 'get-token', '--cluster-name', 'prod'];
test.each([
  ['aws eks update-kubeconfig', written(ENDPOINT, { cluster: ARN, user: ARN }), SHOP],
  ['the same in China', written(ENDPOINT, { cluster: CHINA }), { ...SHOP, region: 'cn-north-1' }],
  ['an alias for the user only', written(ENDPOINT, { user: ARN }), SHOP],
  ['eksctl', written(ENDPOINT, { cluster: 'my.shop.eu-west-1.eksctl.io' }), { name: 'my.shop', region: 'eu-west-1' }],
  [
    'the plugin, which outranks what entries are called',
    written(ENDPOINT, { cluster: ARN }, { command: 'aws', args: TOKEN }),
    PROD,
  ],
  [
    'the plugin with = and a path',
    written(ENDPOINT, {}, { command: '/usr/local/bin/aws', args: ['eks', 'get-token', '--cluster-name=prod'] }),
    { ...HERE, name: 'prod' },
  ],
  [
    'aws-iam-authenticator',
    written(ENDPOINT, {}, { command: 'aws-iam-authenticator', args: ['token', '-i', 'prod'] }),
    { ...HERE, name: 'prod' },
  ],
  ['the endpoint alone', written(ENDPOINT), HERE],
  ['another plugin', written(ENDPOINT, {}, { command: 'gke', args: ['-i', 'x'] }), HERE],
  ['a cluster that is not on EKS', written('https://127.0.0.1:6443'), {}],
])('reads which cluster a kubeconfig is for from %s', async (_name, file, expected) => {
  const { server, ...found } = await kubeconfigCluster(file);
  expect(found).toEqual(expected);
  expect(server).toMatch(/^https:/);
});
