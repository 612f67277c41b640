import { DURATION_HINT, parseDuration } from '../../shared/core/basics/duration';
import { isTimezone, startInstant } from '../../shared/core/windows/zone';
import { InputError } from '../terminal/exit';
import { collectErrors } from './collect-errors';

const EXAMPLES = 'write a time such as 2026-11-27T08:00:00Z or 2026-11-27';
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const ZONED = /(Z|[+-]\d{2}:?\d{2})$/;

/** Reads `2026-11-27`, `2026-11-27T08:00Z`, `2026-11-27T08:00+09:00` or `now`; without an offset it is local to `timezone`. */
export function readTime(text: string, option: string, now: number, timezone = 'UTC', examples = EXAMPLES): number {
  if (text === 'now') return now;
  const isLocal = DATE.test(text) || !ZONED.test(text);
  const digits = isLocal && !DATE.test(text) ? `${text}Z` : text;
  const instant = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(digits) : Number.NaN;
  if (Number.isNaN(instant)) throw new InputError(`${option} is ${JSON.stringify(text)}; ${examples}`);
  // That a zone is unknown is for readTimezone to report, which is read beside the times.
  return isLocal ? startInstant(isTimezone(timezone) ? timezone : 'UTC', instant) : instant;
}

/** Like `readTime`, and also a duration after `start`: `24h`, `7d`. */
export function readEnd(text: string, option: string, start: number, now: number, timezone?: string): number {
  const seconds = parseDuration(text);
  const examples = `${EXAMPLES}, or a duration such as 24h`;
  const end = seconds === undefined ? readTime(text, option, now, timezone, examples) : start + seconds * 1_000;
  if (end <= start)
    throw new InputError(
      `${option} ${text} is not after the start ${new Date(start).toISOString()}; write a later time or a duration such as 24h`,
    );
  return end;
}

/** What is planned further ahead takes minutes to draw, and no schedule stands for so long. */
const MAX_PLANNED_DAYS = 400;
const DAY = 86_400_000;

export function readPeriod(
  options: { readonly from: string; readonly to: string },
  now: number,
  timezone?: string,
): { readonly from: number; readonly to: number } {
  let from = 0;
  const [, to] = collectErrors(
    () => {
      from = readTime(options.from, '--from', now, timezone);
    },
    () => readEnd(options.to, '--to', from, now, timezone),
  );
  if (to - from > MAX_PLANNED_DAYS * DAY)
    throw new InputError(
      `--to ${options.to} is more than ${MAX_PLANNED_DAYS} days after the start; write ${MAX_PLANNED_DAYS}d or less`,
    );
  return { from, to };
}

/** Reads `--from` and `--to` of a history: the start may be a duration before now. */
export function readPast(
  { from, to = 'now', timezone }: { readonly from: string; readonly to?: string; readonly timezone?: string },
  now: number,
): { readonly from: number; readonly to: number } {
  const ago = parseDuration(from);
  const start = ago === undefined ? readTime(from, '--from', now, timezone) : now - ago * 1_000;
  return { from: start, to: readEnd(to, '--to', start, now, timezone) };
}

/** Reads a duration such as `30m` as seconds. */
export function readDuration(text: string, option: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds === 0)
    throw new InputError(`${option} is ${JSON.stringify(text)}; ${DURATION_HINT}`);
  return seconds;
}

export function readTimezone(timezone: string | undefined): string | undefined {
  if (timezone === undefined || isTimezone(timezone)) return timezone;
  throw new InputError(`--timezone is ${JSON.stringify(timezone)}; write an IANA time zone, such as Asia/Seoul or UTC`);
}
