import type { HeadroomConfig } from '../../../shared/core/config/config';
import { matchesExpression } from '../../../shared/core/karpenter/matches-expression';
import { count } from '../../../shared/drawing/amounts';
import { readOr } from '../../kube/read';
import type { FloorFacts, FloorNode } from '../facts/read-floors';
import { type Context, error, type Findings, note, warning } from './finding';

const MANY_NODES = 100;
const MAX_NAMED = 3;

/** Floor pods must request nothing and fit on every node of their size, or the floor is wrong. */
export function* checkFloors({ limitRanges, nodes }: FloorFacts, { config, commands }: Context): Findings {
  const { namespace } = config.cluster;
  for (const { name, requests } of readOr(limitRanges, [])) {
    const given = Object.entries(requests).map(([resource, amount]) => `${resource} ${amount}`);
    if (given.length > 0)
      yield error(
        `namespace ${namespace}`,
        'has a LimitRange that gives floor pods a request, so work on a full node preempts them and Karpenter provisions a node for each',
        `LimitRange ${name}: defaultRequest ${given.join(', ')}`,
        `run ${commands.kubectl('-n', namespace, 'delete', 'limitrange', name)}`,
      );
  }
  const floors = config.headrooms.filter(({ unit }) => unit.kind === 'floor');
  for (const pool of floors) yield* checkFloor(pool, readOr(nodes, []));
}

function* checkFloor(pool: HeadroomConfig, all: readonly FloorNode[]): Findings {
  const expressions = [
    ...Object.entries(pool.nodeSelector).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...pool.nodeAffinity,
  ];
  const nodes = all.filter(({ labels }) => expressions.every((expression) => matchesExpression(expression, labels)));
  const about = `floor of ${pool.name}`;
  yield* tooSmall(pool, about, nodes);
  const full = nodes.filter(({ slots, pods }) => slots !== undefined && pods >= slots);
  if (full.length > 0)
    yield warning(
      about,
      `has ${count(full.length, 'node')} without a free pod slot: the next pod of work there preempts the floor pod, and Karpenter provisions a node for it`,
      named(full.map(({ name, slots, pods }) => `${name} runs ${pods} of ${slots} pods`)),
      'leave a pod slot free on each node: raise maxPods (on EKS with prefix delegation), or use larger nodes or larger pods',
    );
  if (nodes.length > MANY_NODES)
    yield note(
      about,
      'can take a pod slot and an IP address on every node of the NodePool while it is held',
      `${nodes.length} nodes`,
      'check that the subnets have as many free addresses; nothing else is needed',
    );
}

function* tooSmall({ name, minNode }: HeadroomConfig, about: string, nodes: readonly FloorNode[]): Findings {
  const sizes = [
    { label: 'instance-cpu', least: minNode?.cpu ?? 0, unit: 'cpu' },
    { label: 'instance-memory', least: minNode?.memoryMiB ?? 0, unit: 'MiB of memory' },
    { label: 'instance-gpu-count', least: minNode?.gpus ?? 0, unit: 'GPUs' },
  ].filter(({ least }) => least > 0);
  const smaller = nodes.flatMap((node) => {
    const short = sizes.flatMap(({ label, least, unit }) => {
      const size = Object.entries(node.labels).find(([key]) => key.endsWith(`/${label}`))?.[1];
      if (size === undefined) return [`no label ${label}`];
      return Number(size) >= least ? [] : [`${size} ${unit}`];
    });
    return short.length === 0 ? [] : [`${node.name} has ${short.join(' and ')}`];
  });
  if (smaller.length === 0) return;
  const size = sizes.map(({ least, unit }) => `${least} ${unit}`).join(' and ');
  yield warning(
    about,
    `does not count ${count(smaller.length, 'node')} of ${nodes.length}: smaller than ${size}`,
    named(smaller),
    `write the size of the smallest node that should count in unit.floor of ${name}, or keep smaller instance types out of the NodePool`,
  );
}

function named(texts: readonly string[]): string {
  const rest = texts.length - MAX_NAMED;
  return [...texts.slice(0, MAX_NAMED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}
