import { formatDuration, parseDuration } from '../../basics/duration';
import { leadBounds, type WrittenBounds } from '../schema/lead-bounds';
import { type Located, problemAt } from '../yaml/located';
import type { Problem } from '../yaml/problem';
import { asList, asMap, type Values } from '../yaml/untyped';

/** Each may have an occurrence in the record that is asked for, and the record has to stay small. */
const MAX_AUTO = 25;

/** Rules of `leadTime`: whole minutes and, where it is learned, bounds that hold its start value. */
export function checkLead(tree: Located, path: readonly string[], { leadTime, schedules }: Values): Problem[] {
  const { auto } = asMap(leadTime);
  const bounds = asMap(auto);
  const isAuto = leadTime === 'auto' || auto !== undefined;
  const times = isAuto
    ? Object.entries(bounds).map(([key, value]) => ({ at: [...path, 'auto', key], value }))
    : [{ at: path, value: leadTime }];
  const windows = asList(schedules).length;
  return [
    ...times.flatMap(({ at, value }) => checkMinutes(tree, at, value)),
    ...(isAuto ? checkBounds(tree, [...path, 'auto'], bounds) : []),
    ...(isAuto && windows > MAX_AUTO
      ? [
          problemAt(
            tree,
            path,
            `is auto with ${windows} schedules; write at most ${MAX_AUTO}, or a duration such as 5m`,
          ),
        ]
      : []),
  ];
}

function checkMinutes(tree: Located, path: readonly string[], value: unknown): Problem[] {
  const seconds = typeof value === 'string' ? parseDuration(value) : undefined;
  if (seconds === undefined || seconds % 60 === 0) return [];
  return [problemAt(tree, path, `is ${JSON.stringify(value)}; write whole minutes, such as 5m`)];
}

function checkBounds(tree: Located, path: readonly string[], written: Values): Problem[] {
  const { min, max, start } = leadBounds(textsIn(written));
  const [least, most, first] = [min, max, start].map(formatDuration);
  if (min > max) return [problemAt(tree, [...path, 'min'], `is ${least}, above max ${most}; write at most ${most}`)];
  if (start >= min && start <= max) return [];
  return [problemAt(tree, [...path, 'start'], `is ${first}; write a time from min ${least} to max ${most}`)];
}

/** What is no text is wrong in another way. */
function textsIn(values: Values): WrittenBounds {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'));
}
