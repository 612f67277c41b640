import type { Config } from '../../shared/core/config/config';

/** The page's time zone: that of the first window, as in the reasons. */
export function zoneOf({ nodePools }: Config): { timeZone?: string } {
  const [first] = nodePools.flatMap(({ windows }) => windows);
  return first ? { timeZone: first.timezone } : {};
}
