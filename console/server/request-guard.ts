import type { IncomingMessage } from 'node:http';

export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/**
 * Who may call a server that can change things: only pages of its own. A foreign name in Host is a page that
 * points its own name at this machine; a foreign or missing Origin on a POST is another site's form or script.
 */
export function refusalOf({ method, headers, socket }: IncomingMessage): Refusal | undefined {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${socket.localPort}`);
  const { host = '', origin } = headers;
  if (!own.includes(host.toLowerCase()))
    return forbidden(`host ${JSON.stringify(host)} is not served here: use ${own[0]}`);
  if (method !== 'GET' && method !== 'POST')
    return { status: 405, message: `method ${method} is not allowed: use GET or POST` };
  const foreign = origin !== undefined && !own.some((one) => origin.toLowerCase() === `http://${one}`);
  if (foreign) return forbidden(`origin ${JSON.stringify(origin)} is not allowed to call the console`);
  if (method === 'POST' && origin === undefined)
    return forbidden('a command needs the Origin header of the console itself');
  return undefined;
}

function forbidden(message: string): Refusal {
  return { status: 403, message };
}
