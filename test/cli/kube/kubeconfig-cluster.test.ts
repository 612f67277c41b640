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

test.each([
  {
    name: 'aws eks update-kubeconfig',
    file: written(ENDPOINT, { cluster: ARN, user: ARN }),
    is: { name: 'shop', region: 'ap-northeast-2', account: '123456789012' },
  },
  {
    name: 'the same in China',
    file: written(ENDPOINT, { cluster: CHINA }),
    is: { name: 'shop', region: 'cn-north-1', account: '123456789012' },
  },
  {
    name: 'an alias for the user only',
    file: written(ENDPOINT, { user: ARN }),
    is: { name: 'shop', region: 'ap-northeast-2', account: '123456789012' },
  },
  {
    name: 'eksctl',
    file: written(ENDPOINT, { cluster: 'my.shop.eu-west-1.eksctl.io' }),
    is: { name: 'my.shop', region: 'eu-west-1' },
  },
  {
    name: 'the plugin, which outranks what entries are called',
    file: written(
      ENDPOINT,
      { cluster: ARN },
      { command: 'aws', args: ['--region', 'us-east-1', 'eks', 'get-token', '--cluster-name', 'prod'] },
    ),
    is: { name: 'prod', region: 'us-east-1', account: '123456789012' },
  },
  {
    name: 'the plugin with = and a path',
    file: written(ENDPOINT, {}, { command: '/usr/local/bin/aws', args: ['eks', 'get-token', '--cluster-name=prod'] }),
    is: { name: 'prod', region: 'eu-central-1' },
  },
  {
    name: 'aws-iam-authenticator',
    file: written(ENDPOINT, {}, { command: 'aws-iam-authenticator', args: ['token', '-i', 'prod'] }),
    is: { name: 'prod', region: 'eu-central-1' },
  },
  { name: 'the endpoint alone', file: written(ENDPOINT), is: { region: 'eu-central-1' } },
  {
    name: 'another plugin',
    file: written(ENDPOINT, {}, { command: 'gke', args: ['-i', 'x'] }),
    is: { region: 'eu-central-1' },
  },
  { name: 'a cluster that is not on EKS', file: written('https://127.0.0.1:6443'), is: {} },
])('reads which cluster a kubeconfig is for from $name', async ({ file, is }) => {
  const { server, ...found } = await kubeconfigCluster(file);
  expect(found).toEqual(is);
  expect(server).toMatch(/^https:/);
});
