import type { Config } from '../../shared/core/config/config';

/** The zone that the page shows times in: that of the first window, as the reasons word them. */
export function zoneOf({ nodePools }: Config): { timeZone?: string } {
  const [first] = nodePools.flatMap(({ windows }) => windows);
  return first ? { timeZone: first.timezone } : {};
}
