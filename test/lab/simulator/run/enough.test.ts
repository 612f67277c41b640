import fc from 'fast-check';
import { RecordedHistory } from '../../../../lab/simulator/run/recorded-history';
import { Simulation } from '../../../../lab/simulator/run/simulation';
import type { Action, Scenario } from '../../../../lab/simulator/scenarios/scenario';
import type { PodWait } from '../../../../shared/report/history';
import { reportOf } from '../../../../shared/report/report';
import type { Waits } from '../../../../shared/report/waits';
import { configOf } from '../../../fakes/fake-runtime';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const FROM = Date.parse('2026-03-02T10:00:00Z');
/** A pod of the demo workload requests what a unit does. */
const UNIT = { cpu: 3, memory: 12 * 2 ** 30 };

/** What pods waited in an hour in which demand has grown at these minutes to so many pods, beside headroom of a size. */
async function waitsWith(base: number, demand: readonly (readonly [number, number])[], seed: number): Promise<Waits> {
  const config = configOf(`  room: {max: 40, base: ${base}, unit: {node: {cpu: 3, memory: 12Gi}}}\n`);
  const actions = demand.map(
    ([minute, pods]): Action => ({ kind: 'demand', pool: 'room', pods, at: FROM + minute * MINUTE }),
  );
  const scenario: Scenario = {
    id: 'steps',
    title: 'Steps',
    description: () => '',
    startsAt: () => FROM,
    actions: (_, from, to) => actions.filter(({ at }) => at >= from && at < to),
  };
  const simulation = new Simulation({
    config,
    scenario,
    seed,
    after: FROM,
    nodeDelay: { medianSeconds: 60, spread: 0 },
  });
  const history = new RecordedHistory(simulation);
  const waits: PodWait[] = [];
  const created = new Map<string, number>();
  simulation.cluster.engine.on((fact) => {
    if (!('pod' in fact) || fact.pod.namespace === config.cluster.namespace) return;
    if (fact.kind === 'podCreated') created.set(fact.pod.uid, fact.at);
    const since = created.get(fact.pod.uid);
    if (fact.kind !== 'podScheduled' || since === undefined) return;
    created.delete(fact.pod.uid);
    const [start, end] = [since, fact.at].map((at) => Math.floor(at / 1_000)) as [number, number];
    waits.push({ at: start * 1_000, seconds: end - start, workload: 'shop/web', ...UNIT });
  });
  await simulation.begin();
  const span = { from: simulation.startedAt, to: simulation.startedAt + HOUR };
  await simulation.runUntil(span.to);
  const known = { ...history, starts: history.starts, waits: new Map([['room', waits.sort((a, b) => a.at - b.at)]]) };
  return reportOf(config, span, known).pools[0]?.waits as Waits;
}

test('with the size that report says would have been enough nobody waits; after a single burst somebody does with one unit less', async () => {
  const growth = fc.array(fc.tuple(fc.integer({ min: 2, max: 50 }), fc.integer({ min: 3, max: 9 })), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(growth, fc.nat(1_000), async (steps, seed) => {
      const sorted = [...steps].sort(([a], [b]) => a - b);
      const upTo = (index: number) => sorted.slice(0, index + 1).reduce((sum, [, more]) => sum + more, 0);
      const demand = sorted.map(([minute], index) => [minute, upTo(index)] as const);
      const { size = 0 } = (await waitsWith(1, demand, seed)).enough ?? {};
      const doesWait = async (base: number) => (await waitsWith(base, demand, seed)).stillWaited.length > 0;
      expect([size, await doesWait(size)]).toEqual([size, false]);
      // Bursts less than ten seconds more than a node start apart may do with less, because such a wait is not counted.
      if (steps.length === 1) expect([size, await doesWait(size - 1)]).toEqual([size, true]);
    }),
    { numRuns: 10, endOnFailure: true },
  );
});
