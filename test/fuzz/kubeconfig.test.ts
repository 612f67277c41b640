import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { openConnection } from '../../cli/kube/open-cluster';
import { InputError } from '../../cli/terminal/exit';
import type { Connection } from '../../shared/adapters/kube/connection';
import { tempFolder } from '../fakes/temp-folder';
import { damaged, fuzzAsync, RUNS, textOf } from './fuzz';
import { spoiled, textOfHostile } from './hostile';

const folder = tempFolder();
const path = join(folder, 'config');
/** Loaded on first use, which is not what is measured. */
beforeAll(() => import('@kubernetes/client-node'));

const KUBECONFIG = {
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'prod',
  contexts: [
    { name: 'prod', context: { cluster: 'prod', user: 'ana', namespace: 'headroom' } },
    { name: 'sandbox', context: { cluster: 'sandbox', user: 'nobody' } },
  ],
  clusters: [
    { name: 'prod', cluster: { server: 'https://prod.example:6443/', 'certificate-authority-data': 'Y2E=' } },
    { name: 'sandbox', cluster: { server: 'http://127.0.0.1:8001', 'insecure-skip-tls-verify': false } },
  ],
  users: [
    { name: 'ana', user: { token: 'secret', 'client-certificate-data': 'Y2VydA==', 'client-key-data': 'a2V5' } },
    { name: 'nobody' },
  ],
};
const YAML = `apiVersion: v1
kind: Config
current-context: sandbox
clusters:
- name: sandbox
  cluster: &cluster {server: "http://127.0.0.1:8001"}
- {name: spare, cluster: *cluster}
contexts:
- name: sandbox
  context: {cluster: sandbox, user: ana}
users:
- name: ana
  user: {token: secret}
`;
const PIECES = ['- ', ': ', '&a ', '!!binary ', '<<: ', '---\n', '\n  ', ...'*a { } [ ] | ~ " https://'.split(' ')];
/** Every level names the one below nine times: a few lines that would fill the memory. */
const BOMB = ['a: &l0 [x,x,x,x,x,x,x,x,x]']
  .concat(Array.from({ length: 12 }, (_, i) => `b${i}: &l${i + 1} [${Array(9).fill(`*l${i}`).join(',')}]`))
  .join('\n');
const bombs = fc
  .constantFrom(
    ...['current-context', 'name'].map((key) => `${key}: sandbox`),
    'name: ana',
    'user: ana',
    'token: secret',
    'server: "http://127.0.0.1:8001"',
  )
  .map((field) => `${BOMB}\n${YAML.replaceAll(field, `${field.split(':')[0]}: *l12`)}`);

const anyKubeconfig = fc.oneof(
  { weight: 6, arbitrary: spoiled(KUBECONFIG).map(textOfHostile) },
  { weight: 4, arbitrary: damaged(YAML, PIECES) },
  textOf(PIECES),
  bombs,
);

test('any kubeconfig leads to a server with its credentials, or is refused in one short sentence', async () => {
  let opened = 0;
  await fuzzAsync(anyKubeconfig, async (text) => {
    writeFileSync(path, text);
    const connection = await openConnection(path).catch((error: unknown) => error);
    if (connection instanceof Error) return checkRefusal(connection);
    const { server, tls, authorize } = connection as Connection;
    const { authorization = '' } = await authorize(false);
    expect(URL.parse(server())?.protocol).toMatch(/^https?:$/);
    expect(authorization.length + server().length).toBeLessThan(300_000);
    expect(Object.values(tls()).every((part) => Buffer.isBuffer(part))).toBe(true);
    opened += 1;
  });
  expect(opened).toBeGreaterThan(RUNS / 20);
});

function checkRefusal(error: Error): void {
  expect(error).toBeInstanceOf(InputError);
  expect(error.message.startsWith(`--kubeconfig ${path}: `)).toBe(true);
  expect(error.message.length).toBeLessThan(800);
  // A sentence for the person who wrote the file, and not what went wrong inside.
  expect(error.message).not.toMatch(/is not a function|Cannot read|undefined|\[object|The "\w+" argument|ENOENT|\n/);
}
