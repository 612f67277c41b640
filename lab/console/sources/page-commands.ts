import { spotTwinName } from '../../../shared/core/basics/names';
import type { Config, HeadroomConfig } from '../../../shared/core/config/config';
import type { Command } from '../snapshot/page-command';

/** Notes which of the NodePools that lose a node have no interruption rule, so that their headroom does not change. */
export function ruleNote({ headrooms }: Config, losing: readonly string[]): { readonly note?: string } {
  const isLosing = ({ nodePool }: HeadroomConfig) =>
    losing.includes(nodePool) || losing.includes(spotTwinName(nodePool));
  const surging = new Set(headrooms.flatMap(({ nodePool, interruptions }) => (interruptions ? [nodePool] : [])));
  const without = headrooms.filter((headroom) => isLosing(headroom) && !surging.has(headroom.nodePool));
  if (without.length === 0) return {};
  const names = without.map(({ name }) => name).join(', ');
  return { note: `Nothing is configured for that in ${names}, so no surge follows: add interruptions: {surge: 1}` };
}

/** The request to the emergency function for an inflate or release on the page. */
export function overrideOf(
  command: Extract<Command, { kind: 'inflate' | 'release' }>,
): Readonly<Record<string, unknown>> {
  const { kind, pool: headroom, ...size } = command;
  return kind === 'release' ? { headroom, release: true } : { headroom, ...size, by: 'console' };
}
