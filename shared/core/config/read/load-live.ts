import { takenNames } from '../check/taken-names';
import { problemsBelow, problemsOf, unknownAmong } from '../check/zod-problems';
import { LiveInput, type LivePart } from '../schema/live-schema';
import { fault } from '../schema/rules';
import { ScheduleInput } from '../schema/schedule-schema';
import { plain, valueAt } from '../yaml/located';
import { formatProblem, type Problem } from '../yaml/problem';
import { type ConfigSource, readLocated } from '../yaml/read-located';
import { asList, asMap } from '../yaml/untyped';

/** What a NodePool's part may take as JSON, so that what its Deployment keeps of it stays within 16 KiB. */
const MAX_PART = 13_312;
/** Who wrote a window, and when, is kept with each. */
const EDIT_BYTES = 120;
const MAX_QUOTED = 120;

export type LoadedLive =
  | { readonly ok: true; readonly parts: ReadonlyMap<string, LivePart> }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads the text of the live schedules by itself, whatever is deployed; reports every problem at once. */
export function loadLive(source: ConfigSource): LoadedLive {
  const { tree, problems: broken } = readLocated(source);
  if (broken.length > 0) return { ok: false, problems: broken };
  const values = withoutNulls(plain(tree));
  const checked = LiveInput.safeParse(values);
  const issues = checked.error?.issues ?? [];
  const pools = Object.entries(asMap(asMap(values).nodePools));
  const problems = [
    ...problemsOf(issues, tree, (path, key) => unknownKey(path, key, valueAt(tree, [...path, 'remove']) !== undefined)),
    ...pools.flatMap(([name, pool]) => problemsBelow(tree, ['nodePools', name], poolFaults(asMap(pool)))),
  ];
  if (!checked.success || problems.length > 0) return { ok: false, problems };
  return { ok: true, parts: new Map(Object.entries(checked.data.nodePools as Record<string, LivePart>)) };
}

/** The first problem, with the line itself: in Git the text stands indented in a manifest. */
export function liveProblemText([first]: readonly Problem[], text: string): string {
  if (!first) return '';
  const line = (text.split('\n')[first.line - 1] ?? '').trim();
  const quoted = line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED - 3)}...` : line;
  return `${formatProblem(first)}, in the line ${JSON.stringify(quoted)}`;
}

const SCHEDULE_KEYS = Object.keys(ScheduleInput.shape);

function unknownKey(path: readonly PropertyKey[], key: string, inRemoval: boolean): string {
  if (inRemoval) return 'does not go with remove; write name and remove: true alone';
  if (path.length > 2) return unknownAmong([...SCHEDULE_KEYS, 'remove'], key);
  const here = path.length === 0 ? 'nodePools' : 'base or schedules';
  return `cannot be edited live; write ${here} here, and this in the config, which needs a deploy`;
}

function poolFaults(pool: Readonly<Record<string, unknown>>) {
  const schedules = asList(pool.schedules).map(asMap);
  const size = new TextEncoder().encode(JSON.stringify(pool)).length + EDIT_BYTES * schedules.length;
  return [
    ...takenNames('schedules', schedules),
    size > MAX_PART && fault([], `takes ${size} bytes to keep, more than ${MAX_PART}; write fewer windows`),
  ];
}

/** An empty key changes nothing, as in overlays. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, inner]) =>
    inner === null && key !== 'nodePools' ? [] : [[key, withoutNulls(inner)]],
  );
  return Object.fromEntries(entries);
}
