import { handle } from '../../../../shared/core/handle';
import { readKept } from '../../../../shared/core/live/read-kept';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { statusOf } from '../../../../shared/core/status';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { tickNow } from '../handle/service';

const AT = '2026-11-16T08:00:00.000Z';
const EDIT = { by: 'ana', at: AT };
const KEPT = { hash: '1-a', ...EDIT, base: 2 };
const LUNCH = {
  name: 'lunch',
  timezone: 'UTC',
  start: '0 12 * * *',
  end: '0 14 * * *',
  desiredReplicas: 9,
  edit: EDIT,
};
const SALE = {
  name: 'sale',
  timezone: 'UTC',
  from: '2026-11-27T08:00',
  to: '2026-11-27 20:00',
  addNodes: '3',
  edit: EDIT,
};
const NIGHT = { name: 'night', remove: true, edit: EDIT };

describe('what a Deployment keeps of the live schedules', () => {
  test.each([
    ['a base', KEPT],
    ['no windows', { ...KEPT, schedules: [] }],
    ['windows, one-offs and removals', { ...KEPT, schedules: [LUNCH, SALE, NIGHT] }],
    ['dates that are left out', { ...KEPT, schedules: [{ ...LUNCH, excludeDates: ['2026-12-25'] }] }],
    ['a refusal', { ...KEPT, refused: { hash: '1-b', ...EDIT, problem: 'line 3' } }],
    ['a ConfigMap that is gone or cannot be read', { ...KEPT, goneSince: AT, unread: { since: AT, problem: '403' } }],
    ['NodePools that are not deployed', { ...KEPT, undeployed: ['old'] }],
  ])('is read as it was written: %s', (_name, kept) => {
    expect(readKept(JSON.stringify(kept))).toEqual(kept);
  });

  test('is nothing without the annotation', () => {
    expect(readKept(undefined)).toBeUndefined();
  });

  test.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a number', '7'],
    ['no hash', JSON.stringify({ by: 'ana', at: AT })],
    ['no editor', JSON.stringify({ hash: '1-a', at: AT })],
    ['no time', JSON.stringify({ hash: '1-a', by: 'ana', at: 'soon' })],
    ['too deep a nesting', `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`],
    ['too many characters', JSON.stringify({ ...KEPT, more: 'x'.repeat(40_000) })],
  ])('does not count at all, and says so, if the annotation has %s', (_name, text) => {
    const { base, schedules, hash, broken } = readKept(text) ?? {};
    expect([base, schedules, hash]).toEqual([undefined, undefined, '']);
    expect(text).toContain((broken ?? 'nothing').slice(0, 20));
  });

  test.each<[string, object, object, string]>([
    ['a base that is no number', { base: '2' }, { base: undefined }, 'base'],
    ['a base above every limit', { base: 5_001 }, { base: undefined }, 'base'],
    ['schedules that are no list', { schedules: {} }, { schedules: undefined }, 'schedules'],
    ['a refusal without a problem', { refused: { hash: '1', ...EDIT } }, { refused: undefined }, 'refused'],
    ['a deletion in no time', { goneSince: 'soon' }, { goneSince: undefined }, 'goneSince'],
    ['an unread ConfigMap in no time', { unread: { since: 7, problem: '' } }, { unread: undefined }, 'unread'],
    ['NodePools that are no names', { undeployed: [7] }, { undeployed: undefined }, 'undeployed'],
  ])('loses only what is broken: %s', (_name, edit, lost, named) => {
    const kept = readKept(JSON.stringify({ ...KEPT, ...edit }));
    expect(kept).toEqual({
      ...JSON.parse(JSON.stringify({ ...KEPT, ...lost })),
      broken: expect.stringContaining(named),
    });
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a text', 'lunch'],
    ['no name', { ...LUNCH, name: undefined }],
    ['a number as its name', { ...LUNCH, name: 7 }],
    ['a name that is too long', { ...LUNCH, name: 'x'.repeat(61) }],
    ['the name of an announced peak', { ...LUNCH, name: 'event:sale' }],
    ['no time zone', { ...LUNCH, timezone: undefined }],
    ['a number as its time zone', { ...LUNCH, timezone: 9 }],
    ['a time zone that does not exist', { ...LUNCH, timezone: 'Asia/Soul' }],
    ['a number as its start', { ...LUNCH, start: 12 }],
    ['a start that is no cron', { ...LUNCH, start: '99 * * * *' }],
    ['no end', { ...LUNCH, end: undefined }],
    ['an end that is its start', { ...LUNCH, end: '0  12 * * *' }],
    ['a one-off as well', { ...LUNCH, from: SALE.from, to: SALE.to }],
    ['an impossible day', { ...SALE, from: '2026-02-30T08:00' }],
    ['an end before its beginning', { ...SALE, to: '2026-11-26T08:00' }],
    ['no size', { ...LUNCH, desiredReplicas: undefined }],
    ['two sizes', { ...LUNCH, addNodes: 2 }],
    ['a size of 0', { ...LUNCH, desiredReplicas: 0 }],
    ['a size above every limit', { ...LUNCH, desiredReplicas: 5_001 }],
    ['half a size', { ...LUNCH, desiredReplicas: 1.5 }],
    ['a list as its size', { ...LUNCH, desiredReplicas: [3] }],
    ['dates that are no list', { ...LUNCH, excludeDates: '2026-12-25' }],
    ['dates that are none', { ...LUNCH, excludeDates: ['2026-02-30'] }],
    ['no edit', { ...LUNCH, edit: undefined }],
    ['an edit in no time', { ...LUNCH, edit: { by: 'ana', at: 'soon' } }],
    ['a removal that is none', { ...NIGHT, remove: false }],
    ['a removal with an editor that is a number', { ...NIGHT, edit: { by: 7, at: AT } }],
  ])('loses a window with %s, and the others count', (_name, wrong) => {
    const kept = readKept(JSON.stringify({ ...KEPT, schedules: [NIGHT, wrong, SALE] }));
    expect(kept).toEqual({ ...KEPT, schedules: [NIGHT, SALE], broken: expect.stringContaining('schedules') });
    // A list that lost all its windows does not mean that there are none.
    expect(readKept(JSON.stringify({ ...KEPT, schedules: [wrong] }))).toEqual({ ...KEPT, broken: expect.anything() });
  });

  test('has a window once: a second one of the same name is broken', () => {
    const kept = readKept(JSON.stringify({ ...KEPT, schedules: [LUNCH, { ...LUNCH, desiredReplicas: 1 }] }));
    expect(kept).toEqual({ ...KEPT, schedules: [LUNCH], broken: expect.anything() });
  });
});

