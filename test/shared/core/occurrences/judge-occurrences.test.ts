import type { HeadroomConfig } from '../../../../shared/core/config/config';
import { judgeOccurrences } from '../../../../shared/core/occurrences/judge-occurrences';
import type { HeadroomRecord, Override, RequestRecord } from '../../../../shared/core/record/record';
import { configOf } from '../../../fakes/fake-runtime';

const utc = (time: string) => Date.parse(`2026-11-17T${time}:00Z`);
const [pool] = configOf(
  '  web: {max: 8, leadTime: 5m, schedules: [{name: lunch, timezone: UTC, start: 0 12 * * *, end: 0 14 * * *, desiredReplicas: 6}]}\n',
).headrooms;
if (!pool) throw new Error('no pool');
const KEY = 'lunch@2026-11-17T12:00:00.000Z';
const asked = (more: Partial<RequestRecord> = {}) => ({ [KEY]: { at: utc('11:55'), ...more } });
const pin: Override = {
  ...{ mode: 'exactly', replicas: 0, at: utc('11:00'), until: utc('13:00'), by: 'ana', reason: 'x' },
};

/** What is recorded of lunch, and the verdict on it, if it is new. */
async function judged(time: string, ready: number | undefined, more: Partial<HeadroomRecord>, starts?: object) {
  const record = { alarms: {}, surges: {}, requests: asked(), ...more };
  const seen = { nodePoolOf: () => ({ name: 'web', taints: [] }), startsOf: async () => [], ...starts };
  const current = ready === undefined ? undefined : { ready };
  const facts = { current, seen } as unknown as Parameters<typeof judgeOccurrences>[3];
  const result = await judgeOccurrences(record, pool as HeadroomConfig, utc(time), facts);
  return { lunch: result.record.requests?.[KEY], verdicts: result.verdicts, isSame: result.record === record, result };
}

const lunch = { window: 'lunch', start: utc('12:00') };

test.each([
  { name: 'as soon as its nodes are ready', time: '11:58', ready: 6 },
  { name: 'at its start', time: '12:00', ready: 7 },
  { name: 'late, in the end', time: '12:10', ready: 6 },
])('an occurrence is ready $name, and that is said once', async ({ time, ready }) => {
  const { lunch: recorded, verdicts } = await judged(time, ready, {});
  expect(recorded).toStrictEqual({ at: utc('11:55'), ready: utc(time) });
  expect(verdicts).toStrictEqual([{ ...lunch, ready: true }]);
  expect((await judged('12:30', 0, { requests: asked({ ready: utc(time) }) })).isSame).toBe(true);
});

test.each([undefined, 5])('before its start nothing is said of nodes that are missing (%s ready)', async (ready) => {
  const { lunch: recorded, verdicts } = await judged('11:59', ready, {});
  expect([recorded, verdicts]).toEqual([{ at: utc('11:55') }, []]);
});

test('at its start it is late, with a cause, and that is said once', async () => {
  const { lunch: recorded, verdicts } = await judged('12:00', 5, {});
  expect(recorded).toEqual({ at: utc('11:55'), why: expect.stringMatching(/./) });
  expect(verdicts).toStrictEqual([{ ...lunch, ready: false, why: recorded?.why }]);
});

test('its cause is found anew when node starts were read, and is not said again', async () => {
  const known = { requests: asked({ why: 'old' }) };
  expect(await judged('12:01', 5, known)).toMatchObject({ lunch: { why: 'old' }, verdicts: [] });
  const { lunch: recorded, verdicts } = await judged('12:01', 5, known, { starts: new Map() });
  expect(recorded?.why).not.toBe('old');
  expect(verdicts).toEqual([]);
});

test('ready after it was late is said with the cause', async () => {
  expect((await judged('12:05', 6, { requests: asked({ why: 'slow' }) })).verdicts).toStrictEqual([
    { ...lunch, ready: true, why: 'slow' },
  ]);
});

describe('a pin decides the size', () => {
  test('so an occurrence that begins meanwhile gets no verdict', async () => {
    const { result, verdicts } = await judged('12:00', 0, { override: pin });
    expect(result.record).toStrictEqual({ alarms: {}, surges: {}, override: pin });
    expect(verdicts).toEqual([]);
  });

  test('before its start it is still waited for', async () => {
    expect((await judged('11:59', 0, { override: pin })).lunch).toEqual({ at: utc('11:55') });
  });

  test('one that was late before stays so', async () => {
    const late = asked({ why: 'slow' });
    expect((await judged('12:05', 0, { override: pin, requests: late })).lunch).toEqual(late[KEY]);
  });

  test('nodes that are ready all the same are ready', async () => {
    expect((await judged('12:00', 6, { override: pin })).verdicts).toMatchObject([{ ready: true }]);
  });
});
