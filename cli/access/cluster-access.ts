import type { Connection } from '../../shared/adapters/connection';
import { kubeCluster } from '../../shared/adapters/kube-cluster';
import { KubeError } from '../../shared/adapters/kube-error';
import { type KubeTransport, kubeTransport } from '../../shared/adapters/kube-transport';
import { jitteredPause } from '../../shared/adapters/pause';
import { messageOf } from '../../shared/core/basics/errors';
import type { Config } from '../../shared/core/config/config';
import { type HandlerResponse, handle } from '../../shared/core/handle';
import type { Log } from '../../shared/core/ports/ports';
import type { Service } from '../../shared/core/service';
import type { Terminal } from '../terminal/terminal';
import type { Access, AccessResponse } from './access';
import { clockSkew, skewWorthCorrecting } from './clock-skew';
import { openConnection } from './open-connection';
import { rejectedOrder } from './rejected-order';

/** A person waits: rather an error soon than the patience of a function. */
const PATIENCE = { timeoutMs: 8_000, maxTries: 3 };

export interface OpenCluster {
  readonly server: string;
  readonly connection: Connection;
  readonly transport: KubeTransport;
}

/** Opens the cluster of a kubeconfig file. */
export async function openCluster(kubeconfig: string): Promise<OpenCluster> {
  const connection = await openConnection(kubeconfig);
  return { server: connection.server(), connection, transport: kubeTransport(connection, PATIENCE) };
}

/** Straight to the cluster, through the very handler that the function runs. */
export async function clusterAccess(kubeconfig: string, config: Config, terminal: Terminal): Promise<Access> {
  const { server, connection, transport } = await openCluster(kubeconfig);
  let ahead = 0;
  const now = () => terminal.now() + ahead;
  const service: Service = {
    config,
    now,
    ports: {
      cluster: kubeCluster(transport, config.cluster.namespace),
      log: quietLog(terminal),
      metrics: { headroom: () => {}, count: () => {} },
      pause: jitteredPause,
    },
  };
  return {
    place: server,
    transport,
    now,
    order: async (order) => {
      let response: HandlerResponse;
      try {
        ahead = skewWorthCorrecting(await clockSkew(connection, terminal.now));
        response = await handle(order, service);
      } catch (error) {
        throw new Error(explainKube(error, server), { cause: error });
      }
      if ('rejected' in response) throw rejectedOrder(response.rejected);
      return response as AccessResponse;
    },
  };
}

/** The response says these, or its absence does. */
const SAID_BY_THE_RESPONSE = ['event rejected', 'processing failed'];

function quietLog({ err }: Terminal): Log {
  const loud: Log['error'] = (message, fields) => {
    if (!SAID_BY_THE_RESPONSE.includes(message)) err(`${message}: ${Object.values(fields).join(', ')}\n`);
  };
  return { info: () => {}, warn: loud, error: loud };
}

/** What to do about a call that the cluster did not carry out. */
export function explainKube(error: unknown, server: string): string {
  const text = messageOf(error);
  const found = kubeErrorIn(error);
  if (found?.status === 0)
    return `${server} cannot be reached: check the address in the kubeconfig, the network and the VPN (${text})`;
  if (found?.status === 401) return `${server} does not know you: renew the credentials of the kubeconfig (${text})`;
  if (found?.status === 403)
    return `${server} does not allow it: ask for the rights of the group headstart:runtime, or run headstart doctor (${text})`;
  if (found?.status === 404)
    return `${server} has no such thing: is the namespace there, is Karpenter installed? run headstart doctor (${text})`;
  return text;
}

function kubeErrorIn(error: unknown): KubeError | undefined {
  if (error instanceof KubeError) return error;
  if (error instanceof AggregateError) {
    for (const one of error.errors) {
      const found = kubeErrorIn(one);
      if (found) return found;
    }
  }
  return error instanceof Error && error.cause !== undefined ? kubeErrorIn(error.cause) : undefined;
}
