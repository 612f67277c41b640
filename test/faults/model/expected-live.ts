import type { HeadroomConfig } from '../../../shared/core/config/config';
import { loadConfig } from '../../../shared/core/config/read/load';
import type { LivePart, LiveSchedule } from '../../../shared/core/config/schema/live-schema';
import type { Window } from '../../../shared/core/windows/window';
import type { Edit, Sight } from '../environment/live-texts';

const GONE_AFTER_MS = 2 * 60_000;
/** Two heartbeats, of which each may be a little late: the third is loud. */
const QUIET_MS = 90_000;
const MAX_AHEAD_MS = 5 * 60_000;
const MAX_BROKEN = 200;
const HEARTBEAT_MINUTES = 1;

/** The annotation `headstart.dev/live`, as it is written. */
export interface WrittenLive extends Edit {
  readonly hash: string;
  readonly base?: number;
  readonly schedules?: readonly (LiveSchedule & { readonly edit: Edit })[];
  readonly goneSince?: string;
  readonly refused?: Edit & { readonly problem: string };
  readonly unread?: { readonly since: string; readonly problem: string };
  /** What somebody broke, as the reasons show it. */
  readonly broken?: string;
}

/** What an annotation has to hold. */
export interface ExpectedLive extends Pick<WrittenLive, 'base' | 'schedules' | 'goneSince' | 'broken'> {
  /** What a refusal has to say. */
  readonly problem?: RegExp;
  /** Since when it cannot be read, and the first problem if that is known. */
  readonly unread?: { readonly since: string; readonly problem?: string };
  /** Who brought the text, if it is another one than before. */
  readonly edit?: Edit;
}

export function writtenLive(text: string | undefined): WrittenLive | undefined {
  if (text === undefined || text === '') return undefined;
  if (!text.startsWith('{"')) return { hash: '', by: '', at: new Date(0).toISOString(), broken: text };
  const { base, schedules, ...rest } = JSON.parse(text) as WrittenLive;
  const wrong = schedules?.filter((one) => !('remove' in one) && one.timezone === undefined) ?? [];
  const right = schedules?.filter((one) => !wrong.includes(one));
  const lost = { ...(typeof base === 'string' && { base }), ...(wrong.length > 0 && { schedules: wrong }) };
  return {
    ...rest,
    ...(typeof base === 'number' && { base }),
    ...(right && (right.length > 0 || wrong.length === 0) && { schedules: right }),
    ...(Object.keys(lost).length > 0 && {
      broken: JSON.stringify(lost).slice(0, MAX_BROKEN),
    }),
  };
}

/** Whether a heartbeat has to fail, because it could not read the ConfigMap for the third time. */
export function isLoudlyUnread(live: WrittenLive | undefined, now: number): boolean {
  return live?.unread !== undefined && now - Date.parse(live.unread.since) >= QUIET_MS;
}

/**
 * The rules of what is kept, written again: a valid text counts as a whole and repairs what somebody broke; a broken one
 * changes nothing and is remembered; one that cannot be read changes nothing, and since when is
 * remembered; without a ConfigMap what is kept stands for two minutes.
 */
export function expectedLive(
  before: WrittenLive | undefined,
  sight: Sight,
  nodePool: string,
  now: number,
): ExpectedLive | undefined {
  if (sight.kind === 'gone') {
    if (!before || (before.hash === '' && !before.refused)) return undefined;
    const goneSince = since(before.goneSince, now);
    const problem = before.refused && { problem: /./ };
    const stands = now - Date.parse(goneSince) < GONE_AFTER_MS;
    return stands ? { ...counted(before), goneSince, ...problem } : undefined;
  }
  // Whether it is still gone is not known: the two minutes go on.
  const gone = before?.goneSince === undefined ? {} : { goneSince: before.goneSince };
  if (sight.kind === 'unread') {
    const unread = { ...before?.unread, since: since(before?.unread?.since, now) };
    return { ...counted(before), ...gone, ...(before?.refused && { problem: /./ }), unread };
  }
  const { parts, problem } = sight.text;
  if (!parts) return { ...counted(before), ...(problem && { problem }) };
  const { base, schedules } = parts[nodePool] ?? {};
  const known = before?.schedules ?? [];
  return {
    edit: sight.edit,
    ...(typeof base === 'number' && { base }),
    ...(schedules && { schedules: schedules.map((one) => ({ ...one, edit: editOf(one, known) ?? sight.edit })) }),
  };
}