describe('an annotation that somebody edited by hand', () => {
  const POOLS = '  web: {max: 12, base: 1}\n  batch: {max: 5, base: 1}\n';
  const TEXT =
    'nodePools: {web: {base: 2, schedules: [{name: lunch, timezone: UTC, start: 0 12 * * *, end: 0 14 * * *, desiredReplicas: 9}]}}';
  const beat = async (service: FakeRuntime, minutes = 1) => {
    service.time += minutes * 60_000;
    await handle(tickNow('heartbeat', service), service);
    return service.cluster.headroom('web')?.replicas;
  };
  const withoutTimezone = (service: FakeRuntime) =>
    service.cluster.edit('web', ({ annotations }) => ({
      annotations: {
        ...annotations,
        [ANNOTATIONS.live]: `${annotations[ANNOTATIONS.live]}`.replace('"timezone":"UTC",', ''),
      },
    }));

  async function edited(): Promise<FakeRuntime> {
    const service = new FakeRuntime(configOf(POOLS, '', ', liveSchedules: true'), Date.parse('2026-11-17T12:30:00Z'));
    service.cluster.configMap = { data: { text: TEXT }, binaryKeys: [], edit: EDIT };
    expect(await beat(service)).toBe(9);
    withoutTimezone(service);
    return service;
  }

  test('fails no function, and is a reason, a metric and a problem in status until the ConfigMap can be read', async () => {
    const service = await edited();
    service.cluster.fault = (call) => (call === 'live' ? new Error('503') : undefined);
    expect(await beat(service)).toBe(2);
    expect(service.counted.liveProblems).toBe(1);
    const [status] = await statusOf(service, service.time);
    expect(status?.liveProblem).toMatch(/^part of the annotation headstart.dev\/live cannot be read: .*lunch/);
    expect(status?.reasons).toContainEqual(expect.stringContaining('headstart.dev/live cannot be read'));
    service.readsLive = false;
    await handle({ headroom: 'web', atLeast: 4, for: '5m', reason: 'sale', by: 'bo' }, service);
    expect(service.cluster.headroom('web')?.replicas).toBe(4);
    service.readsLive = true;
    service.cluster.fault = () => undefined;
    expect(await beat(service)).toBe(9);
    expect((await statusOf(service, service.time))[0]).not.toHaveProperty('liveProblem');
  });
});
