import type { Config } from '../../shared/core/config/config';
import { spotTwinName } from '../../shared/core/config/spot-twin-name';

/** Says which of the NodePools that lose a node have no rule for that: their headroom stays as it is. */
export function ruleNote({ nodePools }: Config, losing: readonly string[]): { readonly note?: string } {
  const without = nodePools.filter(
    ({ name, interruptions }) => !interruptions && (losing.includes(name) || losing.includes(spotTwinName(name))),
  );
  if (without.length === 0) return {};
  const names = without.map(({ name }) => name).join(', ');
  return { note: `Nothing is configured for that in ${names}, so no surge follows: add interruptions: {surge: 1}` };
}
