import type { Config, NodePoolConfig } from '../../../shared/core/config/config';
import { matchesExpression } from '../../../shared/core/karpenter/matches-expression';
import { count } from '../../../shared/drawing/amounts';
import type { Commands } from '../../input/commands';
import type { FloorFacts, FloorNode } from '../facts/kube-facts';
import type { Finding } from './finding';

const MANY_NODES = 100;
const MAX_NAMED = 3;

/** Floor pods must request nothing and fit on every node of their size, or the floor is wrong. */
export function checkFloors(
  { limitRanges, nodes }: FloorFacts,
  { nodePools, cluster }: Config,
  { kubectl }: Commands,
): Finding[] {
  const injected = (limitRanges.ok ? limitRanges.value : [])
    .filter(({ requests }) => Object.keys(requests).length > 0)
    .map(({ name, requests }): Finding => {
      const given = Object.entries(requests).map(([resource, amount]) => `${resource} ${amount}`);
      return {
        severity: 'error',
        about: `namespace ${cluster.namespace}`,
        problem:
          'has a LimitRange that gives floor pods a request, so work on a full node preempts them and Karpenter provisions a node for each',
        evidence: `LimitRange ${name}: defaultRequest ${given.join(', ')}`,
        fix: `run ${kubectl('-n', cluster.namespace, 'delete', 'limitrange', name)}`,
      };
    });
  const floors = nodePools.filter(({ unit }) => unit.kind === 'floor');
  return [...injected, ...(nodes.ok ? floors.flatMap((pool) => checkFloor(pool, nodes.value)) : [])];
}

function checkFloor(pool: NodePoolConfig, all: readonly FloorNode[]): Finding[] {
  const expressions = [
    ...Object.entries(pool.nodeSelector).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...pool.nodeAffinity,
  ];
  const nodes = all.filter(({ labels }) => expressions.every((expression) => matchesExpression(expression, labels)));
  const about = `floor of ${pool.name}`;
  return [...tooSmall(pool, about, nodes), ...full(about, nodes), ...many(about, nodes)];
}

function tooSmall({ name, minNode }: NodePoolConfig, about: string, nodes: readonly FloorNode[]): Finding[] {
  const sizes = [
    { label: 'instance-cpu', least: minNode?.cpu ?? 0, show: (size: string) => `${size} cpu` },
    { label: 'instance-memory', least: minNode?.memoryMiB ?? 0, show: (size: string) => `${size} MiB of memory` },
  ];
  const smaller = nodes.flatMap((node) => {
    const short = sizes.flatMap(({ label, least, show }) => {
      const size = Object.entries(node.labels).find(([key]) => key.endsWith(`/${label}`))?.[1];
      if (least === 0 || (size !== undefined && Number(size) >= least)) return [];
      return [size === undefined ? `no label ${label}` : show(size)];
    });
    return short.length === 0 ? [] : [`${node.name} has ${short.join(' and ')}`];
  });
  if (smaller.length === 0) return [];
  const [cpu, memory] = [minNode?.cpu, minNode?.memoryMiB];
  const size = [
    ...(cpu === undefined ? [] : [`${cpu} cpu`]),
    ...(memory === undefined ? [] : [`${memory} MiB of memory`]),
  ];
  return [
    {
      severity: 'warning',
      about,
      problem: `does not count ${count(smaller.length, 'node')} of ${nodes.length}: smaller than ${size.join(' and ')}`,
      evidence: named(smaller),
      fix: `write the size of the smallest node that should count in unit.floor of ${name}, or keep smaller instance types out of the NodePool`,
    },
  ];
}

function full(about: string, nodes: readonly FloorNode[]): Finding[] {
  const taken = nodes.filter(({ slots, pods }) => slots !== undefined && pods >= slots);
  if (taken.length === 0) return [];
  return [
    {
      severity: 'warning',
      about,
      problem: `has ${count(taken.length, 'node')} without a free pod slot: the next pod of work there preempts the floor pod, and Karpenter provisions a node for it`,
      evidence: named(taken.map(({ name, slots, pods }) => `${name} runs ${pods} of ${slots} pods`)),
      fix: 'leave a pod slot free on each node: raise maxPods (on EKS with prefix delegation), or use larger nodes or larger pods',
    },
  ];
}

function many(about: string, nodes: readonly FloorNode[]): Finding[] {
  if (nodes.length <= MANY_NODES) return [];
  return [
    {
      severity: 'note',
      about,
      problem: 'can take a pod slot and an IP address on every node of the NodePool while it is held',
      evidence: `${nodes.length} nodes`,
      fix: 'check that the subnets have as many free addresses; nothing else is needed',
    },
  ];
}

function named(texts: readonly string[]): string {
  const rest = texts.length - MAX_NAMED;
  return [...texts.slice(0, MAX_NAMED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}
