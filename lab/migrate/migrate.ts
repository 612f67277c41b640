import type { V1Deployment, V1Node, V1Pod } from '@kubernetes/client-node';
import { commandsFor } from '../../cli/input/commands';
import { type ConfigOptions, loadOrFail, poolOrFail } from '../../cli/input/load-or-fail';
import { readWholeNumber } from '../../cli/input/numbers';
import { readDuration } from '../../cli/input/time';
import { CLUSTER_AUTOSCALER } from '../../cli/kube/cluster-autoscaler';
import { clusterFailure } from '../../cli/kube/cluster-failure';
import { openCluster } from '../../cli/kube/open-cluster';
import { EXIT, InputError } from '../../cli/terminal/exit';
import { jsonText, type Terminal } from '../../cli/terminal/terminal';
import type { KubeTransport } from '../../shared/adapters/kube/kube-transport';
import { drawGroups, drawMove } from './draw-migrate';
import { type ClusterSeen, keptWorkload, type NodeGroup, nodeGroups } from './group-facts';
import { holdingFor } from './holding';
import { type Move, moveSteps } from './move-steps';

const DEPLOYMENTS = '/apis/apps/v1/deployments';
const KEPT = [
  'k8s-app=kube-dns',
  'app.kubernetes.io/name=metrics-server',
  'k8s-app=metrics-server',
  'app.kubernetes.io/name=karpenter',
];

export interface MigrateOptions extends ConfigOptions {
  readonly kubeconfig: string;
  readonly nodepool: string;
  readonly keep?: string;
  readonly batch: string;
  readonly for: string;
}

/** A group that stays keeps this many nodes, so that one may fail. */
const MIN_KEPT = 2;

export async function migrate(name: string | undefined, options: MigrateOptions, terminal: Terminal): Promise<number> {
  const config = loadOrFail(options, terminal);
  const pool = poolOrFail(config, options.nodepool, '--nodepool');
  const batchSize = readWholeNumber(options.batch, '--batch', { min: 1 });
  readDuration(options.for, '--for');
  const commands = commandsFor(options, terminal);
  const { transport, server } = await openCluster(options.kubeconfig);
  const seen = await readGroups(transport).catch((error: unknown) => {
    throw clusterFailure(error, server, commands);
  });
  if (seen.groups.length === 0)
    throw new InputError(`${server} has no nodes with the label of a node group; there is nothing to migrate`);
  if (name === undefined) {
    terminal.out(options.json ? jsonText({ groups: seen.groups }) : drawGroups(seen.groups, commands, terminal));
    return EXIT.ok;
  }
  const group = groupOrFail(seen, name, 'the node group');
  const keep = keptGroup(seen, group, options.keep);
  const stay = keep === group.name ? Math.min(MIN_KEPT, group.nodes.length) : 0;
  const holding = holdingFor(group, pool, batchSize, stay);
  if (holding.batches.length === 0)
    throw new InputError(
      `${group.name} must stay for the controllers and has no more than ${MIN_KEPT} nodes; create another node group for them, and pass it with --keep`,
    );
  const { config: configFile, for: duration } = options;
  const move: Move = { config, commands, configFile, pool, group, keep, seen, holding, duration };
  const steps = moveSteps(move);
  terminal.out(options.json ? jsonText({ group, holding, keep, steps }) : drawMove(move, steps, terminal));
  return EXIT.ok;
}

function groupOrFail({ groups }: ClusterSeen, name: string, what: string): NodeGroup {
  const found = groups.find((group) => group.name === name);
  if (found) return found;
  throw new InputError(
    `${what} ${JSON.stringify(name)} has no nodes; write one of ${groups.map((group) => group.name).join(', ')}`,
  );
}

/** The group where the controllers run, otherwise the largest other group, otherwise the same one, which then keeps nodes. */
function keptGroup(seen: ClusterSeen, group: NodeGroup, wish: string | undefined): string {
  if (wish !== undefined) return groupOrFail(seen, wish, '--keep').name;
  const others = seen.groups.filter((other) => other !== group);
  const pinned = others.find((other) => seen.kept.some(({ pinnedTo }) => pinnedTo.includes(other.name)));
  const [largest] = [...others].sort((a, b) => b.nodes.length - a.nodes.length);
  return (pinned ?? largest ?? group).name;
}

async function readGroups(transport: KubeTransport): Promise<ClusterSeen> {
  const deployments = async (selectors: readonly string[]) =>
    unique((await Promise.all(selectors.map((one) => transport.list<V1Deployment>(DEPLOYMENTS, one)))).flat());
  const [nodes, pods, kept, autoscalers] = await Promise.all([
    transport.list<V1Node>('/api/v1/nodes'),
    transport.list<V1Pod>('/api/v1/pods'),
    deployments(KEPT),
    deployments(CLUSTER_AUTOSCALER),
  ]);
  const [autoscaler] = autoscalers;
  return {
    groups: nodeGroups(nodes, pods),
    kept: kept.map(keptWorkload),
    ...(autoscaler && {
      clusterAutoscaler: {
        namespace: autoscaler.metadata?.namespace ?? '',
        name: autoscaler.metadata?.name ?? '',
        replicas: autoscaler.spec?.replicas ?? 1,
      },
    }),
  };
}

function unique(found: readonly V1Deployment[]): readonly V1Deployment[] {
  return [...new Map(found.map((one) => [`${one.metadata?.namespace}/${one.metadata?.name}`, one])).values()];
}
