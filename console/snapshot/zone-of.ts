import type { Config } from '../../shared/core/config/config';

/** The page's time zone: that of the first window. */
export function zoneOf({ nodePools }: Config): { timeZone?: string; severalZones?: true } {
  const zones = new Set(nodePools.flatMap(({ windows }) => windows.map(({ timezone }) => timezone)));
  const [first] = zones;
  return { ...(first !== undefined && { timeZone: first }), ...(zones.size > 1 && { severalZones: true }) };
}
