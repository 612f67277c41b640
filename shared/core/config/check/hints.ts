import type { Config, NodePoolConfig } from '../config';
import { type Located, problemAt } from '../yaml/located';
import type { Problem } from '../yaml/problem';

/** One node more is a ramp; from here on it is a step. */
const STEP = 2;

/** What is right for some and dear for others: only `validate` says it. */
export function hintsOf(config: Config, tree: Located): Problem[] {
  return config.nodePools.flatMap((pool) => {
    const step = highestStep(pool);
    if (!step) return [];
    const { index, raise } = step;
    return [problemAt(tree, ['nodePools', pool.name, 'schedules', index, 'desiredReplicas'], stepText(raise))];
  });
}

function stepText(raise: number): string {
  return `asks for ${raise} more nodes at once: room that work takes is refilled, so a step is paid twice; for a step write unit: {floor: {cpu, memory}} and addNodes: ${raise}, for a ramp leave it as it is; see docs/choosing.md`;
}

/** The window that raises room of whole nodes most, over base and over the windows below it. */
function highestStep({ unit, base, windows }: NodePoolConfig): { index: number; raise: number } | undefined {
  if (unit.kind !== 'node') return undefined;
  const levels = [base, ...windows.map(({ replicas }) => replicas)];
  const raises = windows.map(({ replicas }, index) => {
    const below = levels.filter((level) => level < replicas);
    return { index, raise: below.length === 0 ? 0 : replicas - Math.max(...below) };
  });
  return raises
    .filter(({ raise }) => raise >= STEP)
    .reduce<{ index: number; raise: number } | undefined>(
      (best, one) => (best && best.raise >= one.raise ? best : one),
      undefined,
    );
}
