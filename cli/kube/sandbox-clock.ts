import type { Connection } from '../../shared/adapters/kube/connection';
import { type KubeRequest, send } from '../../shared/adapters/kube/send';
import { SANDBOX_TIME_HEADER } from '../../shared/core/basics/names';
import type { Terminal } from '../terminal/terminal';
import { openConnection } from './open-cluster';

const VERSION: KubeRequest = { method: 'GET', path: '/version' };
const TIMEOUT_MS = 2_000;

/**
 * A terminal with the clock of the sandbox behind a kubeconfig, whose scenario may be on another day; any other cluster
 * leaves it as it is. Only loopback is asked, where sandboxes are.
 */
export async function onSandboxTime(terminal: Terminal, kubeconfig: string): Promise<Terminal> {
  const connection = await openConnection(kubeconfig).catch(() => undefined);
  if (!connection?.server().startsWith('http://127.0.0.1:')) return terminal;
  const time = await sandboxTime(connection, terminal.now());
  if (time === undefined) return terminal;
  const ahead = time - terminal.now();
  return { ...terminal, now: () => terminal.now() + ahead };
}

/** What cannot be reached is reported by whoever needs it. */
async function sandboxTime(connection: Connection, now: number): Promise<number | undefined> {
  const options = { timeoutMs: TIMEOUT_MS, freshToken: false, now };
  const headers = await send(connection, VERSION, options).then(
    (response) => response.headers,
    () => undefined,
  );
  const time = Date.parse(String(headers?.[SANDBOX_TIME_HEADER]));
  return Number.isNaN(time) ? undefined : time;
}
