import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { KeyPair } from './pki';

/** How to reach the apiserver. */
export interface Server {
  readonly url: string;
  readonly ca: string;
}

/** Writes a kubeconfig that needs no other file, and gives its path. */
export function writeKubeconfig(runFolder: string, name: string, server: Server, { cert, key }: KeyPair): string {
  const path = join(runFolder, 'kubeconfigs', `${name}.yaml`);
  const cluster = { server: server.url, 'certificate-authority-data': base64(server.ca) };
  const user = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'headstart', cluster }],
    users: [{ name, user }],
    contexts: [{ name: 'headstart', context: { cluster: 'headstart', user: name } }],
    'current-context': 'headstart',
  };
  writeFileSync(path, stringify(config), { mode: 0o600 });
  return path;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
