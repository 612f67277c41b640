import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Cluster } from '../harness/cluster';

/** The API of a cluster whose nodes look as if they were EC2 instances. */
export interface Ec2Lens {
  readonly url: string;
  /** What was asked so far, such as `GET /version`. */
  readonly calls: readonly string[];
  close(): Promise<void>;
}

/** The instance id under which a node of the kwok provider appears. */
export function instanceIdOf(nodeName: string): string {
  return `i-${createHash('sha256').update(nodeName).digest('hex').slice(0, 17)}`;
}

/** Passes everything on, and shows each provider id of KWOK as one of EC2; events name instances by the latter. */
export async function startEc2Lens({ server, ca }: Cluster): Promise<Ec2Lens> {
  const calls: string[] = [];
  const lens = createServer((question, answer) => {
    const { method, headers } = question;
    calls.push(`${method} ${question.url}`);
    const passedOn = httpsRequest(`${server}${question.url}`, { method, headers, ca }, (upstream) => {
      const parts: string[] = [];
      upstream.setEncoding('utf8').on('data', (part: string) => parts.push(part));
      upstream.on('end', () => {
        const seen = parts
          .join('')
          .replace(/kwok:\/\/([^"]+)/g, (_, name) => `aws:///test-zone-a/${instanceIdOf(name)}`);
        answer.writeHead(upstream.statusCode ?? 500, { 'content-type': 'application/json' }).end(seen);
      });
    });
    passedOn.on('error', () => answer.destroy());
    question.pipe(passedOn);
  });
  await new Promise<void>((resolve) => lens.listen(0, '127.0.0.1', resolve));
  return {
    calls,
    url: `http://127.0.0.1:${(lens.address() as AddressInfo).port}`,
    close: async () => {
      lens.closeAllConnections();
      await new Promise((resolve) => lens.close(resolve));
    },
  };
}
