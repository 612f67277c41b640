import type { ApiClient, KubeObject } from './api-client';
import { locateProgram } from './build/binaries';
import { applyCrds, readManifests } from './crds';
import { type Server, writeKubeconfig } from './kubeconfig';
import { SYSTEM_NODE } from './manifests';
import { startOnFreePorts } from './part';
import { readKeyPair } from './pki';
import { eventually } from './process/eventually';
import type { Run } from './run';

interface NodeObject extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Starts KWOK, which plays the kubelets of all nodes, and the system node. */
export async function startKwok(run: Run, server: Server, admin: ApiClient): Promise<void> {
  const crds = readManifests('kwok', 'CustomResourceDefinition');
  await applyCrds(
    admin,
    crds.filter(({ metadata }) => metadata.name === 'stages.kwok.x-k8s.io'),
  );
  // As objects of the cluster, not as KWOK's own configuration, so that a test can change how pods behave.
  for (const stage of readManifests('kwok', 'Stage')) await admin.apply(stage);
  const kubeconfig = writeKubeconfig(run.folder, 'kwok', server, readKeyPair(run, 'kwok'));
  await startOnFreePorts(run, 1, ([port]) => ({
    name: 'kwok',
    program: locateProgram('kwok'),
    args: [
      `--kubeconfig=${kubeconfig}`,
      '--enable-crds=Stage',
      '--manage-all-nodes=false',
      '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
      '--node-ip=127.0.0.1',
      '--node-lease-duration-seconds=40',
      '--cidr=10.244.0.0/16',
      `--server-address=127.0.0.1:${port}`,
    ],
    probe: { url: `http://127.0.0.1:${port}/healthz` },
  }));
  await admin.send('POST', '/api/v1/nodes', SYSTEM_NODE);
  const ready = async () => {
    const { status } = await admin.send<NodeObject>('GET', `/api/v1/nodes/${SYSTEM_NODE.metadata.name}`);
    return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  };
  await eventually(ready, { what: 'the system node to be ready', timeoutMs: 120_000 });
}
