import { isTooDeep } from '../basics/depth';
import { isObject, parseJson } from '../basics/json';
import { LAST_TIME, MAX_REPLICAS } from '../basics/record-limits';
import { shareIn } from '../basics/share';
import type { Edit, Kept, KeptSchedule } from './kept-parts';
import { isWholeSchedule } from './whole-schedule';

/** Twice what we write. */
const MAX_KEPT = 32_768;
const MAX_BROKEN = 200;
/** More than the longest problem. */
const MAX_TEXT = 1_024;

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

/** Every field but the schedules, and what it must be. */
const CHECKS: Readonly<Record<string, Check>> = {
  hash: isText,
  by: isText,
  at: isTime,
  base: (value) =>
    shareIn(value) !== undefined || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_REPLICAS),
  goneSince: isTime,
  refused: (value) => isEdit(value) && isText(value.hash) && isText(value.problem),
  unread: (value) => isObject(value) && isTime(value.since) && isText(value.problem),
  undeployed: (value) => Array.isArray(value) && value.every(isText),
  broken: isText,
};

/** Reads the annotation field by field, in its order: what is broken does not count and is shown, the rest does. */
export function readKept(text: string | undefined): Kept | undefined {
  if (text === undefined || text === '') return undefined;
  const raw = text.length > MAX_KEPT ? undefined : parseJson(text);
  if (!isEdit(raw) || !isText(raw.hash) || isTooDeep(raw))
    return { hash: '', by: '', at: new Date(0).toISOString(), broken: excerpt(text) };
  const kept: Record<string, unknown> = {};
  const lost: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw)) {
    if (key === 'schedules') Object.assign(kept, readSchedules(value, lost));
    else if (Object.hasOwn(CHECKS, key)) Object.assign(CHECKS[key]?.(value) ? kept : lost, { [key]: value });
  }
  if (Object.keys(lost).length > 0) kept.broken = excerpt(JSON.stringify(lost));
  return kept as unknown as Kept;
}

function readSchedules(raw: unknown, lost: Record<string, unknown>): Pick<Kept, 'schedules'> {
  const list: readonly unknown[] = Array.isArray(raw) ? raw : [];
  const whole = new Map<string, KeptSchedule>();
  const wrong: unknown[] = [];
  for (const one of list)
    if (isKeptSchedule(one) && !whole.has(one.name)) whole.set(one.name, one);
    else wrong.push(one);
  if (wrong.length > 0 || !Array.isArray(raw)) lost.schedules = Array.isArray(raw) ? wrong : raw;
  // An empty list means no windows, which one that lost all of them does not.
  return whole.size > 0 || lost.schedules === undefined ? { schedules: [...whole.values()] } : {};
}

function isKeptSchedule(value: unknown): value is KeptSchedule {
  return isObject(value) && isEdit(value.edit) && isWholeSchedule(value);
}

/** As long in bytes as it looks. */
function excerpt(text: string): string {
  return text.replace(/[^ -~]/g, '?').slice(0, MAX_BROKEN);
}

function isEdit(value: unknown): value is Edit & Fields {
  return isObject(value) && isText(value.by) && isTime(value.at);
}

function isTime(value: unknown): value is string {
  const parsed = isText(value) ? Date.parse(value) : Number.NaN;
  return parsed >= 0 && parsed <= LAST_TIME;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT;
}
