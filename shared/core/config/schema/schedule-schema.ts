import * as z from 'zod';
import { EVENT_PREFIX } from '../../basics/names';
import { MAX_REPLICAS } from '../../basics/record-limits';
import { CRON_HINT } from '../../windows/cron';
import { fireTogether, isCalendarName, isLocalDate, isLocalTime } from '../../windows/written-times';
import { isTimezone } from '../../windows/zone';
import { dateAdvice } from './date-advice';
import { fault, obey } from './rules';
import { cronRules, listOf, orShare, text } from './schema-fields';
import { zoneAdvice } from './zone-advice';

/** Every holiday for years; older ones can go. */
const MAX_EXCLUDED_DATES = 400;
const LOCAL_HINT = 'write a local time such as 2026-11-27T08:00';
const DESIRED_HINT = `write a whole number from 1 to ${MAX_REPLICAS}`;

const Cron = z.string({ error: CRON_HINT }).superRefine(obey(cronRules));

const LocalTime = z.string({ error: LOCAL_HINT }).refine(isLocalTime, LOCAL_HINT);

const DATE_HINT = 'write a date such as 2026-12-25';
const LocalDate = z
  .string({ error: ({ input }) => dateAdvice(input, DATE_HINT) })
  .refine(isLocalDate, { error: ({ input }) => dateAdvice(input, DATE_HINT) });

const EXCLUDED_HINT = `${DATE_HINT}, or the name of a list in calendars, such as kr`;
const Excluded = z
  .string({ error: ({ input }) => dateAdvice(input, EXCLUDED_HINT) })
  .refine((value) => isLocalDate(value) || isCalendarName(value), {
    error: ({ input }) => dateAdvice(input, EXCLUDED_HINT),
  });

const dates = <T extends z.ZodType>(item: T, hint: string) =>
  listOf(item, hint).max(MAX_EXCLUDED_DATES, `write at most ${MAX_EXCLUDED_DATES} dates`);

const MAX_CALENDARS = 50;
const CALENDARS_HINT = 'write lists of dates by name, such as {kr: [2026-12-25]}';
/** Lists of dates that windows name in `excludeDates`. */
export const Calendars = z
  .record(
    z.string().refine(isCalendarName, 'write a name that begins with a letter, such as kr'),
    dates(LocalDate, 'write a list of dates such as [2026-12-25]'),
    { error: CALENDARS_HINT },
  )
  .refine((calendars) => Object.keys(calendars).length <= MAX_CALENDARS, `write at most ${MAX_CALENDARS} calendars`);

export const Size = z
  .union([z.number(), z.string()], { error: DESIRED_HINT })
  .refine((value) => /^\d+$/.test(String(value)) && Number(value) >= 1 && Number(value) <= MAX_REPLICAS, DESIRED_HINT);
export const SizeOrShare = orShare(Size, DESIRED_HINT);
export const SIZE_HINT =
  'write desiredReplicas: 6 (so many in all), or in a floor pool addNodes: 6 (more than there are)';

export const WindowName = text('write a name for the window, such as lunch')
  .max(60, 'write at most 60 characters')
  // The name is a key of the record, which writes each of these as six characters.
  .refine((name) => !/\p{Cc}/u.test(name), 'write it without control characters')
  .refine((name) => !name.startsWith(EVENT_PREFIX), `write a name that does not begin with ${EVENT_PREFIX}`);

/** A KEDA-style cron window, or a one-off with `from` and `to`. */
export const ScheduleInput = z
  .strictObject(
    {
      name: WindowName.optional(),
      timezone: z
        .string({ error: ({ input }) => zoneAdvice(input) })
        .refine(isTimezone, { error: ({ input }) => zoneAdvice(input) }),
      start: Cron.optional(),
      end: Cron.optional(),
      from: LocalTime.optional(),
      to: LocalTime.optional(),
      desiredReplicas: SizeOrShare.optional(),
      addNodes: Size.optional(),
      excludeDates: dates(Excluded, 'write a list of dates and calendars, such as [2026-12-25, kr]').optional(),
    },
    { error: 'write a window: {name, timezone, start, end, desiredReplicas}' },
  )
  .superRefine(
    obey(({ name, start, end, from, to, desiredReplicas, addNodes, excludeDates }) => {
      const [repeats, once] = [start !== undefined || end !== undefined, from !== undefined || to !== undefined];
      const missing = (key: string, value: unknown, hint: string) =>
        value === undefined && fault(key, `is missing; ${hint}`);
      return [
        repeats && once && fault('from', 'does not go with start and end; write either start and end, or from and to'),
        !repeats && !once && fault('start', 'is missing; write start and end (cron), or from and to (local times)'),
        repeats && !once && (missing('start', start, CRON_HINT) || missing('end', end, CRON_HINT)),
        once && !repeats && (missing('from', from, LOCAL_HINT) || missing('to', to, LOCAL_HINT)),
        start &&
          end &&
          fireTogether(start, end) &&
          fault('end', 'is the same as start, so the window would never close; write a later time'),
        from &&
          to &&
          Date.parse(`${to}Z`) <= Date.parse(`${from}Z`) &&
          fault('to', 'is not after from; write a later local time'),
        once && excludeDates && fault('excludeDates', 'is for repeating windows; leave it out of a one-off'),
        missing('desiredReplicas', desiredReplicas ?? addNodes, SIZE_HINT),
        desiredReplicas !== undefined &&
          addNodes !== undefined &&
          fault('addNodes', `does not go with desiredReplicas; ${SIZE_HINT}`),
        addNodes !== undefined &&
          missing('name', name, 'write a name, such as lunch; the nodes that addNodes counts are kept under it'),
      ];
    }),
  );
export type ScheduleInput = z.output<typeof ScheduleInput>;
