import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { locateTools } from './build/tools';
import { startOnFreePorts } from './part';
import { pkiPath } from './pki';
import type { Run } from './run';

/** Whom the cluster takes the holder of an access key for, as an access entry of EKS says it for a role. */
export interface AccessEntry {
  readonly username: string;
  readonly groups: readonly string[];
  /** Its processes live by a test's clock, so that nothing follows from when a token was signed. @default false */
  readonly ownTime?: boolean;
}

/** Starts what accepts EKS' tokens, and gives the path of the file by which the apiserver finds it. */
export async function startAuthenticator(run: Run): Promise<string> {
  writeEntries(run, {});
  const part = await startOnFreePorts(run, 1, ([port]) => ({
    name: 'authenticator',
    program: locateTools().authenticator,
    args: [
      ...['-address', `127.0.0.1:${port}`, '-entries', entriesPath(run)],
      ...['-certificate', pkiPath(run, 'serving.crt'), '-key', pkiPath(run, 'serving.key')],
    ],
    probe: { url: `https://127.0.0.1:${port}/healthz`, ca: pkiPath(run, 'ca.crt') },
  }));
  return writeWebhookConfig(run, `${new URL(part.probe.url).origin}/authenticate`);
}

/** Lets the holder of an access key in; the tokens of others are refused. */
export function addAccessEntry(run: Run, accessKeyId: string, entry: AccessEntry): void {
  const entries = existsSync(entriesPath(run)) ? JSON.parse(readFileSync(entriesPath(run), 'utf8')) : {};
  writeEntries(run, { ...entries, [accessKeyId]: entry });
}

function writeEntries(run: Run, entries: Readonly<Record<string, AccessEntry>>): void {
  const unfinished = `${entriesPath(run)}.${randomUUID()}`;
  writeFileSync(unfinished, JSON.stringify(entries));
  renameSync(unfinished, entriesPath(run));
}

function entriesPath({ folder }: Run): string {
  return join(folder, 'access-entries.json');
}

function writeWebhookConfig(run: Run, server: string): string {
  const path = join(run.folder, 'authenticator.yaml');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'authenticator', cluster: { server, 'certificate-authority': pkiPath(run, 'ca.crt') } }],
    users: [{ name: 'kube-apiserver', user: {} }],
    contexts: [{ name: 'authenticator', context: { cluster: 'authenticator', user: 'kube-apiserver' } }],
    'current-context': 'authenticator',
  };
  writeFileSync(path, stringify(config));
  return path;
}
