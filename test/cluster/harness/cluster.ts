import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiClient, connect } from './api-client';
import { type AccessEntry, addAccessEntry } from './authenticator';
import { startApi, startController } from './control-plane';
import { type KarpenterOptions, startKarpenter } from './karpenter';
import { type Server, writeKubeconfig } from './kubeconfig';
import { startKwok } from './kwok';
import { awaitReady, livingPart, pausePart, readLog, restartPart, resumePart } from './part';
import { createPki, issueClientCertificate, type KeyPair, readAuthority, readKeyPair } from './pki';
import { eventually } from './process/eventually';
import type { ProcessIdentity } from './process/process-identity';
import { createRun, openRun, type Run } from './run';
import { endRun } from './sweep';

/** What kind of cluster to start. */
export interface ClusterOptions extends KarpenterOptions {
  /** Also KWOK, the system node and Karpenter, and not only the control plane. */
  readonly karpenter: boolean;
  /** Outlives the process that started it, until `down`. @default false */
  readonly detached?: boolean;
}

/** A user of the cluster, with a certificate. */
export interface ClusterClient extends KeyPair {
  readonly kubeconfigPath: string;
  readonly api: ApiClient;
}

/** A running cluster. */
export interface Cluster {
  /** Folder of the run; `attachCluster` finds the cluster by it. */
  readonly folder: string;
  /** URL of the apiserver. */
  readonly server: string;
  /** PEM of the authority that its certificate comes from. */
  readonly ca: string;
  /** Kubeconfig of the administrator. */
  readonly kubeconfigPath: string;
  readonly admin: ApiClient;
  readonly adminRequest: ApiClient['request'];
  /** Names of the parts: etcd, kube-apiserver, ... */
  readonly parts: readonly string[];
  /** The process of a part, if it runs. */
  processOf(part: string): ProcessIdentity | undefined;
  logOf(part: string): string;
  /** Ends a part as a crash would, starts it as it was, and waits until it is ready. */
  restart(part: string): Promise<void>;
  restartApiserver(): Promise<void>;
  /** Freezes the apiserver: connections are accepted, nothing is answered. */
  pauseApiserver(): void;
  resumeApiserver(): void;
  issueClient(user: string, groups?: readonly string[]): Promise<ClusterClient>;
  /** Accepts EKS' tokens that are presigned with this access key. */
  addAccessEntry(accessKeyId: string, entry: AccessEntry): void;
  /** Repairs what a test may have left behind: resumes what is paused and starts what has ended. */
  heal(): Promise<void>;
  stop(): Promise<void>;
}

const APISERVER = 'kube-apiserver';

/** Starts a cluster and waits until all of its parts are ready; what was built must be there. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const run = createRun(options.detached ?? false);
  try {
    await createPki(run);
    const server = await startApi(run);
    writeFileSync(join(run.folder, 'cluster.json'), JSON.stringify({ url: server.url }));
    const admin = connectAs(run, server, 'admin');
    writeKubeconfig(run.folder, 'admin', server, readKeyPair(run, 'admin'));
    await Promise.all([
      startController(run, server, 'kube-controller-manager'),
      startController(run, server, 'kube-scheduler'),
      ...(options.karpenter ? [startKwok(run, server, admin), startKarpenter(run, server, admin, options)] : []),
    ]);
    // Made by the controller-manager; without it no pod is admitted.
    const path = '/api/v1/namespaces/default/serviceaccounts/default';
    await eventually(() => admin.find(path), { what: 'the default service account', timeoutMs: 120_000 });
    return attachCluster(run.folder);
  } catch (error) {
    await endRun(run);
    throw error;
  }
}

/** Finds a cluster that this or another process started. */
export function attachCluster(folder: string): Cluster {
  const run = openRun(folder);
  const server: Server = {
    url: JSON.parse(readFileSync(join(folder, 'cluster.json'), 'utf8')).url,
    ca: readAuthority(run),
  };
  const admin = connectAs(run, server, 'admin');
  return {
    folder,
    server: server.url,
    ca: server.ca,
    kubeconfigPath: join(folder, 'kubeconfigs', 'admin.yaml'),
    admin,
    adminRequest: admin.request,
    parts: partsOf(run),
    processOf: (part) => livingPart(run, part),
    logOf: (part) => readLog(run, part),
    restart: (part) => restartPart(run, part),
    restartApiserver: () => restartPart(run, APISERVER),
    pauseApiserver: () => pausePart(run, APISERVER),
    resumeApiserver: () => resumePart(run, APISERVER),
    issueClient: (user, groups = []) => issueClient(run, server, user, groups),
    addAccessEntry: (accessKeyId, entry) => addAccessEntry(run, accessKeyId, entry),
    heal: () => heal(run),
    stop: async () => {
      if (existsSync(folder)) await endRun(run);
    },
  };
}

async function issueClient(run: Run, server: Server, user: string, groups: readonly string[]): Promise<ClusterClient> {
  const name = `client-${randomUUID()}`;
  await issueClientCertificate(run, name, { commonName: user, groups });
  const pair = readKeyPair(run, name);
  const kubeconfigPath = writeKubeconfig(run.folder, name, server, pair);
  return { ...pair, kubeconfigPath, api: connectAs(run, server, name) };
}

async function heal(run: Run): Promise<void> {
  for (const part of partsOf(run)) {
    resumePart(run, part);
    if (livingPart(run, part) === undefined) await restartPart(run, part);
    await awaitReady(run, part);
  }
}

function connectAs(run: Run, server: Server, name: string): ApiClient {
  return connect(server.url, { ca: server.ca, ...readKeyPair(run, name) });
}

function partsOf({ folder }: Run): readonly string[] {
  return readdirSync(join(folder, 'parts')).map((file) => file.replace(/\.json$/, ''));
}
