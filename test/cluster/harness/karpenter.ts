import type { ApiClient } from './api-client';
import { locateProgram } from './build/binaries';
import { applyCrds, readManifests } from './crds';
import { type Server, writeKubeconfig } from './kubeconfig';
import { DEFAULT_NODE_CLASS, kwokNodeClass } from './manifests';
import { startOnFreePorts } from './part';
import { readKeyPair } from './pki';
import type { Run } from './run';

/** How Karpenter behaves where a cluster has it. */
export interface KarpenterOptions {
  /** Time from order to Node, for example "50s". @default none */
  readonly nodeDelay?: string;
  /** @default Karpenter's own */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** A file with the instance types. @default those of the kwok provider */
  readonly instanceTypesFile?: string;
}

/** Starts Karpenter with its kwok provider, and the node class that NodePools refer to. */
export async function startKarpenter(
  run: Run,
  server: Server,
  admin: ApiClient,
  { nodeDelay, featureGates = {}, instanceTypesFile }: KarpenterOptions,
): Promise<void> {
  await applyCrds(admin, readManifests('karpenter', 'CustomResourceDefinition'));
  const kubeconfig = writeKubeconfig(run.folder, 'karpenter', server, readKeyPair(run, 'karpenter'));
  const gates = Object.entries(featureGates).map(([name, on]) => `${name}=${on}`);
  await startOnFreePorts(run, 2, ([metrics, health]) => ({
    name: 'karpenter',
    program: locateProgram('karpenter'),
    args: [],
    env: {
      KUBECONFIG: kubeconfig,
      SYSTEM_NAMESPACE: 'kube-system',
      DISABLE_LEADER_ELECTION: 'true',
      METRICS_PORT: `${metrics}`,
      HEALTH_PROBE_PORT: `${health}`,
      FEATURE_GATES: gates.join(','),
      ...(instanceTypesFile !== undefined && { INSTANCE_TYPES_FILE_PATH: instanceTypesFile }),
    },
    probe: { url: `http://127.0.0.1:${health}/readyz` },
  }));
  await admin.apply(kwokNodeClass(DEFAULT_NODE_CLASS, nodeDelay));
}
