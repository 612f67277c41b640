import type { Command } from '../snapshot/snapshot';

/** The request to the emergency function for an inflate or release on the page. */
export function overrideOf(
  command: Extract<Command, { kind: 'inflate' | 'release' }>,
): Readonly<Record<string, unknown>> {
  const { kind, pool: nodePool, ...size } = command;
  return kind === 'release' ? { nodePool, release: true } : { nodePool, ...size, by: 'console' };
}
