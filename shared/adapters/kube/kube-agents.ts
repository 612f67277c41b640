import { Agent } from 'node:https';
import { createSecureContext } from 'node:tls';
import { type FreshAfterIdle, freshAfterIdle } from '../http/fresh-after-idle';
import type { Connection } from './connection';

/** Beside the connection and not in the transport: a transport lives for one invocation, its connections for many. */
const agents = new WeakMap<Connection, { readonly key: string; readonly pool: FreshAfterIdle<Agent> }>();

/** The agent whose connections lead to the cluster as it is known now. */
export function agentsOf(connection: Connection): FreshAfterIdle<Agent> {
  const tls = connection.tls();
  // A cluster that moved, or got another CA, needs another agent.
  const key = `${connection.server()} ${tls.ca?.toString() ?? ''}`;
  const known = agents.get(connection);
  if (known?.key === key) return known.pool;
  const make = () =>
    new Agent({
      keepAlive: true,
      maxSockets: 16,
      rejectUnauthorized: true,
      // Once for all connections: otherwise each reads the CA again.
      secureContext: createSecureContext(tls),
    });
  const pool = freshAfterIdle(make, retire);
  agents.set(connection, { key, pool });
  return pool;
}

/** Closes what is idle now, and what other calls still use as soon as they are done. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}
