import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfigConnection } from '../../../../shared/adapters/kube/kubeconfig-connection';
import { KubeconfigError, whyUnusable } from '../../../../shared/adapters/kube/read-kubeconfig';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/kubeconfig-connection.txt`);
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

test('leads there with a client certificate instead of a token', async () => {
  const { tls, authorize } = await open(
    kubeconfig(HTTPS, '{client-certificate-data: Y2VydA==, client-key-data: a2V5}'),
  );
  expect(tls()).toStrictEqual({ ca: Buffer.from('ca'), cert: Buffer.from('cert'), key: Buffer.from('key') });
  expect(await authorize(false)).toStrictEqual({});
  const bare = await open(kubeconfig('{server: "https://prod.example"}', '{}'));
  expect(bare.tls()).toStrictEqual({});
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
test.each([
  { name: 'an empty file', text: '' },
  { name: 'a list', text: '[1]' },
  { name: 'a cluster of another shape', text: kubeconfig('{server: {host: prod}}') },
  { name: 'a cluster without a server', text: kubeconfig('{}') },
  {
    name: 'a server that is no address',
    text: kubeconfig('{server: prod}'),
  },
  {
    name: 'TLS without verification',
    text: kubeconfig('{server: "https://prod.example", insecure-skip-tls-verify: true}'),
  },
  {
    name: 'a CA that is not there, by its own name',
    text: kubeconfig('{server: "https://prod.example", certificate-authority: ca.crt}'),
  },
  {
    name: 'a number as the token',
    text: kubeconfig(HTTPS, '{token: 12}'),
  },
  {
    name: 'a token that would fill the memory',
    text: `a0: &a0 [x,x,x]\n${bomb.join('\n')}${kubeconfig(HTTPS, '{token: *a12}')}`,
  },
  {
    name: 'a server of another protocol',
    text: kubeconfig('{server: "ftp+https://prod.example"}'),
  },
  {
    name: 'a long server, in part',
    text: kubeconfig(`{server: ${'x'.repeat(201)}}`),
  },
  {
    name: 'a server of 200 characters, in full',
    text: kubeconfig(`{server: ${'x'.repeat(200)}}`),
  },
  ...['client-certificate-data', 'client-certificate', 'client-key-data', 'client-key', 'username', 'password'].map(
    (key) => ({
      name: `a number as ${key}`,
      text: kubeconfig(HTTPS, `{${key}: 0}`),
    }),
  ),
  ...['certificate-authority-data', 'certificate-authority'].map((key) => ({
    name: `a number as ${key}`,
    text: kubeconfig(`{server: "https://prod.example", ${key}: 0}`),
  })),
  { name: 'more than 1 MB', text: `#${'x'.repeat(1_048_576)}` },
])('refuses $name', async ({ name, text }) => {
  const error = await open(text).catch((refused: Error) => refused);
  expect(error).toBeInstanceOf(KubeconfigError);
  said(name, (error as Error).message.replaceAll(folder, 'FOLDER'));
});

test('refuses what is not YAML in one line, without the lines around it, which may hold a secret', async () => {
  const refused = await open(`${kubeconfig(HTTPS)}]`).catch((error: Error) => error.message);
  expect(refused).toMatch(/^is not valid YAML in line 6: .+$/);
  expect(refused).not.toContain('secret');
});

test('a file of 1 MB is read', async () => {
  const text = kubeconfig(HTTPS);
  const { server } = await open(`${text}#${'x'.repeat(1_048_576 - text.length - 1)}`);
  expect(server()).toBe('https://prod.example:6443');
});

test('refuses a folder', async () => {
  await expect(kubeconfigConnection(folder)).rejects.toThrow(
    new KubeconfigError('is a folder; pass the kubeconfig file of the cluster'),
  );
});

test.each([
  { error: new KubeconfigError('says why'), says: 'says why' },
  { error: Object.assign(new Error('x'), { code: 'ENOENT', path: '/ca' }), says: 'names "/ca", which does not exist' },
  { error: Object.assign(new Error('gone'), { code: 'ENOENT' }), says: 'gone' },
  { error: Object.assign(new Error('denied'), { code: 'EACCES', path: '/ca' }), says: 'denied' },
  {
    error: Object.assign(new Error('lines'), { name: 'YAMLException', mark: { line: 4 }, reason: 'bad' }),
    says: 'is not valid YAML in line 5: bad',
  },
  { error: Object.assign(new Error('lines'), { name: 'YAMLException' }), says: 'is not valid YAML in line 1: ' },
  {
    error: new TypeError('undefined'),
    says: 'is not a kubeconfig file; write clusters, contexts and users as kubectl does',
  },
  { error: new Error('x'.repeat(201)), says: `${'x'.repeat(200)}...` },
])('$error.name: $says', ({ error, says }) => {
  expect(whyUnusable(error)).toBe(says);
  expect(new KubeconfigError().name).toBe('KubeconfigError');
});

test('refuses a file that is not there', async () => {
  await expect(kubeconfigConnection(join(folder, 'none'))).rejects.toThrow(
    'does not exist; pass the kubeconfig file of the cluster',
  );
});
