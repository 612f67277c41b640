import { type Faults, NO_FAULTS } from '../../../../lab/simulator/bus/faults';
import type { NodeDelay } from '../../../../lab/simulator/engine/karpenter/node-delay';
import { RecordedHistory } from '../../../../lab/simulator/run/recorded-history';
import { Simulation } from '../../../../lab/simulator/run/simulation';
import { demandActions, occasionsOf } from '../../../../lab/simulator/scenarios/demand-curve';
import { lunchCurve } from '../../../../lab/simulator/scenarios/lunch-peak';
import type { Action, Scenario } from '../../../../lab/simulator/scenarios/scenario';
import { headroomName } from '../../../../shared/core/basics/names';
import type { Config } from '../../../../shared/core/config/config';
import { configOf } from '../../../fakes/fake-runtime';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** A Monday. */
export const MONDAY = Date.parse('2026-03-02T00:00:00Z');
/** Lunch on the second day starts late, a storm comes on the third, an override on the fourth. */
const [LATE, STORM, ORDER] = [1, 2, 3];
const LUNCH = 2.5 * HOUR;

export const TWO_WEEKS: Config = configOf(`
  room:
    max: 12
    leadTime: 5m
    price: 0.2
    unit: {node: {cpu: 3, memory: 12Gi}}
    interruptions: {surge: 1, max: 6, hold: 10m}
    schedules:
      - {name: lunch, timezone: Asia/Seoul, start: 30 11 * * MON-FRI, end: 30 13 * * MON-FRI, desiredReplicas: 6}
      - {name: unused, timezone: Asia/Seoul, start: 0 4 * * *, end: 30 4 * * *, desiredReplicas: 3}
  floor:
    max: 8
    leadTime: 5m
    price: 0.2
    unit: {floor: {cpu: 4, memory: 16Gi}}
    schedules:
      - {name: lunch, timezone: Asia/Seoul, start: 30 11 * * MON-FRI, end: 30 13 * * MON-FRI, addNodes: 6}
`);

const scenario: Scenario = {
  id: 'weeks',
  title: 'Two weeks',
  description: () => '',
  startsAt: () => MONDAY,
  actions: ({ config, seed }, from, to) => {
    const demand = config.headrooms.flatMap((pool) => {
      const lunches = occasionsOf(pool, from, to).filter(({ name }) => name === 'lunch');
      return demandActions(pool, lunches, lunchCurve(seed, pool), { from, to });
    });
    const override = { headroom: 'room', atLeast: 9, for: '1h', reason: 'sale', by: 'ana' };
    const others: Action[] = [0, 7].flatMap((week): Action[] => [
      {
        kind: 'spot',
        nodePool: 'room',
        share: 0.5,
        notice: 'rebalance',
        at: dayOf(week + STORM) + LUNCH + 20 * MINUTE,
      },
      {
        kind: 'spot',
        nodePool: 'room',
        share: 0.5,
        notice: 'interruption',
        at: dayOf(week + STORM) + LUNCH + 22 * MINUTE,
      },
      // In the unused window, where work takes none of what is lost.
      { kind: 'spot', nodePool: 'room', share: 1, notice: 'interruption', at: dayOf(week) + 19 * HOUR + 10 * MINUTE },
      { kind: 'override', request: override, at: dayOf(week + ORDER) + 8 * HOUR },
    ]);
    return [...demand, ...others.filter(({ at }) => at >= from && at < to)].sort((a, b) => a.at - b.at);
  },
};

function dayOf(day: number): number {
  return MONDAY + day * DAY;
}

/** What really happened to one headroom. */
export interface Truth {
  /** How many pause pods were ready, from each moment on. */
  readonly ready: { readonly at: number; readonly count: number }[];
  /** When work preempted one, and when one was lost for any reason. */
  readonly preempted: number[];
  readonly lost: number[];
  readonly notices: number[];
}

export interface Weeks {
  readonly history: RecordedHistory;
  readonly truths: ReadonlyMap<string, Truth>;
  readonly span: { readonly from: number; readonly to: number };
}

/** Runs the scenario, and keeps the truth beside what CloudWatch would keep. */
export async function runWeeks(
  seed: number,
  days: number,
  { nodeSeconds = 55, faults = NO_FAULTS }: { readonly nodeSeconds?: number; readonly faults?: Faults } = {},
): Promise<Weeks> {
  let now = () => MONDAY;
  const slow = () => [LATE, LATE + 7].some((day) => now() >= dayOf(day) && now() < dayOf(day + 1));
  const nodeDelay: NodeDelay = {
    spread: 0.2,
    get medianSeconds() {
      return slow() ? 480 : nodeSeconds;
    },
  };
  const simulation = new Simulation({ config: TWO_WEEKS, scenario, seed, nodeDelay, faults, after: MONDAY });
  const { engine } = simulation.cluster;
  now = engine.now;
  const history = new RecordedHistory(simulation);
  const truths = new Map(TWO_WEEKS.headrooms.map(({ name }) => [name, truthOf(simulation, name)]));
  await simulation.begin();
  const span = { from: simulation.startedAt, to: simulation.startedAt + days * DAY };
  await simulation.runUntil(span.to);
  return { history, truths, span };
}

function truthOf({ cluster: { engine } }: Simulation, nodePool: string): Truth {
  const truth: Truth = { ready: [], preempted: [], lost: [], notices: [] };
  const running = new Set<string>();
  engine.on((fact) => {
    if (fact.kind === 'spotNotice' && fact.node.nodePool === nodePool) truth.notices.push(fact.at);
    if (!('pod' in fact) || fact.pod.deployment !== headroomName(nodePool)) return;
    const before = running.size;
    if (fact.kind === 'podRunning') running.add(fact.pod.uid);
    if (fact.kind === 'podPreempted') truth.preempted.push(fact.at);
    if (['podPreempted', 'podEvicted', 'podGone'].includes(fact.kind)) running.delete(fact.pod.uid);
    if (running.size < before) truth.lost.push(fact.at);
    if (running.size !== before) truth.ready.push({ at: fact.at, count: running.size });
  });
  return truth;
}
