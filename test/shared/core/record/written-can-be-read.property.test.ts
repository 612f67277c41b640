import fc from 'fast-check';
import type { Config } from '../../../../shared/core/config/config';
import { handle, handleAnnounced } from '../../../../shared/core/handle';
import { readKept } from '../../../../shared/core/live/read-kept';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { readRecord, writeRecord } from '../../../../shared/core/record/record-codec';
import { loadEvent } from '../../../events/load-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { message, tickNow } from '../handle/service';

const MINUTE = 60_000;
const ZONES = ['UTC', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Niue', 'Australia/Lord_Howe'];
const OFFSETS = ['Z', '+14:00', '-12:00', '+00:01', '-23:59', '+0000'];
/** Local times at the edges of what calendars, clocks and records know. */
const EDGES = [
  '0001-01-01T00:00:00',
  '1582-10-10T00:00:00',
  '1969-12-31T23:59:59',
  '1970-01-01T00:00:00',
  '2024-02-29T12:00:00',
  '2026-02-29T12:00:00',
  '2026-02-30T12:00:00',
  '2026-03-08T02:30:00',
  '2026-11-01T01:30:00',
  '2026-11-18T08:00:00',
  '2026-11-18T09:00:30',
  '2026-12-31T23:59:59',
  '2099-01-01T00:00:00',
  '9999-12-30T23:59:59',
  '9999-12-31T00:00:00',
  '9999-12-31T23:59:00',
];
/** Starts from a clock change, a leap day and an ordinary day on. */
const CLOCKS = ['2026-03-08T07:00:00Z', '2026-11-01T05:59:00Z', '2028-02-29T23:59:30Z', '2026-11-18T09:00:00Z'];

const once = (zone: string, from: string, to: string, size: string, index: number) =>
  `{name: w${index}, timezone: ${zone}, from: '${from}', to: '${to}', ${size}}`;
const minuteOf = (edge: string) => edge.slice(0, 16);
/** Recurring edges: always, once in four years, across clock changes, at the last minute of a year, never. */
const CRONS = ['* * * * *', '0 0 29 2 *', '30 2 8 3 *', '30 1 1 11 *', '59 23 31 12 *', '0 9 * * 3', '0 0 30 2 *'];
const recurring = (zone: string, start: string, end: string, size: string, index: number) =>
  `{name: w${index}, timezone: ${zone}, start: '${start}', end: '${end}', ${size}}`;
const anySize = fc.constantFrom('addNodes: 3', 'desiredReplicas: 4');
/** By its place in the list, which names it. */
const anyWindow: fc.Arbitrary<(index: number) => string> = fc.oneof(
  fc.tuple(fc.constantFrom(...ZONES), fc.constantFrom(...EDGES), fc.constantFrom(...EDGES), anySize).map(
    ([zone, from, to, size]) =>
      (index: number) =>
        once(zone, minuteOf(from), minuteOf(to), size, index),
  ),
  fc.tuple(fc.constantFrom(...ZONES), fc.constantFrom(...CRONS), fc.constantFrom(...CRONS), anySize).map(
    ([zone, start, end, size]) =>
      (index: number) =>
        recurring(zone, start, end, size, index),
  ),
);

/** A floor and room with windows; what no config may say is left out. */
const anyConfig = fc.array(anyWindow, { maxLength: 3 }).map((windows): Config => {
  const loads = (schedules: readonly string[]) => {
    const events = (size: string) =>
      `events: [{name: campaign, pattern: {source: [cms]}, from: $.detail.from, to: $.detail.to, key: $.detail.id, ${size}}, {name: import, pattern: {source: [s3]}, hold: 30m, ${size}}]`;
    const common = 'max: 9, alarms: [{alarmName: p95-high, add: 2}], interruptions: {surge: 1, hold: 24h}';
    return configOf(
      `
  floor: {${common}, leadTime: auto, unit: {floor: {cpu: 4}}, schedules: [${schedules.join(', ')}], ${events('addNodes: 2')}}
  room: {${common}, ${events('desiredReplicas: 2')}}
`,
      '',
      ', liveSchedules: true',
    );
  };
  const schedules = windows.map((window, index) => window(index));
  const valid = schedules.filter((one) => {
    try {
      return loads([one]) !== undefined;
    } catch {
      return false;
    }
  });
  return loads(valid);
});

const anyTime = fc
  .tuple(fc.constantFrom(...EDGES), fc.constantFrom(...OFFSETS))
  .map(([edge, offset]) => `${edge}${offset}`);
type Sent = (service: FakeRuntime) => Promise<unknown>;
const INSTANCE = 'i-0a1b2c3d4e5f60001';

const announcement = (headroom: string, event: string, cancel: boolean, times: readonly string[]) => {
  const [time = '', ingestedAt = '', from = '', to = ''] = times;
  return { announced: { headroom, event, cancel }, ingestedAt, event: { time, detail: { id: 'a', from, to } } };
};
const quietly = (work: Promise<unknown>) => work.catch(() => undefined);
const anyAnnouncement = fc
  .tuple(
    fc.constantFrom('floor', 'room'),
    fc.constantFrom('campaign', 'import'),
    fc.boolean(),
    fc.array(fc.option(anyTime, { nil: '' }), { minLength: 4, maxLength: 4 }),
  )
  .map(
    ([pool, event, cancel, times]): Sent =>
      (service) => {
        const known = times.map((time) => time || new Date(service.time).toISOString());
        const Records = [message(announcement(pool, event, cancel, known))];
        return handleAnnounced({ Records }, { ...service, ports: service.ports, accepts: 'announcement' });
      },
  );
const anySent: fc.Arbitrary<Sent> = fc.oneof(
  fc.constant<Sent>((service) => handle(tickNow('heartbeat', service), service)),
  fc.constant<Sent>((service) => {
    service.time += MINUTE;
    return handle(tickNow('heartbeat', service), service);
  }),
  anyAnnouncement,
  anyAnnouncement,
  fc.tuple(fc.array(anyWindow, { maxLength: 3 }), fc.constantFrom('floor', 'room'), fc.constantFrom(...CLOCKS)).map(
    ([windows, pool, at]): Sent =>
      (service) => {
        const schedules = windows.map((window, index) => window(index)).join(', ');
        const text = `nodePools: {${pool}: {schedules: [${schedules}]}}`;
        service.cluster.configMap = { data: { 'schedules.yaml': text }, binaryKeys: [], edit: { by: 'ana', at } };
        return handle(tickNow('heartbeat', service), service);
      },
  ),
  fc.tuple(anyTime, fc.constantFrom('ALARM', 'OK')).map(
    ([timestamp, value]): Sent =>
      (service) =>
        quietly(handle(loadEvent('alarm-direct-action', alarmData(timestamp, value)), service)),
  ),
  fc.tuple(anyTime, fc.constantFrom('ALARM', 'OK')).map(
    ([at, state]): Sent =>
      async (service) => {
        const read = Date.parse(at);
        if (!Number.isNaN(read)) service.alarmStates.set('p95-high', { state: state as 'OK', at: read });
      },
  ),
  anyTime.map(
    (time): Sent =>
      (service) =>
        quietly(handle(loadEvent('spot-interruption', { time }), service)),
  ),
  fc.tuple(anyTime, anyTime, fc.constantFrom('floor', 'room')).map(
    ([until, at, headroom]): Sent =>
      (service) =>
        quietly(handle({ headroom, atLeast: 2, until, at }, service)),
  ),
  fc.tuple(anyTime, fc.constantFrom('24h', '1m')).map(
    ([at, length]): Sent =>
      (service) =>
        quietly(handle({ headroom: 'floor', addNodes: 2, for: length, at }, service)),
  ),
);

function alarmData(timestamp: string, value: string) {
  const state = { value, reason: '', timestamp };
  return { alarmData: { alarmName: 'p95-high', state, previousState: { ...state, value: 'ALARM' } } };
}

test('every record that is written can be read, whatever the config and the times of events', async () => {
  let [announced, live] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      anyConfig,
      fc.constantFrom(...CLOCKS),
      fc.array(anySent, { maxLength: 12 }),
      async (config, clock, all) => {
        const service = new FakeRuntime(config, Date.parse(clock));
        service.cluster.nodeClaims = [{ instanceId: INSTANCE, nodePool: 'floor', deleting: false }];
        for (const send of [...all, (last: FakeRuntime) => handle(tickNow('heartbeat', last), last)]) {
          await send(service);
          for (const { name } of config.headrooms) {
            const { annotations = {} } = service.cluster.headroom(name) ?? {};
            const text = annotations[ANNOTATIONS.record];
            const read = readRecord(text);
            expect({ text, ...read }).toStrictEqual({ text, record: read.record });
            if (text !== undefined) expect(writeRecord(read.record)).toBe(text);
            expect(annotations[ANNOTATIONS.quarantined]).toBeUndefined();
            announced += Object.keys(read.record.announced ?? {}).length;
            const kept = readKept(annotations[ANNOTATIONS.live]);
            expect(kept?.broken).toBeUndefined();
            live += kept?.schedules?.length ?? 0;
          }
        }
      },
    ),
    { numRuns: 300, seed: 20_261_118 },
  );
  expect(announced).toBeGreaterThan(20);
  expect(live).toBeGreaterThan(20);
}, 60_000);

test('a one-off of a floor until the last day of 9999 is written so that it can be read', async () => {
  const service = new FakeRuntime(
    configOf(
      `  web: {max: 9, unit: {floor: {cpu: 4}}, schedules: [${once('America/New_York', '2026-11-01T00:00', '9999-12-31T23:59', 'addNodes: 3', 0)}]}\n`,
    ),
    Date.parse('2026-11-18T09:00:00Z'),
  );
  for (let beat = 0; beat < 3; beat += 1) await handle(tickNow('heartbeat', service), service);
  const { annotations = {} } = service.cluster.headroom('web') ?? {};
  expect(annotations[ANNOTATIONS.quarantined]).toBeUndefined();
  expect(Object.values(readRecord(annotations[ANNOTATIONS.record]).record.counts ?? {})).toHaveLength(1);
});
