import type { Config } from '../../../../shared/core/config/config';
import { handle } from '../../../../shared/core/handle';
import { readKept } from '../../../../shared/core/live/read-kept';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import type { Response } from '../../../../shared/core/respond';
import { statusOf } from '../../../../shared/core/status';
import { loadEvent } from '../../../events/load-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { record, tickNow } from './service';

const LIVE = ', liveSchedules: true';
const POOLS = `
  web:
    max: 12
    leadTime: 5m
    schedules:
      - {name: lunch, timezone: UTC, start: 0 12 * * *, end: 0 14 * * *, desiredReplicas: 6}
      - {name: night, timezone: UTC, start: 0 2 * * *, end: 0 4 * * *, desiredReplicas: 2}
  batch: {max: 5, base: 1}
`;
const utc = (time: string) => Date.parse(`2026-11-17T${time}:00Z`);
const EDIT = { by: 'kubectl', at: '2026-11-17T09:02:00Z' };
const lunch = (size: number, more = '') =>
  `{name: lunch, timezone: UTC, start: 0 12 * * *, end: 0 14 * * *, desiredReplicas: ${size}${more}}`;
const textOf = (...schedules: string[]) =>
  `nodePools:\n  web:\n    schedules:\n${schedules.map((one) => `      - ${one}\n`).join('')}`;

function made(time = '12:30', config: Config = configOf(POOLS, '', LIVE)): FakeRuntime {
  return new FakeRuntime(config, utc(time));
}
function put(service: FakeRuntime, text: string, edit = EDIT): void {
  service.cluster.configMap = { data: { 'schedules.yaml': text }, binaryKeys: [], edit };
}
async function beat(service: FakeRuntime, time?: string): Promise<number | undefined> {
  if (time) service.time = utc(time);
  await handle(tickNow('heartbeat', service), service);
  return service.cluster.headroom('web')?.replicas;
}
const failing = (service: FakeRuntime, time?: string) => beat(service, time).catch(() => size(service));
const size = (service: FakeRuntime, pool = 'web') => service.cluster.headroom(pool)?.replicas;
const kept = (service: FakeRuntime, pool = 'web') =>
  readKept(service.cluster.headroom(pool)?.annotations[ANNOTATIONS.live]);
const refusals = ({ emitted }: FakeRuntime) => emitted.filter(({ regarding }) => regarding.kind === 'ConfigMap');
const reads = (service: FakeRuntime) => service.cluster.calls.filter((call) => call === 'live').length;

describe('a window that is edited in the cluster', () => {
  test('counts from the next heartbeat, with its source, and the others stay', async () => {
    const service = made();
    expect(await beat(service)).toBe(6);
    put(service, textOf(lunch(9)));
    expect(await beat(service, '12:31')).toBe(9);
    const [status] = await statusOf(service, service.time);
    expect(status?.reasons).toEqual([
      'lunch (live since 2026-11-17T09:02Z by kubectl) open since 2026-11-17T12:00Z: 9 nodes',
    ]);
    expect(status?.next).toMatchObject({ at: '2026-11-17T14:00:00.000Z', replicas: 0 });
    expect(await beat(service, '03:00')).toBe(2);
  });

  test('is asked for one heartbeat before its lead time, for no schedule fires on it', async () => {
    const service = made('11:53');
    put(service, textOf(lunch(9)));
    expect(await beat(service)).toBe(0);
    expect(await beat(service, '11:54')).toBe(9);
  });

  test('counts in the other functions as it is kept, without a read, and is passed on', async () => {
    const service = made();
    put(service, textOf(lunch(9)));
    await beat(service);
    service.readsLive = false;
    put(service, textOf(lunch(3)));
    const before = kept(service);
    await handle({ headroom: 'web', atLeast: 10, for: '5m', reason: 'sale', by: 'ana' }, service);
    expect(size(service)).toBe(10);
    expect(kept(service)).toEqual(before);
    expect(await beat(service, '12:36')).toBe(9);
    expect(reads(service)).toBe(1);
  });

  test('writes nothing while nothing changes, and reads the text once', async () => {
    const service = made();
    put(service, textOf(lunch(9)));
    await beat(service);
    const { writes } = service.cluster;
    for (const time of ['12:31', '12:32', '12:33']) await beat(service, time);
    expect(service.cluster.writes).toBe(writes);
  });
});

