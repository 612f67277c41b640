import type { Command } from '../snapshot/snapshot';

/** The order that the emergency function gets when a person inflates or releases on the page. */
export function orderOf(command: Extract<Command, { kind: 'inflate' | 'release' }>): Readonly<Record<string, unknown>> {
  const { kind, pool: nodePool, ...order } = command;
  return kind === 'release' ? { nodePool, release: true } : { nodePool, ...order, by: 'console' };
}
