import type { Random } from '../../../lab/simulator/deterministic/seeded-random';

export function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)] as T;
}
