import type { CronFields } from './cron';

/** Whether the expression fires on a calendar day; both day fields restricted means either (Unix). */
export function matchesDay(cron: CronFields, month: number, dayOfMonth: number, dayOfWeek: number): boolean {
  if (!cron.months.includes(month)) return false;
  const inMonth = cron.daysOfMonth.includes(dayOfMonth);
  const inWeek = cron.daysOfWeek.includes(dayOfWeek);
  if (cron.anyDayOfMonth) return inWeek;
  if (cron.anyDayOfWeek) return inMonth;
  return inMonth || inWeek;
}
