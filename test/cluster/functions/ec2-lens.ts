import { createHash } from 'node:crypto';
import type { Cluster } from '../harness/cluster';
import { type Gateway, openGateway } from '../harness/gateway';

/** The instance id under which a node of the kwok provider appears. */
export function instanceIdOf(nodeName: string): string {
  return `i-${createHash('sha256').update(nodeName).digest('hex').slice(0, 17)}`;
}

/** Passes everything on, and shows each provider id of KWOK as one of EC2; events name instances by the latter. */
export function openEc2Lens(cluster: Cluster): Promise<Gateway> {
  return openGateway(cluster, {
    rewrite: (text) => text.replace(/kwok:\/\/([^"]+)/g, (_, name) => `aws:///test-zone-a/${instanceIdOf(name)}`),
  });
}
