import { isTooDeep } from '../basics/depth';
import { isObject, parseJson } from '../basics/json';
import { LAST_TIME, MAX_COUNTED } from '../basics/record-limits';
import type { KeptLike } from './kept-like';
import { nanos } from './quantities';

/** What we write, in bytes, and what is read: a newer version may write more. */
export const MAX_KEPT_LIKE = 8_192;
const MAX_READ = 2 * MAX_KEPT_LIKE;
const MAX_TEXT = 1_024;
const MAX_BROKEN = 200;
const MAX_ITEMS = 200;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value.length <= MAX_TEXT;
const isTime: Check = (value) =>
  isText(value) && Date.parse(value as string) >= 0 && Date.parse(value as string) <= LAST_TIME;
const isWhole =
  (most: number, least = 0): Check =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length <= MAX_ITEMS && value.every(check);
const isTexts: Check = (value) => isObject(value) && Object.values(value).every(isText);

/** An object with these fields; a field with `?` may be missing. Others are for a newer version, and stay. */
function fields(checks: Readonly<Record<string, Check>>): Check {
  const rows = Object.entries(checks).map(([key, check]) => ({
    key: key.replace('?', ''),
    check,
    may: key.endsWith('?'),
  }));
  return (value) =>
    isObject(value) && rows.every(({ key, check, may }) => (value[key] === undefined ? may : check(value[key])));
}

const isExpressions = listOf(fields({ key: isText, operator: isText, 'values?': listOf(isText) }));
const isTolerations = listOf(
  fields({
    'key?': isText,
    'operator?': isText,
    'value?': isText,
    'effect?': isText,
    'tolerationSeconds?': (value) => Number.isSafeInteger(value),
  }),
);

/** Every field and what it must be. */
const CHECKS: Readonly<Record<string, Check>> = {
  workload: isText,
  shape: fields({
    pods: isWhole(MAX_COUNTED, 1),
    requests: (value) =>
      isObject(value) &&
      Object.keys(value).length > 0 &&
      Object.values(value).every((one) => nanos(String(one)) !== undefined),
    'nodeSelector?': isTexts,
    'terms?': listOf(fields({ 'matchExpressions?': isExpressions, 'matchFields?': isExpressions })),
    'tolerations?': isTolerations,
    'spreads?': listOf(
      fields({
        maxSkew: isWhole(MAX_COUNTED, 1),
        topologyKey: isText,
        'minDomains?': isWhole(MAX_COUNTED, 1),
        'nodeAffinityPolicy?': isText,
        'nodeTaintsPolicy?': isText,
      }),
    ),
    'apart?': (value) => value === true,
  }),
  base: fields({ replicas: isWhole(MAX_COUNTED), 'lowSince?': isTime, 'again?': isWhole(MAX_COUNTED) }),
  needs: fields({ tolerations: isTolerations, 'zones?': listOf(isText), 'labelPrefix?': isText }),
  unreadSince: isTime,
  unread: isText,
  broken: isText,
};

/** Reads the annotation field by field, in its order: what is broken does not count and is shown, the rest does. */
export function readKeptLike(text: string | undefined): KeptLike | undefined {
  if (text === undefined || text === '') return undefined;
  const raw = text.length > MAX_READ ? undefined : parseJson(text);
  if (!isObject(raw) || !isText(raw.workload) || isTooDeep(raw)) return { workload: '', broken: excerpt(text) };
  const kept: Record<string, unknown> = {};
  const lost: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(raw))
    if (Object.hasOwn(CHECKS, key)) Object.assign(CHECKS[key]?.(value) ? kept : lost, { [key]: value });
  if (Object.keys(lost).length > 0) kept.broken = excerpt(JSON.stringify(lost));
  return kept as unknown as KeptLike;
}

/** As long in bytes as it looks. */
function excerpt(text: string): string {
  return text.replace(/[^ -~]/g, '?').slice(0, MAX_BROKEN);
}
