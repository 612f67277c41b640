import fc from 'fast-check';
import { commandsFor } from '../../../../cli/input/commands';
import { drawStatus } from '../../../../cli/status/draw-status';
import type { PoolView, Snapshot } from '../../../../lab/console/snapshot/snapshot';
import { commonView } from '../../../../lab/console/sources/common-view';
import { Meter } from '../../../../lab/simulator/run/meter';
import { nextDecision } from '../../../../shared/core/decision/next-decision';
import { fakeTerminal } from '../../../cli/run-cli';
import { cluster, DAY, observed, type RandomCluster, type Seen } from './random-clusters';

/** Every number in a text that stands before these words. */
function numbersBefore(words: string, text: string): number[] {
  return [
    ...text.matchAll(new RegExp(`(\\d+) (?:(?:more )?(?:nodes?|slices?|pause pods?) )?${words}(?=[,.;\\n ]|$)`, 'g')),
  ].map(([, number]) => Number(number));
}

function expectTrue(text: string, { wanted, ready, inUse, free, missing }: PoolView): void {
  for (const [, part, whole] of text.matchAll(/(\d+) of (\d+)/g)) {
    expect(Number(part)).toBeLessThanOrEqual(Number(whole));
    expect([Number(part), Number(whole)]).toEqual([ready, wanted]);
  }
  const said = { 'in use': inUse, free, missing };
  for (const [words, figure] of Object.entries(said))
    for (const number of numbersBefore(words, text)) expect([words, number]).toEqual([words, figure]);
}

function expectTrueCard(pool: PoolView): void {
  const { wanted, ready, inUse, free, missing, leaving, sentence, next } = pool;
  expect(inUse + free + missing).toBe(wanted);
  for (const figure of [inUse, free, missing, leaving, wanted - ready]) expect(figure).toBeGreaterThanOrEqual(0);
  expectTrue(sentence, pool);
  if (/on the way|not all of them ready/.test(sentence)) expect(missing).toBeGreaterThan(0);
  if (/, ready(\.|$)/.test(sentence)) expect(missing).toBe(0);
  expect(sentence).toContain(next ? `Next, ${next.edge}: ${next.units}.` : 'No change scheduled.');
  if (next) expect(next.edge).toMatch(/ (opens|closes|ends) \d{4}-/);
}

function expectTrueHeader({ pools, headroom, clock }: Pick<Snapshot, 'pools' | 'headroom' | 'clock'>): void {
  const coming = pools.flatMap(({ next }) => next?.at ?? []);
  expect(clock.next?.at).toBe(coming.length > 0 ? Math.min(...coming) : undefined);
  if (clock.next) expect(pools.map(({ name, next }) => `${name}: ${next?.edge}`)).toContain(clock.next.label);
  expect(headroom.ready).toBeLessThanOrEqual(headroom.wanted);
  for (const [words, of] of [
    ['in use', 'inUse'],
    ['free', 'free'],
    ['missing', 'missing'],
  ] as const) {
    const sum = pools.reduce((total, pool) => total + pool[of], 0);
    for (const number of numbersBefore(words, headroom.text)) expect(number).toBe(sum);
  }
}

/** The figures that status prints of the same headroom. */
function statusOf({ config, records, now }: RandomCluster, index: number, one: Seen): string {
  const [pool, record] = [config.headrooms[index], records[index]];
  if (!pool || !record) throw new Error('no such headroom');
  const next = nextDecision({ pool, record, now });
  const { replicas, ready = replicas, inUse } = one;
  const status = {
    ...{ headroom: pool.name, wanted: replicas, replicas, ready, shortfall: Math.max(0, replicas - ready) },
    ...{ reasons: [], intents: record },
    ...(next && { next: { at: new Date(next.at).toISOString(), replicas: next.replicas, reasons: [] } }),
  };
  const use = { ok: true, value: { nodes: ready, inUse: inUse ?? 0 } } as const;
  const isCounted = pool.unit.kind === 'floor' && inUse !== undefined;
  const view = { status, timezone: 'UTC', pool, why: [], ...(isCounted && { use }) };
  const seen = { clusterName: 'demo', place: 'here', now, commands: commandsFor({}, fakeTerminal()), pools: [view] };
  const [, ...lines] = drawStatus(seen, { width: 200, colours: false }).split('\n');
  return lines.filter((line) => /^h\d|^ {2}in use/.test(line)).join('\n');
}

test('no sentence of the page or of status contradicts the figures beside it, whatever the cluster', () => {
  fc.assert(
    fc.property(cluster, (generated) => {
      const seen = observed(generated);
      const { config, histories, now } = seen;
      const content = { nodes: [], nodeClaims: [], pods: [], headrooms: [], events: () => [] };
      const clock = { now, startedAt: DAY, speed: 1, paused: true };
      const page = commonView({ config, decisions: [], meter: new Meter(now) }, histories, content, clock);
      expectTrueHeader(page);
      for (const [index, pool] of page.pools.entries()) {
        expectTrueCard(pool);
        expectTrue(statusOf(seen, index, generated.headrooms[index]?.[1] as Seen), pool);
      }
    }),
    { numRuns: 60 },
  );
});