describe('a text that is wrong', () => {
  const broken = () =>
    textOf(lunch(9), '{name: tea, timezone: UTC, start: 99 16 * * *, end: 0 17 * * *, desiredReplicas: 3}');
  test('changes nothing, and is said with line, column and the line', async () => {
    const service = made();
    put(service, textOf(lunch(9)));
    await beat(service);
    put(service, broken().replace('Replicas: 9', 'Replicas: 2'), { by: 'bo', at: '2026-11-17T12:31:00Z' });
    expect(await beat(service, '12:31')).toBe(9);
    const [status] = await statusOf(service, service.time);
    expect(status?.liveProblem).toBe(
      'schedules.yaml:5:36: nodePools.web.schedules[1].start has "99" in the minute; write minutes 0-59, or *, in lists, ranges and steps such as 1,3 or 1-5 or */2, in the line "- {name: tea, timezone: UTC, start: 99 16 * * *, end: 0 17 * * *, desiredReplicas: 3}"',
    );
    expect(status?.reasons.at(-1)).toContain(
      'live schedules of 2026-11-17T12:31:00Z refused, those of 2026-11-17T09:02:00Z count',
    );
    expect(service.counted.liveProblems).toBe(2);
    expect(refusals(service)).toEqual([
      {
        regarding: { apiVersion: 'v1', kind: 'ConfigMap', name: 'headroom-schedules' },
        type: 'Warning',
        reason: 'SchedulesRefused',
        note: status?.liveProblem,
      },
    ]);
  });

  test('is read, logged and an Event once, rings on, and is over with the next valid one', async () => {
    const service = made();
    const lines = () => service.logged.filter(({ message }) => message === 'live schedules do not count');
    put(service, broken());
    expect(await beat(service)).toBe(6);
    const { writes } = service.cluster;
    for (const time of ['12:31', '12:32']) await beat(service, time);
    expect([service.cluster.writes, refusals(service).length, service.counted.liveProblems]).toEqual([writes, 1, 6]);
    const problem = kept(service)?.refused?.problem;
    expect(lines().map(({ fields }) => fields)).toEqual([{ headrooms: ['web', 'batch'], problem }]);
    put(service, 'nodePools: [');
    for (const time of ['12:33', '12:34']) await beat(service, time);
    expect(lines()).toHaveLength(2);
    put(service, textOf(lunch(7)));
    expect(await beat(service, '12:35')).toBe(7);
    expect(kept(service)?.refused).toBeUndefined();
  });

  test('never fails a deploy, which names what live windows replace', async () => {
    const service = made();
    put(service, textOf(lunch(9)));
    await beat(service);
    put(service, 'nodePools: [');
    const response = (await handle(tickNow('deploy', service), service)) as Response;
    expect(response.decisions[0]).toMatchObject({ headroom: 'web', replicas: 9, replacedLive: ['lunch'] });
    service.cluster.fault = (call) => (call === 'live' ? new Error('403 Forbidden') : undefined);
    await expect(handle(tickNow('deploy', service), service)).resolves.toBeDefined();
  });
});

