import type { KubernetesObject } from '@kubernetes/client-node';
import { orMissing } from '../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../shared/adapters/kube/kube-transport';
import { workloadPath } from '../../shared/adapters/kube/like-ports';
import { listInPages } from '../../shared/adapters/kube/list-in-pages';
import type { Config, HeadroomConfig } from '../../shared/core/config/config';
import type { NodePoolFields } from '../../shared/core/karpenter/objects';
import { plannedWith } from '../../shared/core/like/planned';
import type { WorkloadObject } from '../../shared/core/like/workload';
import type { NodeRequirements } from '../../shared/pricing/node-price';
import type { AccessOptions } from '../input/access-options';
import { commandsFor } from '../input/commands';
import type { Terminal } from '../terminal/terminal';

interface ReadForPlan {
  /** What the NodePools of the kubeconfig's cluster require of their nodes; absent without a kubeconfig. */
  readonly requirements?: NodeRequirements;
  /** With workloads as they are on that cluster, in the order of the given ones. */
  readonly configs: readonly Config[];
}

/** What a plan needs of the kubeconfig's cluster; nothing without a kubeconfig. */
export async function readForPlan(
  options: AccessOptions,
  configs: readonly [Config, ...Config[]],
  terminal: Terminal,
): Promise<ReadForPlan> {
  const { kubeconfig } = options;
  if (kubeconfig === undefined) return { configs };
  const { clusterAccess } = await import('./kubeconfig-access');
  const { transport, mismatch, place } = await clusterAccess({ ...options, kubeconfig }, configs[0], terminal);
  try {
    const other = await mismatch?.();
    if (other !== undefined) terminal.err(`ANOTHER CLUSTER: ${other}\n`);
    const facts = ({ metadata, spec }: KubernetesObject & NodePoolFields) =>
      [[metadata?.name ?? '', spec.template.spec.requirements ?? []]] as const;
    if (!transport) return { configs };
    const requirements = new Map(await listInPages(transport, '/apis/karpenter.sh/v1/nodepools', { facts }));
    const said = new Set<string>();
    const warn = (text: string) => {
      if (!said.has(text)) terminal.err(`${text}\n`);
      said.add(text);
    };
    const read = configs.map(async (config) => {
      const headrooms = config.headrooms.map((pool) => planned(pool, config, transport, warn));
      return { ...config, headrooms: await Promise.all(headrooms) };
    });
    return { requirements, configs: await Promise.all(read) };
  } catch (error) {
    const { clusterFailure } = await import('../kube/cluster-failure');
    throw clusterFailure(error, place, commandsFor(options, terminal));
  }
}

/** A headroom that is like a workload, in that workload's shape and of its replicas now. */
async function planned(
  pool: HeadroomConfig,
  { cluster }: Config,
  transport: Pick<KubeTransport, 'get'>,
  warn: (text: string) => void,
): Promise<HeadroomConfig> {
  const { like } = pool;
  if (!like) return pool;
  const object = await orMissing(transport.get<WorkloadObject>(workloadPath(like)));
  const found = object ? plannedWith({ ...pool, like }, object, cluster.namespace) : { problem: 'it does not exist' };
  if ('pool' in found) return found.pool;
  warn(`${pool.name}: ${like.kind} ${like.namespace}/${like.name}: ${found.problem}; its sizes are shown in words`);
  return pool;
}
