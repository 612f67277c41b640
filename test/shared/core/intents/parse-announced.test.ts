import { hashText } from '../../../../shared/core/basics/names';
import { announcementParser } from '../../../../shared/core/intents/parse-announced';
import { configOf } from '../../../fakes/fake-runtime';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/parse-announced.txt`);
const NOW = Date.parse('2026-11-18T09:00:00Z');
const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000];
const parse = announcementParser(
  configOf(`
  web:
    max: 12
    events:
      - {name: campaign, pattern: {source: [cms]}, from: $.detail.from, to: '$.detail.times[0].to', key: $.detail.id, desiredReplicas: 6}
      - {name: import, pattern: {source: [s3]}, hold: 30m, desiredReplicas: 3}
`),
);
const iso = (instant: number) => new Date(instant).toISOString();
const [FROM, TO] = [NOW + HOUR, NOW + 2 * HOUR];

interface Sent {
  readonly id?: unknown;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly time?: unknown;
  readonly ingestedAt?: unknown;
  readonly announced?: unknown;
}

/** A message as the rule's transformer writes it. */
function message({
  id = 'c1',
  from = iso(FROM),
  to = iso(TO),
  time = iso(NOW),
  ingestedAt = iso(NOW),
  announced,
}: Sent) {
  return {
    announced: announced ?? { headroom: 'web', event: 'campaign' },
    ingestedAt,
    event: { time, detail: { id, from, times: [{ to }] } },
  };
}
const read = (sent: Sent, receivedAt = NOW) => parse(message(sent), receivedAt);
const known = { kind: 'announcement', headroom: 'web', event: 'campaign' };
const peak = { key: 'campaign c1', at: NOW, from: FROM, to: TO };

test.each<{ name: string; sent: Sent; reads: object }>([
  { name: 'a peak', sent: {}, reads: peak },
  {
    name: 'whole seconds, so that no part of it is lost',
    sent: { time: iso(NOW + 999), from: iso(FROM + 999), to: iso(TO + 1) },
    reads: { ...peak, to: TO + SECOND },
  },
  { name: 'a number as its key', sent: { id: 17 }, reads: { ...peak, key: 'campaign 17' } },
  { name: 'a key of every plain kind', sent: { id: 'a_Z.0:/@-' }, reads: { ...peak, key: 'campaign a_Z.0:/@-' } },
  {
    name: 'the longest plain key',
    sent: { id: 'x'.repeat(40) },
    reads: { ...peak, key: `campaign ${'x'.repeat(40)}` },
  },
  {
    name: 'a longer key',
    sent: { id: 'x'.repeat(41) },
    reads: { ...peak, key: `campaign ${hashText('x'.repeat(41))}` },
  },
  { name: 'a key with a space', sent: { id: 'a b' }, reads: { ...peak, key: `campaign ${hashText('a b')}` } },
  {
    name: 'a time ahead of its ingestion',
    sent: { time: iso(NOW), ingestedAt: iso(NOW - HOUR) },
    reads: { ...peak, at: NOW - HOUR },
  },
  {
    name: 'a time as far ahead of the clock as clocks differ',
    sent: { time: iso(NOW + 60 * SECOND), ingestedAt: iso(NOW + 60 * SECOND) },
    reads: { ...peak, at: NOW + 60 * SECOND },
  },
  {
    name: 'the furthest begin',
    sent: { from: iso(NOW + 31 * DAY), to: iso(NOW + 31 * DAY + HOUR) },
    reads: { ...peak, from: NOW + 31 * DAY, to: NOW + 31 * DAY + HOUR },
  },
  { name: 'the longest peak', sent: { to: iso(FROM + 7 * DAY) }, reads: { ...peak, to: FROM + 7 * DAY } },
  { name: 'the oldest message', sent: { time: iso(NOW - DAY) }, reads: { ...peak, at: NOW - DAY } },
  {
    name: 'a cancellation',
    sent: { announced: { headroom: 'web', event: 'campaign', cancel: true } },
    reads: { key: 'campaign c1', at: NOW },
  },
])('$name is read', ({ sent, reads }) => {
  expect(read(sent)).toStrictEqual({ ...known, peak: reads });
});

test.each([
  { time: '2026-11-18T09:00:00Z', to: '2026-11-18T09:30:00Z' },
  { time: '2026-11-18T09:00:01Z', to: '2026-11-18T09:31:00Z' },
])('a hold counts from the event of $time until $to', ({ time, to }) => {
  const announced = { headroom: 'web', event: 'import' };
  expect(read({ time, announced })).toStrictEqual({
    ...{ kind: 'announcement', headroom: 'web', event: 'import' },
    peak: { key: 'import *', at: Date.parse(time), from: Date.parse(time), to: Date.parse(to) },
  });
});

test.each([
  { headroom: 'web', event: 'gone' },
  { headroom: 'gone', event: 'campaign' },
])('what the config does not name any more is no peak: $nodePool, $event', (announced) => {
  expect(read({ announced })).toStrictEqual({ kind: 'announcement', ...announced });
});

// What is said is in parse-announced.txt, below what was sent.
test.each<Sent>([
  { announced: 3 },
  { announced: { event: 'campaign' } },
  { announced: { headroom: 'web' } },
  ...[
    'soon',
    iso(NOW + 61 * SECOND),
    '0001-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    'Mon, 30 Feb 2026 00:00:00 GMT',
  ].flatMap((time) => [{ time }, { ingestedAt: time }]),
  { time: iso(NOW - DAY - SECOND) },
  { from: '0001-01-01T00:00:00Z', to: '0001-01-02T00:00:00Z' },
  { to: '2026-02-29T10:00:00+01:00' },
  { from: 'soon' },
  { to: null },
  { to: iso(FROM) },
  { from: iso(NOW + 31 * DAY + SECOND), to: iso(NOW + 32 * DAY) },
  { to: iso(FROM + 7 * DAY + SECOND) },
  ...['', true, null].map((id) => ({ id })),
])('a message is refused with the field: %j', (sent) => {
  expect(() => read(sent)).toThrow();
  try {
    read(sent);
  } catch (error) {
    said(JSON.stringify(sent), (error as Error).message);
  }
});

test('a message is refused that is none, or without its event', () => {
  expect(() => parse(3, NOW)).toThrow('event has no object at the top, got 3');
  expect(() => parse({ announced: { headroom: 'web', event: 'campaign' } }, NOW)).toThrow(
    'event has no object at event, got nothing',
  );
});

test('a path leads through what an event has of its own', () => {
  const { event, ...rest } = message({});
  for (const detail of [undefined, null, 'text', [], Object.create({ id: 'inherited' })])
    expect(() => parse({ ...rest, event: { ...event, detail } }, NOW)).toThrow('event needs');
});
