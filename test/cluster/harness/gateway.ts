import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, createServer as createSecureServer, request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Cluster } from './cluster';
import type { KeyPair } from './pki';

/** One question that came through. */
export interface Call {
  readonly method: string;
  readonly url: string;
  /** What the apiserver answered; absent while it has not. */
  status?: number;
  /** The size of the answer on the wire. */
  bytes?: number;
}

/** What becomes of a call: it passes, it never reaches the apiserver, or only its answer is lost. */
export type Fate = 'passes' | 'question lost' | 'answer lost';

export interface GatewayOptions {
  /** Changes what the apiserver answered. */
  readonly rewrite?: (text: string) => string;
  /** Decides on each call, and may do something to the cluster before. @default everything passes */
  readonly fateOf?: (call: Call) => Fate | Promise<Fate>;
  /** @default none: plain HTTP, which the functions take on loopback */
  readonly certificate?: KeyPair;
  /** Runs after the apiserver has answered, before the answer is passed on or lost. */
  readonly answered?: (call: Call) => void | Promise<void>;
}

/** A way to the apiserver on which everything can be seen. */
export interface Gateway {
  readonly url: string;
  readonly calls: readonly Call[];
  /** Takes another certificate, as after a rotation, and closes all connections. */
  present(certificate: KeyPair): void;
  close(): Promise<void>;
}

/** Opens a way to the cluster's apiserver. */
export async function openGateway({ server, ca }: Cluster, options: GatewayOptions = {}): Promise<Gateway> {
  const { rewrite, fateOf = () => 'passes', answered = () => {}, certificate } = options;
  const calls: Call[] = [];
  const agent = new Agent({ keepAlive: true, ca });

  async function pass(question: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = question;
    const call: Call = { method, url };
    calls.push(call);
    const body = await bytesOf(question);
    const fate = await fateOf(call);
    if (fate === 'question lost') return void answer.destroy();
    const upstream = await ask(`${server}${url}`, { method, headers, agent }, body);
    call.status = upstream.statusCode ?? 500;
    const found = await bytesOf(upstream);
    call.bytes = found.length;
    await answered(call);
    if (fate === 'answer lost') return void answer.destroy();
    const { 'content-type': contentType = 'application/json', 'retry-after': retryAfter } = upstream.headers;
    answer.writeHead(call.status, { 'content-type': contentType, ...(retryAfter && { 'retry-after': retryAfter }) });
    answer.end(rewrite ? rewrite(found.toString('utf8')) : found);
  }

  const onQuestion = (question: IncomingMessage, answer: ServerResponse) => {
    // Whatever fails on the way, the client sees a connection that ends.
    pass(question, answer).catch(() => answer.destroy());
  };
  const secure = certificate && createSecureServer(certificate, onQuestion);
  const gateway = secure ?? createServer(onQuestion);
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  return {
    calls,
    url: `${secure ? 'https' : 'http'}://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    present: (next) => {
      secure?.setSecureContext(next);
      gateway.closeAllConnections();
    },
    close: async () => {
      gateway.closeAllConnections();
      agent.destroy();
      await new Promise((resolve) => gateway.close(resolve));
    },
  };
}

function ask(url: string, options: Parameters<typeof httpsRequest>[1], body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(url, options, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
