import type { Command } from '../snapshot/snapshot';

/** The order that the emergency function gets when a person inflates or releases on the page. */
export function orderOf(command: Extract<Command, { kind: 'inflate' | 'release' }>): Readonly<Record<string, unknown>> {
  const { pool: nodePool } = command;
  if (command.kind === 'release') return { nodePool, release: true };
  const { atLeast, reason } = command;
  return { nodePool, atLeast, for: command.for, reason, by: 'console' };
}
