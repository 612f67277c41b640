import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../test/cluster/harness/api-client';
import { locateTools } from '../../test/cluster/harness/build/tools';
import type { Cluster } from '../../test/cluster/harness/cluster';
import { applyCrds } from '../../test/cluster/harness/crds';
import { startOnFreePorts } from '../../test/cluster/harness/part';
import { pkiPath } from '../../test/cluster/harness/pki';
import { eventually } from '../../test/cluster/harness/process/eventually';
import { runCommand } from '../../test/cluster/harness/process/run-command';
import { openRun, type Run } from '../../test/cluster/harness/run';
import type { Keda } from './build-keda';
import { externalMetrics, externalMetricsAccess, NAMESPACE, SERVICE } from './manifests';

const LOOPBACK = '127.0.0.1';
const EXTERNAL_METRICS = '/apis/external.metrics.k8s.io/v1beta1';

/** Starts KEDA's operator and metrics adapter beside the control plane; they end with the cluster. */
export async function startKeda(cluster: Cluster, keda: Keda): Promise<void> {
  const run = openRun(cluster.folder);
  await applyCrds(cluster.admin, readCrds(keda));
  await cluster.admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  for (const manifest of externalMetricsAccess()) await cluster.admin.apply(manifest);

  const certificates = await issueCertificates(run);
  const { kubeconfigPath } = await cluster.issueClient('keda', ['system:masters']);
  const env = {
    KUBECONFIG: kubeconfigPath,
    POD_NAMESPACE: NAMESPACE,
    WATCH_NAMESPACE: '',
    KEDA_CLUSTER_OBJECT_NAMESPACE: NAMESPACE,
  };
  const grpc = await startOperator(run, keda.operator, certificates, env);
  const port = await startAdapter(run, keda.adapter, certificates, env, grpc);
  for (const manifest of externalMetrics(port, cluster.ca)) await cluster.admin.apply(manifest);
  await eventually(() => cluster.admin.find(EXTERNAL_METRICS), { what: 'external metrics', timeoutMs: 120_000 });
}

type Environment = Readonly<Record<string, string>>;

/** Gives the port at which the adapter asks for metrics. */
async function startOperator(run: Run, program: string, certificates: string, env: Environment): Promise<number> {
  let asked = 0;
  await startOnFreePorts(run, 3, ([metrics, health, grpc = 0]) => {
    asked = grpc;
    return {
      name: 'keda-operator',
      program,
      args: [
        `--cert-dir=${certificates}`,
        `--metrics-bind-address=${LOOPBACK}:${metrics}`,
        `--health-probe-bind-address=${LOOPBACK}:${health}`,
        `--metrics-service-bind-address=${LOOPBACK}:${grpc}`,
      ],
      env,
      probe: { url: `http://${LOOPBACK}:${health}/readyz` },
    };
  });
  return asked;
}

/** Gives the port at which the apiserver asks for metrics. */
async function startAdapter(
  run: Run,
  program: string,
  certificates: string,
  env: Environment & { readonly KUBECONFIG: string },
  grpc: number,
): Promise<number> {
  const adapter = await startOnFreePorts(run, 2, ([secure, metrics]) => ({
    name: 'keda-adapter',
    program,
    args: [
      `--bind-address=${LOOPBACK}`,
      `--secure-port=${secure}`,
      `--port=${metrics}`,
      `--metrics-service-address=localhost:${grpc}`,
      `--cert-dir=${certificates}`,
      `--tls-cert-file=${join(certificates, 'tls.crt')}`,
      `--tls-private-key-file=${join(certificates, 'tls.key')}`,
      `--client-ca-file=${pkiPath(run, 'ca.crt')}`,
      `--authentication-kubeconfig=${env.KUBECONFIG}`,
      `--authorization-kubeconfig=${env.KUBECONFIG}`,
      `--lister-kubeconfig=${env.KUBECONFIG}`,
    ],
    env,
    probe: {
      url: `https://${LOOPBACK}:${secure}/healthz`,
      ca: pkiPath(run, 'ca.crt'),
      client: pkiPath(run, 'admin'),
    },
  }));
  return Number(new URL(adapter.probe.url).port);
}

/** One certificate for both programs, in the files that KEDA looks for; gives their folder. */
async function issueCertificates(run: Run): Promise<string> {
  const folder = pkiPath(run, 'keda');
  mkdirSync(folder);
  const request = {
    path: join(folder, 'tls'),
    commonName: 'keda',
    signer: pkiPath(run, 'ca'),
    hosts: ['localhost', LOOPBACK, `${SERVICE}.${NAMESPACE}.svc`],
  };
  await runCommand({ program: locateTools().pki, args: [], input: JSON.stringify([request]) });
  copyFileSync(pkiPath(run, 'ca.crt'), join(folder, 'ca.crt'));
  return folder;
}

function readCrds({ crds }: Keda): readonly KubeObject[] {
  return readdirSync(crds)
    .flatMap((file) => parseAllDocuments(readFileSync(join(crds, file), 'utf8')))
    .map((document) => document.toJS())
    .filter((manifest) => manifest?.kind === 'CustomResourceDefinition');
}
