import { setTimeout as sleep } from 'node:timers/promises';
import { loopbackConnection } from '../../shared/adapters/kube/connection';
import { kubeTransport } from '../../shared/adapters/kube/kube-transport';
import { type KubeServer, type KubeServerOptions, serveKube } from '../kube/rest/http-server';
import type { Simulation } from './simulation';

/** The simulated clock waits for retries, so they must be short. */
const RETRY_MS = 5;

/** Serves a simulation's API on loopback, for kubectl, and makes the handlers use it too, with injected faults. */
export async function serveSimulation(
  simulation: Simulation,
  options: Pick<KubeServerOptions, 'basePath' | 'port'>,
): Promise<KubeServer> {
  const server = await serveKube(simulation.cluster.engine.api, {
    ...options,
    onRequest: ({ userAgent }) => (userAgent === 'headstart' ? simulation.underTest.drawFault() : undefined),
  });
  simulation.underTest.transport = kubeTransport(loopbackConnection(server.url), { sleep: () => sleep(RETRY_MS) });
  return server;
}
