import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfigConnection } from '../../../../shared/adapters/kube/kubeconfig-connection';
import { KubeconfigError } from '../../../../shared/adapters/kube/read-kubeconfig';

const folder = mkdtempSync(join(tmpdir(), 'headstart-kubeconfig-'));
const path = join(folder, 'config');
afterAll(() => rmSync(folder, { recursive: true }));

const kubeconfig = (cluster: string, user = '{token: secret}') => `
current-context: prod
contexts: [{name: prod, context: {cluster: prod, user: ana}}]
clusters: [{name: prod, cluster: ${cluster}}]
users: [{name: ana, user: ${user}}]
`;
const HTTPS = '{server: "https://prod.example:6443/", certificate-authority-data: Y2E=}';

async function open(text: string) {
  writeFileSync(path, text);
  return kubeconfigConnection(path);
}

test('leads to the server of the current context, with its CA and the credentials of its user', async () => {
  const connection = await open(kubeconfig(HTTPS, '{token: secret, client-certificate-data: Y2VydA==}'));
  expect(connection.server()).toBe('https://prod.example:6443');
  expect(connection.tls()).toEqual({ ca: Buffer.from('ca'), cert: Buffer.from('cert') });
  await expect(connection.authorize(false)).resolves.toEqual({ authorization: 'Bearer secret' });
});

test.each([
  { name: 'with a token', user: '{token: secret}', headers: { authorization: 'Bearer secret' } },
  { name: 'without one', user: '{}', headers: {} },
])('leads to plain HTTP $name', async ({ user, headers }) => {
  const connection = await open(kubeconfig('{server: "http://127.0.0.1:8001"}', user));
  expect([connection.server(), connection.tls()]).toEqual(['http://127.0.0.1:8001', {}]);
  await expect(connection.authorize(false)).resolves.toEqual(headers);
});

const bomb = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(',')}]`);
const notKubeconfig = 'is not a kubeconfig file; write clusters, contexts and users as kubectl does';
test.each([
  { name: 'an empty file', text: '', says: notKubeconfig },
  { name: 'a list', text: '[1]', says: 'has no current context' },
  { name: 'a cluster of another shape', text: kubeconfig('{server: {host: prod}}'), says: notKubeconfig },
  { name: 'a cluster without a server', text: kubeconfig('{}'), says: 'clusters[0].cluster.server is missing' },
  {
    name: 'a server that is no address',
    text: kubeconfig('{server: prod}'),
    says: 'has the server "prod"; write its address, such as https://HOST:PORT',
  },
  {
    name: 'TLS without verification',
    text: kubeconfig('{server: "https://prod.example", insecure-skip-tls-verify: true}'),
    says: 'turns TLS verification off (insecure-skip-tls-verify); write certificate-authority-data instead',
  },
  {
    name: 'a CA that is not there, by its own name',
    text: kubeconfig('{server: "https://prod.example", certificate-authority: ca.crt}'),
    says: `names ${JSON.stringify(join(folder, 'ca.crt'))}, which does not exist`,
  },
  {
    name: 'a number as the token',
    text: kubeconfig(HTTPS, '{token: 12}'),
    says: 'has a token that is not text; write it in quotes',
  },
  {
    name: 'a token that would fill the memory',
    text: `a0: &a0 [x,x,x]\n${bomb.join('\n')}${kubeconfig(HTTPS, '{token: *a12}')}`,
    says: 'has a token that is not text; write it in quotes',
  },
  { name: 'more than 1 MB', text: `#${'x'.repeat(1_048_576)}`, says: 'is larger than 1 MB; pass a kubeconfig file' },
])('refuses $name', async ({ text, says }) => {
  const opened = open(text);
  await expect(opened).rejects.toThrow(KubeconfigError);
  await expect(opened).rejects.toThrow(says);
});

test('refuses what is not YAML in one line, without the lines around it, which may hold a secret', async () => {
  const refused = await open(`${kubeconfig(HTTPS)}]`).catch((error: Error) => error.message);
  expect(refused).toMatch(/^is not valid YAML in line 6: .+$/);
  expect(refused).not.toContain('secret');
});

test('refuses a file that is not there', async () => {
  await expect(kubeconfigConnection(join(folder, 'none'))).rejects.toThrow(
    'does not exist; pass the kubeconfig file of the cluster',
  );
});