/** A window that an edit leaves alone stays as old as it is. */
function editOf(schedule: LiveSchedule, known: NonNullable<WrittenLive['schedules']>): Edit | undefined {
  return known.find(({ edit: _edit, ...one }) => JSON.stringify(one) === JSON.stringify(schedule))?.edit;
}

function counted({ base, schedules, broken }: Partial<WrittenLive> = {}): ExpectedLive {
  const parts = { ...(base !== undefined && { base }), ...(schedules && { schedules }) };
  return broken === undefined ? parts : { ...parts, broken };
}

function since(known: string | undefined, now: number): string {
  return known !== undefined && Date.parse(known) - now < MAX_AHEAD_MS ? known : new Date(now).toISOString();
}

/** A NodePool with what is kept on top, and what the reasons say about it. */
export function poolWithLive(
  pool: HeadroomConfig,
  live: WrittenLive | undefined,
): { readonly pool: HeadroomConfig; readonly reasons: readonly string[] } {
  if (!live) return { pool, reasons: [] };
  const stands = live.hash === '' ? 'what is deployed counts' : `those of ${live.at} count`;
  const { refused, unread, broken, goneSince } = live;
  const reasons = [
    ...(refused ? [`live schedules of ${refused.at} refused, ${stands}: ${refused.problem}`] : []),
    ...(unread ? [`live schedules not read since ${unread.since}, ${stands}: ${unread.problem}`] : []),
    ...(broken === undefined ? [] : [`part of the annotation headstart.dev/live cannot be read: ${broken}`]),
    ...(goneSince ? [`ConfigMap headroom-schedules gone since ${goneSince}, ${stands} for two minutes`] : []),
  ];
  const effective = withParts(pool, live);
  const relative = effective.windows.find((window) => window.relative);
  if (!relative || pool.unit.kind === 'floor') return { pool: effective, reasons };
  const why = `${relative.name} has addNodes, which requires a floor, and ${pool.name} is deployed as ${pool.unit.kind}`;
  return { pool, reasons: [...reasons, `live schedules do not count: ${why}`] };
}

function withParts(pool: HeadroomConfig, { base, schedules, by, at }: WrittenLive): HeadroomConfig {
  const earlyMinutes = pool.autoLead ? 0 : HEARTBEAT_MINUTES;
  const source = (edit: Edit) => ({ since: Date.parse(edit.at), by: edit.by, earlyMinutes });
  const windows = new Map(schedules?.length === 0 ? [] : pool.windows.map((window) => [window.name, window]));
  for (const { edit, ...schedule } of schedules ?? [])
    if ('remove' in schedule) windows.delete(schedule.name);
    else windows.set(schedule.name, { ...windowOf(schedule), live: source(edit) });
  return {
    ...pool,
    ...(base !== undefined && { base, liveBase: source({ by, at }) }),
    windows: [...windows.values()],
  };
}

const loaded = new Map<string, Window>();

/** As a deploy of one file with this schedule would have it. */
function windowOf(schedule: LivePart['schedules'] extends readonly (infer T)[] | undefined ? T : never): Window {
  const key = JSON.stringify(schedule);
  const known = loaded.get(key) ?? loadWindow(key);
  loaded.set(key, known);
  return known;
}

function loadWindow(schedule: string): Window {
  const text = `cluster: {name: demo, region: ap-northeast-2}\nnodePools: {one: {max: 50, unit: {floor: {cpu: 4}}, schedules: [${schedule}]}}\n`;
  const result = loadConfig([{ file: 'window.yaml', text }]);
  const window = result.ok ? result.config.headrooms[0]?.windows[0] : undefined;
  if (!window) throw new Error(`not a window: ${schedule}`);
  return window;
}
