import { setTimeout as sleep } from 'node:timers/promises';
import { loopbackConnection } from '../../shared/adapters/kube/connection';
import { kubeTransport } from '../../shared/adapters/kube/kube-transport';
import { type KubeServer, type KubeServerOptions, serveKube } from '../kube/rest/http-server';
import type { Simulation } from './simulation';

/** A retry must not hold the simulated clock for long. */
const RETRY_MS = 5;

/** Serves a simulation's API on loopback, for kubectl too, and lets the handlers reach it there, faults included. */
export async function serveSimulation(
  simulation: Simulation,
  options: Pick<KubeServerOptions, 'basePath' | 'port'>,
): Promise<KubeServer> {
  const server = await serveKube(simulation.cluster.engine.api, {
    ...options,
    onRequest: ({ userAgent }) => (userAgent === 'headstart' ? simulation.lane.drawFault() : undefined),
  });
  simulation.lane.transport = kubeTransport(loopbackConnection(server.url), { sleep: () => sleep(RETRY_MS) });
  return server;
}
