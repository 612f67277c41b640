import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../shared/core/config/config';
import type { Faults } from '../../simulator/bus/faults';
import { atLeast } from '../../simulator/engine/karpenter/node-delay';
import type { KubeServer } from '../../simulator/kube/rest/http-server';
import { kubeconfigFor } from '../../simulator/kube/rest/kubeconfig';
import { serveSimulation } from '../../simulator/run/serve-simulation';
import type { Simulation } from '../../simulator/run/simulation';
import { scenarioOf } from '../../simulator/scenarios/scenarios';
import type { StartedSource } from './console-source';
import { SimulationSource } from './simulation-source';

/** The simulation to run, and its speed. */
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
  const connect = async (simulation: Simulation) => {
    const port = server?.port;
    await server?.close();
    server = await serveSimulation(simulation, { basePath, ...(port !== undefined && { port }) });
  };
  const source = new SimulationSource({
    config,
    scenario: scenarioOf(options.scenario),
    seed: options.seed,
    faults: options.faults,
    nodeDelay: atLeast(options.nodeDelaySeconds),
    after: options.start ?? Date.now(),
    speed: options.speed,
    connect,
  });
  await source.start();
  const folder = mkdtempSync(join(tmpdir(), 'headstart-sandbox-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigFor(server?.url ?? ''), { mode: 0o600 });
  return {
    source,
    greeting: "Headstart's sandbox: a simulation on this machine, with the real handlers and no cluster behind it.\n",
    lines: [`kubectl    KUBECONFIG=${kubeconfig} kubectl get pods -A`],
    stop: async () => {
      rmSync(folder, { recursive: true, force: true });
      await source.stop();
      await server?.close();
    },
  };
}
