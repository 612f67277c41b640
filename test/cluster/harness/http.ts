import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';

/** Who asks, and whom the asker trusts. */
export interface Credentials {
  /** PEM of the authority that the server's certificate must come from. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

/** One question over HTTP. */
export interface HttpQuestion {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
  readonly contentType?: string;
  /** @default 60 000 */
  readonly timeoutMs?: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Asks once, on a connection of its own, and gives whatever the server answers. */
export function ask(question: HttpQuestion, { token, ca, cert, key }: Credentials = {}): Promise<HttpAnswer> {
  const { method, url, body, contentType, timeoutMs = 60_000 } = question;
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  const options: RequestOptions = {
    method,
    agent: false,
    headers: {
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ca,
    cert,
    key,
    signal: AbortSignal.timeout(timeoutMs),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      const parts: string[] = [];
      response.setEncoding('utf8').on('data', (part: string) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: parts.join('') }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Where a part says that it is ready; certificates are paths, so that a probe can be kept in a file. */
export interface Probe {
  readonly url: string;
  readonly ca?: string;
  /** Path of the client's certificate and key, without extension. */
  readonly client?: string;
}

/** Whether the part behind the probe says that it is ready. */
export async function isReady({ url, ca, client }: Probe): Promise<boolean> {
  const credentials = {
    ...(ca !== undefined && { ca: readFileSync(ca, 'utf8') }),
    ...(client !== undefined && {
      cert: readFileSync(`${client}.crt`, 'utf8'),
      key: readFileSync(`${client}.key`, 'utf8'),
    }),
  };
  const { status } = await ask({ method: 'GET', url, timeoutMs: 5000 }, credentials);
  return status === 200;
}
