import { requestedStart, requestTimesOf } from '../occurrences/occurrences';
import { boostUntil } from '../record/additions';
import { entryOf, isExactly } from '../record/record';
import { HighestWindow } from '../windows/highest-window';
import type { Window } from '../windows/window';
import { type Decision, decide, type Situation } from './decide';

const MAX_LOOKAHEAD = 40 * 86_400_000;
/** In addition to the first look at each window. Only windows of one size that take turns by the minute need more. */
const MAX_LOOKS = 200;

export interface NextDecision extends Decision {
  readonly at: number;
}

/** The next moment at which the size changes by itself, and to what; `undefined` when nothing in sight changes it. */
export function nextDecision(situation: Situation, furthest = situation.now + MAX_LOOKAHEAD): NextDecision | undefined {
  // Its sizes are in pods, and nobody knows yet how many pause pods they are.
  if (situation.pool.shaped?.pods === 0) return undefined;
  const here = decide(situation);
  // What is held later is what this decision leaves: after a pin, not what was decided before it.
  const held = situation.held && { ...situation.held, replicas: here.replicas };
  const maxLooks = situation.pool.windows.length + MAX_LOOKS;
  for (const next of decisionsFrom({ ...situation, held }, furthest, maxLooks))
    if (!isSameSize(next, here)) return next;
  return undefined;
}

export function isSameSize(a: Decision, b: Decision): boolean {
  return a.replicas === b.replicas && a.uncounted === b.uncounted && `${a.lacks}` === `${b.lacks}`;
}

/** Moments after `now` at which the decision may differ, in order, up to and without `until`; between them it does not. */
export function* decisionsFrom(
  situation: Situation,
  until: number,
  maxLooks = Number.POSITIVE_INFINITY,
): Generator<NextDecision> {
  const { pool, now } = situation;
  const { windows } = pool;
  const times = requestTimesOf(pool, situation.record);
  const recorded = recordedMoments(situation);
  const sight = {
    leadOf: times.leadOf,
    until,
    maxLooks,
    requestedStart: (window: Window, moment: number) => requestedStart(window, moment, times),
  };
  // Counts are not known ahead, so the highest of the windows that need one is not either: each is followed.
  const absolute = new HighestWindow(
    windows.filter((window) => !isCounted(window)),
    sight,
  );
  const counted = windows.filter(isCounted).map((window) => new HighestWindow([window], sight));
  let [at, next] = [now, 0];
  let hidden = hidesWindows(situation);
  while (at < until) {
    const tops = [absolute, ...counted].map((highest) => highest.at(at));
    if (!tops.every((top) => top !== undefined)) return;
    // Lower windows change nothing, and leaving them out makes each decision cheaper.
    const open = tops.flatMap(({ window }) => (window ? [window] : []));
    const here = { ...situation, pool: { ...pool, windows: open }, now: at, ahead: true };
    if (at > now) yield { at, ...decide(here) };
    if (recorded[next] === at) {
      next += 1;
      hidden = hidesWindows({ ...situation, now: at });
    }
    const nextRecorded = Math.min(recorded[next] ?? until, until);
    at = hidden ? nextRecorded : Math.min(nextRecorded, ...tops.map((top) => top.until));
  }
}

/** Whether its size depends on something that is counted when it is requested. */
function isCounted({ relative, share }: Window): boolean {
  return relative === true || share !== undefined;
}

/** Whether windows cannot change the size, because of `max` or an override. */
function hidesWindows(situation: Situation): boolean {
  const { pool, record, now } = situation;
  if (pool.shaped || pool.windows.some(isCounted)) return isExactly(record, now);
  const highest = Math.max(pool.base, ...pool.windows.map(({ replicas }) => replicas));
  const sizeFrom = (base: number) => decide({ ...situation, pool: { ...pool, base, windows: [] } }).replicas;
  return sizeFrom(pool.base) === sizeFrom(highest);
}

/** When boosts, surges and the override run out, in order. */
function recordedMoments({ pool, record }: Situation): readonly number[] {
  const moments = [
    ...pool.alarms.map((alarm) => {
      const known = entryOf(record.alarms, alarm.alarmName);
      return known && boostUntil(alarm, known);
    }),
    ...Object.values(record.surges).map((surge) => surge.until),
    record.override?.until,
  ];
  return [...new Set(moments)].filter((moment) => moment !== undefined).sort((a, b) => a - b);
}
