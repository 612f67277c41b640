import { utcMinute } from '../core/basics/duration';
import type { HeadroomConfig } from '../core/config/config';
import type { Edit, Kept } from '../core/live/kept-parts';
import type { Window } from '../core/windows/window';

const MAX_NAMED = 3;

/** Who replaced, added or removed what of a deployed headroom by live schedules, and when; nothing if they do not count. */
export function liveEdits(deployed: HeadroomConfig, effective: HeadroomConfig, kept: Kept | undefined): string[] {
  const { base, schedules } = kept ?? {};
  if (!kept || (effective.windows === deployed.windows && !effective.liveBase)) return [];
  const edits = (schedules ?? []).map(({ name, edit, ...schedule }) => {
    const [old, now] = [deployed, effective].map(({ windows }) => windows.find((window) => window.name === name));
    if ('remove' in schedule) return `${name} removed${byText(edit)}`;
    const dropped = old && now && droppedDates(old, now);
    return `${name} ${old ? 'replaced' : 'added'}${byText(edit)}${dropped ? `: ${dropped}` : ''}`;
  });
  const emptied = schedules?.length === 0 && deployed.windows.length > 0;
  return [
    ...(base === undefined ? [] : [`base ${deployed.base} → ${base}${byText(kept)}`]),
    ...(emptied ? [`${named(deployed.windows.map(({ name }) => name))} removed${byText(kept)}`] : []),
    ...edits,
  ];
}

/** `excludeDates 2026-12-25 → none`, if a window opens on dates on which it did not before. */
export function droppedDates(old: Window, now: Window): string | undefined {
  const [before, after] = [old, now].map((window) => (window.kind === 'cron' ? window.excludeDates : []));
  if (!before?.some((date) => !after?.includes(date))) return undefined;
  return `excludeDates ${named(before)} → ${named(after ?? [])}`;
}

function named(all: readonly string[]): string {
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '';
  return `${all.slice(0, MAX_NAMED).join(', ') || 'none'}${more}`;
}

function byText({ by, at }: Edit): string {
  return ` by ${by} ${utcMinute(Date.parse(at))}`;
}
