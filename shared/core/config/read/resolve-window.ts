import { parseCron } from '../../windows/cron';
import type { Window } from '../../windows/window';
import { canonicalTimezone } from '../../windows/zone';
import type { ScheduleInput } from '../schema/schedule-schema';

/** A schedule as it was written, ready to be evaluated; live schedules are compiled by the functions themselves. */
export function resolveWindow(input: ScheduleInput, index: number): Window {
  const named = {
    name: input.name ?? `window-${index + 1}`,
    timezone: canonicalTimezone(input.timezone),
    replicas: Number(input.addNodes ?? input.desiredReplicas),
    ...(input.addNodes !== undefined && { relative: true as const }),
  };
  const { start, end } = input;
  if (start === undefined || end === undefined)
    return { kind: 'once', ...named, from: localText(input.from), to: localText(input.to) };
  return {
    kind: 'cron',
    ...named,
    startText: start,
    endText: end,
    start: parseCron(start),
    end: parseCron(end),
    excludeDates: input.excludeDates ?? [],
  };
}

function localText(text = ''): string {
  return text.replace(' ', 'T');
}
