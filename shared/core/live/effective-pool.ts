import { messageOf } from '../basics/errors';
import { shareIn } from '../basics/share';
import { MAX_KNOWN_RECORD, worstRecordSize } from '../config/check/record-size';
import { MAX_AUTO, MAX_RELATIVE, peaksAmong } from '../config/check/window-limits';
import type { Config, HeadroomConfig } from '../config/config';
import { resolveWindow, unknownCalendars } from '../config/read/resolve-window';
import type { Window } from '../windows/window';
import type { Kept, KeptSchedule } from './kept-parts';

/** The NodePool that counts, and what a person should know about how it came to be. */
export interface EffectivePool {
  readonly pool: HeadroomConfig;
  /** Deployed windows that a live one replaces or takes out. */
  readonly replaced: readonly string[];
  /** What a later deploy can cause: the rest counts. */
  readonly notes: readonly string[];
  /** Why the live part does not count at all. */
  readonly problem?: string;
}

/** What of the deployed config live schedules rest on. */
type Around = Pick<Config, 'heartbeatSeconds' | 'calendars'>;

/**
 * Lays what is kept of the live schedules on top of a deployed NodePool:
 * - `base` replaces `base`;
 * - a schedule replaces the deployed window of its name as a whole, or is added;
 * - `{name, remove: true}` takes one out, `schedules: []` all of them.
 *
 * A result that could not have been deployed does not count, and the deployed NodePool stays.
 */
export function effectiveHeadroom(
  deployed: HeadroomConfig,
  kept: Kept | undefined,
  { heartbeatSeconds, calendars }: Around,
): EffectivePool {
  const nothing = { pool: deployed, replaced: [], notes: [] };
  if (kept?.base === undefined && kept?.schedules === undefined) return nothing;
  // A learned lead time has a heartbeat in it already.
  const earlyMinutes = deployed.autoLead ? 0 : heartbeatSeconds / 60;
  const source = ({ at, by }: KeptSchedule['edit']) => ({ since: Date.parse(at), by, earlyMinutes });
  try {
    const { windows, replaced, strays } = layWindows(deployed.windows, kept.schedules, (schedule) => ({
      ...resolveWindow(schedule, 0, calendars),
      live: source(schedule.edit),
    }));
    const based = kept.base === undefined ? deployed : { ...withBase(deployed, kept.base), liveBase: source(kept) };
    const pool: HeadroomConfig = { ...based, windows };
    const problem = tooMuch(pool);
    if (problem !== undefined) return { ...nothing, problem };
    return { pool, replaced, notes: [...strays, ...aboveMax(pool), ...unknownNotes(kept.schedules, calendars)] };
  } catch (error) {
    return { ...nothing, problem: messageOf(error) };
  }
}

function withBase({ baseShare: _deployed, ...pool }: HeadroomConfig, base: number | string): HeadroomConfig {
  const share = shareIn(base);
  return share === undefined ? { ...pool, base: Number(base) } : { ...pool, base: 0, baseShare: share };
}

/** The config with what is kept of the live schedules on top. */
export function effectiveConfig(config: Config, keptOf: (headroom: string) => Kept | undefined): Config {
  return {
    ...config,
    headrooms: config.headrooms.map((one) => effectiveHeadroom(one, keptOf(one.name), config).pool),
  };
}

function layWindows(
  deployed: readonly Window[],
  schedules: readonly KeptSchedule[] | undefined,
  resolve: (schedule: LiveWindow) => Window,
): { windows: readonly Window[]; replaced: readonly string[]; strays: readonly string[] } {
  if (!schedules) return { windows: deployed, replaced: [], strays: [] };
  const named = new Map(deployed.map((window) => [window.name, window]));
  if (schedules.length === 0) return { windows: [], replaced: [...named.keys()], strays: [] };
  const replaced = schedules.filter(({ name }) => named.has(name)).map(({ name }) => name);
  const strays: string[] = [];
  for (const schedule of schedules)
    if (isWindow(schedule)) named.set(schedule.name, resolve(schedule));
    else if (!named.delete(schedule.name)) strays.push(`no window ${schedule.name} is deployed that it could take out`);
  return { windows: [...named.values()], replaced, strays };
}

type LiveWindow = Exclude<KeptSchedule, { readonly remove: true }>;

function isWindow(schedule: KeptSchedule): schedule is LiveWindow {
  return !('remove' in schedule);
}

/** A later deploy may drop a calendar that a live window names. */
function unknownNotes(schedules: Kept['schedules'] = [], calendars: Config['calendars']): string[] {
  return schedules
    .filter(isWindow)
    .flatMap((one) =>
      unknownCalendars(one, calendars).map(
        (name) => `${one.name} excludes nothing by ${name}: no calendar of that name is deployed`,
      ),
    );
}

/** What `validate` would refuse. */
function tooMuch(pool: HeadroomConfig): string | undefined {
  const shares = [...(pool.baseShare === undefined ? [] : ['base']), ...shareNames(pool.windows)];
  if (shares.length > 0 && !pool.like)
    return `${shares[0]} is a share of a workload, and ${pool.name} is deployed without unit: {like: namespace/name}`;
  const relative = pool.windows.filter((window) => window.relative);
  const [first] = relative;
  if (first && pool.unit.kind !== 'floor')
    return `${first.name} has addNodes, which requires a floor, and ${pool.name} is deployed as ${pool.unit.kind}`;
  const mostRelative = MAX_RELATIVE - peaksAmong(pool.events?.filter((event) => event.relative));
  if (relative.length > mostRelative) return `${relative.length} windows have addNodes; write at most ${mostRelative}`;
  const mostAuto = MAX_AUTO - peaksAmong(pool.events);
  if (pool.autoLead && pool.windows.length > mostAuto)
    return `leadTime is auto with ${pool.windows.length} windows; write at most ${mostAuto}`;
  const size = worstRecordSize(pool);
  return size > MAX_KNOWN_RECORD
    ? `the record could take ${size} bytes, more than ${MAX_KNOWN_RECORD}; write fewer windows or shorter names`
    : undefined;
}

function shareNames(windows: readonly Window[]): string[] {
  return windows.filter(({ share }) => share !== undefined).map(({ name }) => name);
}

function aboveMax({ max, base, liveBase, windows }: HeadroomConfig): string[] {
  const note = (what: string, size: number) => `${what} asks for ${size}, above the deployed max ${max}`;
  return [
    ...(liveBase && base > max ? [note('base', base)] : []),
    ...windows.filter(({ live, replicas }) => live && replicas > max).map((one) => note(one.name, one.replicas)),
  ];
}
