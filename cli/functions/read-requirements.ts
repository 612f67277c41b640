import type { KubernetesObject } from '@kubernetes/client-node';
import { listInPages } from '../../shared/adapters/kube/list-in-pages';
import type { Config } from '../../shared/core/config/config';
import type { NodePoolFields } from '../../shared/core/karpenter/objects';
import type { NodeRequirements } from '../../shared/pricing/node-price';
import type { AccessOptions } from '../input/access-options';
import { commandsFor } from '../input/commands';
import type { Terminal } from '../terminal/terminal';

/** What the NodePools of the kubeconfig's cluster require of their nodes; nothing without a kubeconfig. */
export async function readRequirements(
  options: AccessOptions,
  config: Config,
  terminal: Terminal,
): Promise<NodeRequirements | undefined> {
  const { kubeconfig } = options;
  if (kubeconfig === undefined) return undefined;
  const { clusterAccess } = await import('./kubeconfig-access');
  const { transport, mismatch, place } = await clusterAccess({ ...options, kubeconfig }, config, terminal);
  try {
    const other = await mismatch?.();
    if (other !== undefined) terminal.err(`ANOTHER CLUSTER: ${other}\n`);
    const facts = ({ metadata, spec }: KubernetesObject & NodePoolFields) =>
      [[metadata?.name ?? '', spec.template.spec.requirements ?? []]] as const;
    return new Map(transport && (await listInPages(transport, '/apis/karpenter.sh/v1/nodepools', { facts })));
  } catch (error) {
    const { clusterFailure } = await import('../kube/cluster-failure');
    throw clusterFailure(error, place, commandsFor(options, terminal));
  }
}
