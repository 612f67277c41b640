import { daysBefore, numbers } from './aws-cron-days';
import type { CronFields } from './cron';

/** AWS cron expressions that fire at exactly the requested times, or why there are none. */
export type CompiledCron =
  | { readonly kind: 'exact'; readonly expressions: readonly string[] }
  | { readonly kind: 'declined'; readonly why: string };

/** More schedules for one edge would crowd out others; the heartbeat covers it instead. */
export const MAX_EXPRESSIONS = 4;

/**
 * Moves a Unix cron expression earlier by the lead time and translates it to AWS
 * cron, in local time. The result is exact, or declined:
 *
 * - minutes and hours move apart where the lead time borrows an hour, and hours
 *   where it borrows a day, so one expression may become several;
 * - weekdays move by whole days, dates move through the months' ends;
 * - both day fields written mean either (Unix), which takes two expressions.
 */
export function compileCron(cron: CronFields, leadMinutes = 0): CompiledCron {
  const timesByDays = new Map<string, Times[]>();
  for (const { daysEarlier, times } of timesBefore(cron, leadMinutes)) {
    const days = daysBefore(cron, daysEarlier);
    if ('why' in days) return { kind: 'declined', why: days.why };
    for (const day of days) timesByDays.set(day, [...(timesByDays.get(day) ?? []), times]);
  }
  const expressions = [...timesByDays].flatMap(([days, times]) => merge(times).map((time) => expression(time, days)));
  if (expressions.length > MAX_EXPRESSIONS)
    return {
      kind: 'declined',
      why: `it takes ${expressions.length} AWS cron expressions, more than ${MAX_EXPRESSIONS}`,
    };
  return { kind: 'exact', expressions };
}

/** Every minute of every hour of the two lists. */
interface Times {
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
}

function timesBefore(cron: CronFields, leadMinutes: number): { daysEarlier: number; times: Times }[] {
  const [leadHours, rest] = [Math.floor(leadMinutes / 60), leadMinutes % 60];
  const found: { daysEarlier: number; times: Times }[] = [];
  for (const borrowed of [0, 1]) {
    const minutes = cron.minutes
      .filter((minute) => minute < rest === (borrowed === 1))
      .map((m) => m - rest + borrowed * 60);
    if (minutes.length === 0) continue;
    const hoursByDay = new Map<number, number[]>();
    for (const hour of cron.hours) {
      const moved = hour - leadHours - borrowed;
      const daysEarlier = Math.ceil(-moved / 24);
      hoursByDay.set(daysEarlier, [...(hoursByDay.get(daysEarlier) ?? []), moved + daysEarlier * 24]);
    }
    for (const [daysEarlier, hours] of hoursByDay) found.push({ daysEarlier, times: { hours, minutes } });
  }
  return found;
}

/** Merges lists that share their minutes or their hours. */
function merge(times: readonly Times[]): Times[] {
  const byMinutes = mergeBy(times, 'minutes', 'hours');
  return mergeBy(byMinutes, 'hours', 'minutes');
}

function mergeBy(times: readonly Times[], same: keyof Times, joined: keyof Times): Times[] {
  const groups = new Map<string, Times>();
  for (const time of times) {
    const key = time[same].join();
    const other = groups.get(key);
    groups.set(key, other ? { ...time, [joined]: union(other[joined], time[joined]) } : time);
  }
  return [...groups.values()];
}

function union(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}

function expression({ minutes, hours }: Times, days: string): string {
  return `cron(${numbers(minutes, 60)} ${numbers(hours, 24)} ${days} *)`;
}
