import { nextChange } from '../windows/is-open';
import { boostUntil, type Decision, decide, type Situation } from './decide';

const MAX_LOOKAHEAD = 40 * 86_400_000;
const MAX_STEPS = 2_000;

export interface NextDecision extends Decision {
  readonly at: number;
}

/** The next moment at which the size changes by itself, and to what; `undefined` when nothing in sight changes it. */
export function nextDecision(situation: Situation, furthest = situation.now + MAX_LOOKAHEAD): NextDecision | undefined {
  const { replicas } = decide(situation);
  let looked = 0;
  for (const next of decisionsFrom(situation, furthest)) {
    if (next.replicas !== replicas) return next;
    looked += 1;
    if (looked === MAX_STEPS) return undefined;
  }
  return undefined;
}

/** Every moment after `now` at which the decision may differ, in order, up to and without `until`. */
export function* decisionsFrom(situation: Situation, until: number): Generator<NextDecision> {
  let at = nextMoment(situation);
  while (at !== undefined && at < until) {
    const here: Situation = { ...situation, now: at };
    yield { at, ...decide(here) };
    at = nextMoment(here);
  }
}

function nextMoment({ pool, record, now }: Situation): number | undefined {
  const moments = [
    ...pool.windows.map((window) => nextChange(window, now, pool.leadMinutes)),
    ...pool.alarms.map((alarm) => {
      const known = record.alarms[alarm.alarmName];
      return known && boostUntil(alarm, known);
    }),
    ...Object.values(record.surges).map((surge) => surge.until),
    record.override?.until,
  ];
  const ahead = moments.filter((moment) => moment !== undefined).filter((moment) => moment > now && moment < Infinity);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}
