import type { NodePoolConfig } from '../../shared/core/config/config';
import type { OrderDecision } from '../../shared/core/respond';
import { count } from '../../shared/drawing/amounts';
import type { CapacityFacts } from '../access/capacity-facts';

/** What became of an order, in the words of its reasons. */
export function decisionText(decision: OrderDecision, asked: number): string {
  const { nodePool, from, replicas, reasons } = decision;
  const why = reasons.join('; ');
  if (from === replicas) return `${nodePool}: already ${replicas} (${why})`;
  const more = replicas > asked ? `, more than the ${asked} asked for` : '';
  return `${nodePool}: ${from} → ${replicas}${more} (${why})`;
}

/** Where the pause pods sit and which nodes come, as the cluster shows it. */
export function nodeText(facts: CapacityFacts, wanted: number, unit: NodePoolConfig['unit'], since: number): string {
  const created = new Map(facts.nodes.map(({ name, createdAt }) => [name, createdAt]));
  const isNew = (node: string) => (created.get(node) ?? 0) >= since;
  const placed = facts.pods.flatMap(({ node }) => (node === undefined ? [] : [node]));
  const onExisting = placed.filter((node) => !isNew(node)).length;
  const onNew = placed.length - onExisting;
  const joining = facts.claims.filter(
    ({ nodeName, createdAt }) => createdAt >= since && (nodeName === undefined || !created.has(nodeName)),
  ).length;
  const waiting = Math.max(0, wanted - placed.length);
  const coming = unit.kind === 'node' ? waiting : joining;
  const parts = [
    ...(onExisting > 0 ? [`${count(onExisting, 'pause pod sits', 'pause pods sit')} on existing nodes`] : []),
    ...(onNew > 0 ? [`${onNew} on new nodes`] : []),
    ...(coming > 0 ? [`${count(coming, 'node')} coming`] : []),
    ...(unit.kind === 'slice' && waiting > 0 ? [`${count(waiting, 'pause pod')} waiting`] : []),
  ];
  return `${wanted} asked for: ${parts.join(', ') || 'nothing there yet'}`;
}