describe('a ConfigMap that cannot be read', () => {
  function unreadable(service: FakeRuntime): void {
    let tries = 0;
    service.cluster.fault = (call) => {
      if (call !== 'live') return undefined;
      tries += 1;
      return new Error(tries % 3 === 0 ? '403 Forbidden' : `timed out after ${tries}.${tries} s`);
    };
  }

  test('for ten heartbeats, each with another error, causes one write for each NodePool and one Event', async () => {
    const service = made('16:30');
    put(service, 'nodePools: {web: {base: 4}}');
    await beat(service);
    const { writes } = service.cluster;
    unreadable(service);
    for (let minute = 31; minute <= 40; minute += 1) expect(await failing(service, `16:${minute}`)).toBe(4);
    expect(service.cluster.writes).toBe(writes + 2);
    expect(refusals(service)).toEqual([
      expect.objectContaining({ note: 'ConfigMap headroom-schedules cannot be read: timed out after 1.1 s' }),
    ]);
    const [status] = await statusOf(service, service.time);
    expect(status?.liveProblem).toBe('ConfigMap headroom-schedules cannot be read: timed out after 1.1 s');
    expect(status?.reasons.at(-1)).toBe(
      'live schedules not read since 2026-11-17T16:31:00.000Z, those of 2026-11-17T09:02:00Z count: ConfigMap headroom-schedules cannot be read: timed out after 1.1 s',
    );
  });

  test('is a problem, an error and a metric from the third heartbeat on, with the error of that heartbeat', async () => {
    const service = made();
    put(service, textOf(lunch(9)));
    await beat(service);
    unreadable(service);
    for (const time of ['12:31', '12:32']) await beat(service, time);
    expect([service.counted.liveProblems, service.counted.errors]).toEqual([undefined, undefined]);
    expect((await statusOf(service, service.time))[0]).not.toHaveProperty('liveProblem');
    await expect(beat(service, '12:33')).rejects.toThrow('cannot be read: 403 Forbidden');
    expect([service.counted.liveProblems, service.counted.errors]).toEqual([2, 1]);
  });
});

describe('a ConfigMap that is gone', () => {
  test('counts for two minutes more, so that a replace changes nothing', async () => {
    const service = made();
    put(service, textOf(lunch(9)));
    await beat(service);
    service.cluster.configMap = undefined;
    expect(await beat(service, '12:31')).toBe(9);
    put(service, textOf(lunch(9)));
    expect(await beat(service, '12:32')).toBe(9);
    expect(kept(service)?.goneSince).toBeUndefined();
    service.cluster.configMap = undefined;
    expect(await beat(service, '12:33')).toBe(9);
    expect(await beat(service, '12:34')).toBe(9);
    expect(await beat(service, '12:35')).toBe(6);
    expect(kept(service)).toBeUndefined();
    await beat(service, '12:36');
    expect(service.cluster.headroom('web')?.annotations[ANNOTATIONS.live]).toBeUndefined();
  });
});

describe('a deploy', () => {
  test('that switches live schedules off takes them out, without a call more', async () => {
    const service = made();
    put(service, textOf(lunch(9)));
    await beat(service);
    const off = made('12:31', configOf(POOLS));
    Object.assign(off, { cluster: service.cluster });
    expect(await beat(off)).toBe(6);
    expect(kept(service)).toBeUndefined();
    await beat(off, '12:32');
    expect(reads(off)).toBe(1);
    expect(service.cluster.headroom('web')?.annotations[ANNOTATIONS.live]).toBeUndefined();
  });
});

describe('verdicts', () => {
  test('a window that was known in time gets one, one that was written too late does not', async () => {
    const service = made('11:54');
    put(service, textOf(lunch(9)));
    await beat(service);
    expect(Object.keys(record(service, 'web').requests ?? {})).toEqual(['lunch@2026-11-17T12:00:00.000Z']);
    put(service, textOf(lunch(10)), { by: 'bo', at: '2026-11-17T11:57:00Z' });
    expect(await beat(service, '11:57')).toBe(10);
    expect(record(service, 'web').requests).toBeUndefined();
    await beat(service, '12:10');
    expect(service.figures.find(({ headroom }) => headroom === 'web')?.late ?? 0).toBe(0);
    expect((await statusOf(service, service.time))[0]?.reasons[0]).toContain('written too late for its lead time');
  });
});

test('without live schedules not one call is made more', async () => {
  const service = made('12:30', configOf(POOLS));
  await beat(service);
  expect(service.cluster.calls).toEqual(['list', 'nodePools', 'create', 'create']);
});

test('two functions that race for the first write keep the same text', async () => {
  const service = made();
  put(service, textOf(lunch(9)));
  await Promise.all([
    beat(service),
    handle(loadEvent('window-edge', { time: new Date(service.time).toISOString() }), service),
  ]);
  expect(kept(service)?.schedules).toHaveLength(1);
  expect(size(service)).toBe(9);
});
