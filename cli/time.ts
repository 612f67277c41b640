import { parseDuration } from '../shared/core/config/duration';
import { InputError } from './exit';

const EXAMPLES = 'write a time such as 2026-11-27T08:00:00Z or 2026-11-27';

/** Reads `2026-11-27`, `2026-11-27T08:00Z`, `2026-11-27T08:00+09:00` or `now`; without a zone it is UTC. */
export function readTime(text: string, option: string, now: number): number {
  if (text === 'now') return now;
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(text) || /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : `${text}Z`;
  const instant = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(instant)) throw new InputError(`${option} is ${JSON.stringify(text)}; ${EXAMPLES}`);
  return instant;
}

/** Like `readTime`, and also a length counted from `start`: `24h`, `7d`. */
export function readEnd(text: string, option: string, start: number, now: number): number {
  const seconds = parseDuration(text);
  const end = seconds === undefined ? readTime(text, option, now) : start + seconds * 1_000;
  if (end <= start) throw new InputError(`${option} ${text} is not after the start ${new Date(start).toISOString()}`);
  return end;
}
