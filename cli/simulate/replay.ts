import type { Action, Scenario } from '../../simulator/scenarios/scenario';
import type { Demand, Trace } from './trace';

/** A trace as a scenario: its demand and nothing else. */
export function replayOf(trace: Trace): Scenario {
  return {
    id: 'trace',
    title: 'Demand trace',
    description: () => 'Pods come and go as the trace says.',
    startsAt: () => trace.from,
    actions: (_, from, to) => [
      ...demandAt(trace, from).map((demand): Action => ({ kind: 'demand', ...demand, at: from })),
      ...trace.demands
        .filter(({ at }) => at > Math.max(from, trace.from) && at < to)
        .map((demand): Action => ({ kind: 'demand', ...demand })),
    ],
  };
}

/** The demand that is in force at a moment, one per pool; before the trace it is the first. */
function demandAt({ demands, from }: Trace, moment: number): readonly Demand[] {
  const latest = demands.filter(({ at }) => at <= Math.max(moment, from));
  return [...new Map(latest.map((demand) => [demand.pool, demand])).values()];
}
