import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loopbackConnection } from '../../../shared/adapters/kube/connection';
import { kubeTransport } from '../../../shared/adapters/kube/kube-transport';
import type { Config } from '../../../shared/core/config/config';
import type { Faults } from '../../simulator/bus/faults';
import { atLeast } from '../../simulator/engine/karpenter/node-delay';
import { type KubeServer, serveKube } from '../../simulator/kube/rest/http-server';
import { kubeconfigFor } from '../../simulator/kube/rest/kubeconfig';
import type { ApiRequest } from '../../simulator/kube/rest/rest-response';
import type { Simulation } from '../../simulator/run/simulation';
import { scenarioOf } from '../../simulator/scenarios/scenarios';
import type { StartedSource } from './console-source';
import { SimulationSource } from './simulation-source';

/** The simulated clock waits for retries, so they must be short. */
const RETRY_MS = 5;

export interface SimulationStart {
  readonly scenario: string;
  readonly seed: number;
  readonly faults: Faults;
  readonly nodeDelaySeconds: number;
  /** The scenario starts at its first moment after this. @default now */
  readonly start?: number;
  /** Simulated seconds per real second. */
  readonly speed: number;
}

/** Starts the simulated cluster with its API on loopback and a kubeconfig file for kubectl. */
export async function startSimulation(config: Config, options: SimulationStart): Promise<StartedSource> {
  // kubectl sends no token over plain HTTP, so the secret is in the path.
  const basePath = `/${randomBytes(12).toString('hex')}`;
  let server: KubeServer | undefined;
  // For kubectl; the handlers use it too, with injected faults.
  const connect = async ({ cluster, underTest }: Simulation) => {
    const port = server?.port;
    await server?.close();
    const isFaulty = ({ userAgent }: ApiRequest) => userAgent === 'headstart' && underTest.drawFault() !== undefined;
    server = await serveKube(cluster.engine.api, { basePath, isFaulty, ...(port !== undefined && { port }) });
    underTest.transport = kubeTransport(loopbackConnection(server.url), { sleep: () => sleep(RETRY_MS) });
  };
  const source = new SimulationSource({
    ...options,
    config,
    scenario: scenarioOf(options.scenario),
    nodeDelay: atLeast(options.nodeDelaySeconds),
    after: options.start ?? Date.now(),
    connect,
  });
  await source.start();
  const folder = mkdtempSync(join(tmpdir(), 'headstart-sandbox-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigFor(server?.url ?? ''), { mode: 0o600 });
  return {
    source,
    greeting: "Headstart's sandbox: a simulation on this machine, with the real handlers and no cluster behind it.\n",
    lines: ['clock      starts when the console is opened', `kubectl    KUBECONFIG=${kubeconfig} kubectl get pods -A`],
    stop: async () => {
      rmSync(folder, { recursive: true, force: true });
      await source.stop();
      await server?.close();
    },
  };
}
