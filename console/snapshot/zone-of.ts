import type { Config } from '../../shared/core/config/config';
import type { Window } from '../../shared/core/windows/window';

/** The page's time zone: that of the first window, as in the reasons. */
export function zoneOf({ nodePools }: Config): { timeZone?: string; severalZones?: true } {
  const zones = new Set(nodePools.flatMap(({ windows }) => windows.map(({ timezone }) => timezone)));
  const [first] = zones;
  return { ...(first !== undefined && { timeZone: first }), ...(zones.size > 1 && { severalZones: true }) };
}

/** Adds zones to a pool's reasons if windows are in several. */
export function reasonsIn(config: Config): (pool: string, reasons: readonly string[]) => readonly string[] {
  const windowsOf = new Map(config.nodePools.map(({ name, windows }) => [name, windows]));
  const { severalZones } = zoneOf(config);
  return (pool, reasons) => (severalZones ? withZones(reasons, windowsOf.get(pool) ?? []) : reasons);
}

/** Adds the window's zone to its times in reasons. */
export function withZones(reasons: readonly string[], windows: readonly Window[]): readonly string[] {
  return reasons.map((reason) => {
    const window = windows.find(
      ({ name }) => /^ open(s| since) \d\d:\d\d/.test(reason.slice(name.length)) && reason.startsWith(name),
    );
    return window ? reason.replace(/ (opens|open since) \d\d:\d\d/, (time) => `${time} ${window.timezone}`) : reason;
  });
}
