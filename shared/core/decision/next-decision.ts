import { entryOf } from '../record/record';
import { highestWindows } from '../windows/highest-window';
import { boostUntil, type Decision, decide, type Situation } from './decide';

const MAX_LOOKAHEAD = 40 * 86_400_000;
/** Beyond the first look at each window. Only windows that take turns by the minute, all of one size, need more. */
const MAX_LOOKS = 200;

export interface NextDecision extends Decision {
  readonly at: number;
}

/** The next moment at which the size changes by itself, and to what; `undefined` when nothing in sight changes it. */
export function nextDecision(situation: Situation, furthest = situation.now + MAX_LOOKAHEAD): NextDecision | undefined {
  const { replicas } = decide(situation);
  const maxLooks = situation.pool.windows.length + MAX_LOOKS;
  for (const next of decisionsFrom(situation, furthest, maxLooks)) if (next.replicas !== replicas) return next;
  return undefined;
}

/** Every moment after `now` at which the decision may differ, in order, up to and without `until`. */
export function* decisionsFrom(
  situation: Situation,
  until: number,
  maxLooks = Number.POSITIVE_INFINITY,
): Generator<NextDecision> {
  const { pool, now } = situation;
  const { windows, leadMinutes } = pool;
  const recorded = recordedMoments(situation);
  let next = 0;
  for (const span of highestWindows(windows, { leadMinutes, from: now, until, maxLooks })) {
    // The lower windows change nothing, and need not be looked at again for every decision.
    const here = { ...situation, pool: { ...pool, windows: span.window ? [span.window] : [] } };
    if (span.at > now) yield { at: span.at, ...decide({ ...here, now: span.at }) };
    for (; (recorded[next] ?? until) < span.until; next += 1) {
      const at = recorded[next] ?? until;
      if (at > span.at) yield { at, ...decide({ ...here, now: at }) };
    }
  }
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
