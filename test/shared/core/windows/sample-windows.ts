import { parseCron } from '../../../../shared/core/windows/cron';
import type { CronWindow, OnceWindow } from '../../../../shared/core/windows/window';

export function cronWindow(start: string, end: string, timezone = 'UTC', more: Partial<CronWindow> = {}): CronWindow {
  return {
    kind: 'cron',
    name: 'lunch',
    timezone,
    replicas: 6,
    startText: start,
    endText: end,
    start: parseCron(start),
    end: parseCron(end),
    excludeDates: [],
    ...more,
  };
}

export function onceWindow(from: string, to: string, timezone = 'UTC'): OnceWindow {
  return { kind: 'once', name: 'sale', timezone, replicas: 9, from, to };
}

export const at = (iso: string) => Date.parse(iso);
export const iso = (instant: number | undefined) =>
  instant === undefined ? undefined : new Date(instant).toISOString();
