import fc from 'fast-check';
import { PermanentError } from '../../shared/core/basics/errors';
import { decide } from '../../shared/core/decision/decide';
import { deliveriesOf, parseDeliveries } from '../../shared/core/events/deliveries';
import type { HeadstartEvent } from '../../shared/core/events/event';
import { parseEvent } from '../../shared/core/events/parse-event';
import { intentsFor } from '../../shared/core/intents/intents-for';
import { overrideIntents } from '../../shared/core/intents/override-intents';
import type { NodeClaimFacts } from '../../shared/core/ports/ports';
import { readRecord, writeRecord } from '../../shared/core/record/record-codec';
import { loadEvent } from '../events/load-event';
import { configOf } from '../fakes/fake-runtime';
import { updatedRecord } from '../fakes/updated-record';
import { fuzz, RUNS } from './fuzz';
import { hostileValue, received, spoiled, textOfHostile } from './hostile';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const config = configOf(`
  web: {max: 9, base: 1, alarms: [{alarmName: p95-high, add: 2}], interruptions: {surge: 1, on: [spot, rebalance, health, stateChange]}}
`);
const SAMPLES = [
  ...['state-change', 'direct-action', 'composite-alarm'].map((name) => `alarm-${name}`),
  ...'capacity-reservation health-scheduled-change instance-state-change rebalance-recommendation'.split(' '),
  ...['spot-interruption', 'heartbeat'],
].map((name) => loadEvent(name));

const anyEvent = fc.oneof(
  { weight: 6, arbitrary: fc.oneof(...SAMPLES.map(spoiled)) },
  fc.record({ source: hostileValue, 'detail-type': hostileValue, time: hostileValue, detail: hostileValue }),
  hostileValue,
);

/** What was read is what the rest of the way works with: it leads to a size and to a record that can be read again. */
function checkParsed(raw: unknown): number {
  const { events, rejected } = parseDeliveries(deliveriesOf(raw), parseEvent, NOW);
  for (const { reason, excerpt } of rejected) expect(reason.length + excerpt.length).toBeLessThan(1_500);
  const claims = new Map(
    events.flatMap(({ event }) =>
      event.kind === 'interruption'
        ? event.instanceIds.map((instanceId) => [instanceId, { instanceId, nodePool: 'web', deleting: false }] as const)
        : [],
    ),
  );
  for (const { event } of events) {
    if (event.kind === 'override') continue;
    const intents = intentsOrRejection(event, claims);
    for (const pool of intents ? config.headrooms : []) {
      const { record } = updatedRecord({ pool, current: undefined, intents: intents ?? [], now: NOW });
      const { replicas } = decide({ pool, record, now: NOW });
      expect(replicas).toBeGreaterThanOrEqual(1);
      expect(replicas).toBeLessThanOrEqual(9);
      expect(readRecord(writeRecord(record))).toEqual({ record });
    }
  }
  return events.length;
}

/** A tick that is far from the clock is rejected only here. */
function intentsOrRejection(event: HeadstartEvent, claims: ReadonlyMap<string, NodeClaimFacts>) {
  try {
    return intentsFor(event, { config, receivedAt: NOW, claims, overrideIntents }).intents;
  } catch (error) {
    if (!(error instanceof PermanentError) || event.kind !== 'tick') throw error;
    expect(error.message.length).toBeLessThan(200);
    return undefined;
  }
}

test('any event is one that we know, nothing for us, or rejected in one short sentence', () => {
  let read = 0;
  fuzz(anyEvent, (event) => {
    read += checkParsed(received(event));
  });
  expect(read).toBeGreaterThan(RUNS / 10);
});

const body = fc.oneof(
  { weight: 3, arbitrary: anyEvent.map(textOfHostile) },
  hostileValue,
  fc.string(),
  fc.constantFrom('[', '{', '"', '[['.repeat(50_000), `{"detail":${'['.repeat(50_000)}`),
);
const batch = fc.array(
  fc.oneof({ weight: 5, arbitrary: fc.record({ messageId: fc.oneof(fc.string(), hostileValue), body }) }, hostileValue),
  { maxLength: 5 },
);

test('any batch of messages is read message by message, and one that cannot be read costs the others nothing', () => {
  let read = 0;
  const good = JSON.stringify(loadEvent('spot-interruption'));
  fuzz(fc.tuple(batch, fc.nat({ max: 5 })), ([messages, place]) => {
    const sent = received(messages) as readonly unknown[];
    const Records = [...sent.slice(0, place), { messageId: 'good', body: good }, ...sent.slice(place)];
    const { events } = parseDeliveries(deliveriesOf({ Records }), parseEvent, NOW);
    expect(events.some(({ id }) => id === 'good')).toBe(true);
    read += checkParsed({ Records }) - 1;
  });
  expect(read).toBeGreaterThan(RUNS / 10);
});
