import type { IncomingMessage } from 'node:http';

/** Why a foreign Host (DNS rebinding, by a page whose name resolves to this machine) or Origin (another site) is refused. */
export function foreignCaller({ headers, socket }: IncomingMessage): string | undefined {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${socket.localPort}`);
  const { host = '', origin } = headers;
  if (!own.includes(host.toLowerCase())) return `host ${JSON.stringify(host)} is not served here: use ${own[0]}`;
  const isForeign = origin !== undefined && !own.some((one) => origin.toLowerCase() === `http://${one}`);
  return isForeign ? `origin ${JSON.stringify(origin)} is not allowed to call this server` : undefined;
}
