import { handle } from '../../../../shared/core/handle';
import { ANNOTATIONS, readReasons } from '../../../../shared/core/manifests/annotations';
import type { NodeStart } from '../../../../shared/core/ports/ports';
import { statusOf } from '../../../../shared/core/status';
import { loadEvent } from '../../../events/load-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { record as recordOf, size as sizeOf } from './service';

const MINUTE = 60_000;
const LUNCH = '{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6}';
const seoul = (time: string) => Date.parse(`2026-11-17T${time}:00+09:00`);
const poolOf = (lead: string, more = '') => `  web: {max: 8, leadTime: ${lead}, schedules: [${LUNCH}]${more}}\n`;

function made(pools = poolOf('auto'), rest = ''): FakeRuntime {
  return new FakeRuntime(configOf(pools, rest), seoul('09:00'));
}

let ids = 0;
/** So many nodes that took so long, created one after another; the last one is ready by a time. */
function nodes(count: number, seconds: number, by: string, nodePool = 'web'): NodeStart[] {
  return Array.from({ length: count }, (_, index) => {
    ids += 1;
    const initializedAt = seoul(by) - (count - index) * 1_000;
    const createdAt = initializedAt - seconds * 1_000;
    return { nodePool, id: `id-${String(ids).padStart(4, '0')}`, createdAt, initializedAt, deleting: false };
  });
}

async function beatAt(service: FakeRuntime, time: string): Promise<number | undefined> {
  service.time = seoul(time);
  await handle(loadEvent('heartbeat', { time: new Date(service.time).toISOString() }), service);
  return sizeOf(service, 'web');
}

/** The first minute from a time on at which lunch is asked for. */
async function askedFrom(service: FakeRuntime, time: string): Promise<string> {
  for (let at = seoul(time); at <= seoul('11:30'); at += MINUTE) {
    const clock = new Date(at + 9 * 60 * MINUTE).toISOString().slice(11, 16);
    if ((await beatAt(service, clock)) !== 0) return clock;
  }
  return 'never';
}

const looks = (service: FakeRuntime) => service.cluster.calls.filter((call) => call === 'nodeClaims').length;
const record = (service: FakeRuntime) => recordOf(service, 'web');
const reasons = (service: FakeRuntime) =>
  readReasons(service.cluster.headroom('web')?.annotations[ANNOTATIONS.reasons]);

describe('a learned lead time', () => {
  test.each([
    { name: 'the start value while no node is known', lead: 'auto', took: [], asked: '11:24' },
    { name: 'a start value of its own', lead: '{auto: {start: 9m}}', took: [], asked: '11:20' },
    { name: 'the start value while only four are', lead: 'auto', took: [170, 170, 170, 170], asked: '11:24' },
    { name: 'whole minutes and a heartbeat', lead: 'auto', took: [170, 170, 170, 170, 170], asked: '11:26' },
    { name: 'no minute more for exactly three', lead: 'auto', took: [180, 180, 180, 180, 180], asked: '11:26' },
    { name: 'a minute more from there on', lead: 'auto', took: [170, 170, 170, 170, 181], asked: '11:25' },
    { name: 'at least min', lead: 'auto', took: [0, 0, 0, 0, 0], asked: '11:28' },
    { name: 'a min of its own', lead: '{auto: {min: 3m}}', took: [20, 20, 20, 20, 20], asked: '11:26' },
    { name: 'at most max', lead: '{auto: {max: 8m}}', took: [900, 900, 900, 900, 900], asked: '11:21' },
  ])('is $name', async ({ lead, took, asked }) => {
    const service = made(poolOf(lead));
    service.cluster.starts = took.flatMap((seconds) => nodes(1, seconds, '10:00'));
    expect(await beatAt(service, '10:10')).toBe(0);
    expect(await askedFrom(service, '11:10')).toBe(asked);
  });

  test('tells why it asks when it does, and says the same until the window ends', async () => {
    const service = made();
    service.cluster.starts = nodes(42, 170, '10:00');
    await beatAt(service, '10:10');
    await beatAt(service, '11:26');
    const why = 'requested 4 min ahead: 95 % of the last 40 nodes took less';
    expect(reasons(service)).toEqual([`lunch opens 2026-11-17T02:30Z: 6 nodes, ${why}`]);
    service.cluster.starts = nodes(40, 500, '11:29');
    for (const time of ['11:30', '12:00', '13:29']) {
      await beatAt(service, time);
      expect(reasons(service)).toEqual([`lunch open since 2026-11-17T02:30Z: 6 nodes, ${why}`]);
    }
  });

  test('once it has asked, it stays asked, whatever the lead time becomes', async () => {
    const service = made();
    service.cluster.starts = nodes(5, 890, '10:00');
    await beatAt(service, '10:10');
    expect(await beatAt(service, '11:14')).toBe(6);
    service.cluster.starts = nodes(40, 30, '11:18');
    for (const time of ['11:20', '11:25', '11:27', '11:29', '11:30', '13:29'])
      expect(await beatAt(service, time)).toBe(6);
    expect(await beatAt(service, '13:30')).toBe(0);
    const [entry] = Object.values(record(service).requests ?? {});
    expect(entry).toMatchObject({ at: seoul('11:14'), nodes: 5, took: 15 });
    // The next day is asked for as late as these nodes allow.
    service.time = seoul('11:27') + 24 * 60 * MINUTE;
    const [tomorrow] = await statusOf(service, service.time);
    expect(tomorrow?.wanted).toBe(0);
    expect(tomorrow?.next?.at).toBe(new Date(service.time + MINUTE).toISOString());
  });

  test.each([
    { name: 'earlier by as long as nodes that were starting held it up', starting: 6, tomorrow: '11:24' },
    { name: 'as late as before if there was no capacity', starting: 0, tomorrow: '11:27' },
  ])('is asked for $name', async ({ starting, tomorrow }) => {
    const service = made();
    const known = nodes(5, 100, '10:00');
    service.cluster.starts = known;
    await beatAt(service, '10:10');
    expect(await askedFrom(service, '11:20')).toBe('11:27');
    service.cluster.starts = [...known, ...nodes(starting, 0, '11:27').map(({ initializedAt: _, ...one }) => one)];
    for (const time of ['11:28', '11:29', '11:30', '11:31']) await beatAt(service, time);
    service.cluster.edit('web', ({ replicas }) => ({ ready: replicas }));
    for (const time of ['11:32', '13:30']) await beatAt(service, time);
    const [status] = await statusOf(service, service.time);
    expect(status?.next?.at).toBe(new Date(seoul(tomorrow) + 24 * 60 * MINUTE).toISOString());
  });

  test('learns from the nodes of its spot twin, and of no other NodePool', async () => {
    const twin = ', pool: {role: nodes, spotTwin: true}';
    const service = made(`${poolOf('auto', twin)}  other: {max: 1}\n`);
    service.cluster.starts = [
      ...nodes(3, 170, '10:00'),
      ...nodes(2, 170, '10:00', 'web-spot'),
      ...nodes(40, 800, '10:00', 'other'),
    ];
    await beatAt(service, '10:10');
    expect(Object.keys(record(service).nodeStarts ?? {})).toHaveLength(5);
    expect(await askedFrom(service, '11:10')).toBe('11:26');
  });

  test('is learned at once by a deploy', async () => {
    const service = made();
    service.cluster.starts = nodes(5, 170, '09:59');
    service.time = seoul('10:03');
    await handle(loadEvent('deploy', { time: new Date(service.time).toISOString() }), service);
    expect(Object.keys(record(service).nodeStarts ?? {})).toHaveLength(5);
  });

  test('keeps what it has learned while NodeClaims cannot be read, and says so', async () => {
    const service = made();
    service.cluster.starts = nodes(5, 170, '10:00');
    await beatAt(service, '10:10');
    service.cluster.fault = (call) => (call === 'nodeClaims' ? new Error('no') : undefined);
    await expect(beatAt(service, '10:20')).rejects.toThrow('reading the NodeClaims: no');
    expect(await askedFrom(service, '11:21')).toBe('11:26');
  });

  test('counts the nodes of a floor once, when its longest lead has begun', async () => {
    const added = LUNCH.replace('desiredReplicas', 'addNodes');
    const service = made(`  web: {unit: {floor: {cpu: 4}}, max: 8, leadTime: auto, schedules: [${added}]}\n`);
    service.cluster.starts = nodes(5, 890, '10:00');
    await beatAt(service, '10:10');
    expect(await beatAt(service, '11:14')).toBe(6);
    service.cluster.starts = nodes(40, 30, '11:18');
    service.cluster.nodes = Array.from({ length: 6 }, () => ({
      labels: { 'karpenter.sh/nodepool': 'web', 'karpenter.k8s.aws/instance-cpu': '4' },
      taints: [],
      deleting: false,
      launched: true,
    }));
    for (const time of ['11:20', '11:26', '11:30', '12:00']) expect(await beatAt(service, time)).toBe(6);
    expect(reasons(service)).toEqual([
      'lunch open since 2026-11-17T02:30Z: 0 nodes + 6 = 6, requested 16 min ahead: 95 % of the last 5 nodes took less',
    ]);
  });
});

describe('windows of a floor that meet, with a learned lead time', () => {
  const node = () => ({
    labels: { 'karpenter.sh/nodepool': 'web', 'karpenter.k8s.aws/instance-cpu': '4' },
    taints: [],
    deleting: false,
    launched: true,
  });
  const FLOOR = 'unit: {floor: {cpu: 4}}, max: 8, leadTime: auto';
  const LATER = '{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, addNodes: 6}';
  /** Six more than ten nodes stand until 11:24, which is when lunch is asked for. */
  const EARLIER = '{name: morning, timezone: Asia/Seoul, start: 0 10 * * *, end: 24 11 * * *, addNodes: 6}';

  async function beatSecondsAfter(service: FakeRuntime, time: string, seconds: number): Promise<number | undefined> {
    service.time = seoul(time) + seconds * 1_000;
    await handle(loadEvent('heartbeat', { time: new Date(service.time).toISOString() }), service);
    return sizeOf(service, 'web');
  }

  test.each([{ late: 0 }, { late: 20 }, { late: 59 }, { late: 130 }])(
    'do not add up when the heartbeat comes $late s after the minute',
    async ({ late }) => {
      const service = made(`  web: {${FLOOR}, schedules: [${EARLIER}, ${LATER}]}\n`);
      service.cluster.nodes = Array.from({ length: 10 }, node);
      expect(await beatSecondsAfter(service, '10:00', 0)).toBe(16);
      service.cluster.nodes = Array.from({ length: 16 }, node);
      expect(await beatSecondsAfter(service, '11:24', late)).toBe(16);
      expect(await beatAt(service, '13:29')).toBe(16);
    },
  );
});

describe('looking at how long nodes take', () => {
  const twoHours = async (service: FakeRuntime) => {
    for (let at = seoul('09:00'); at < seoul('11:00'); at += MINUTE)
      await beatAt(service, new Date(at + 9 * 60 * MINUTE).toISOString().slice(11, 16));
  };

  test('is one more LIST in ten minutes', async () => {
    const service = made();
    await twoHours(service);
    expect(looks(service)).toBe(12);
  });

  test.each([
    {
      name: 'a window of a fixed lead time',
      pool: `leadTime: 4m, schedules: [${LUNCH}]`,
      during: '11:26',
      looks: 3,
      writes: 4,
    },
    { name: 'an alarm', pool: 'alarms: [{alarmName: p95-high, add: 2}]', during: '11:26', looks: 3, writes: 2 },
    { name: 'a base, which is as it was for days', pool: 'base: 2', during: '', looks: 0, writes: 0 },
  ])('happens with a fixed lead time only while nodes may start, and each node is written once: $name', async (one) => {
    const service = new FakeRuntime(configOf(`  web: {max: 8, ${one.pool}}\n`), seoul('09:00'));
    await beatAt(service, '09:00');
    const { writes } = service.cluster;
    for (let at = seoul('10:00'); at < seoul('23:00'); at += MINUTE) {
      const clock = new Date(at + 9 * 60 * MINUTE).toISOString().slice(11, 16);
      if (clock === one.during) {
        service.cluster.starts = nodes(3, 70, '11:28');
        if (one.pool.includes('alarms')) service.alarmStates.set('p95-high', { state: 'ALARM', at });
      }
      if (clock === '11:28') service.cluster.edit('web', ({ replicas }) => ({ ready: replicas }));
      await beatAt(service, clock);
    }
    expect({ looks: looks(service), writes: service.cluster.writes - writes }).toEqual({
      looks: one.looks,
      writes: one.writes,
    });
    expect(Object.values(record(service).nodeStarts ?? {})).toEqual(one.during ? [70, 70, 70] : []);
  });

  test('is not what alarms, notices, orders and questions wait for', async () => {
    const service = made(poolOf('auto', ', alarms: [{alarmName: p95-high, add: 1}]'));
    service.time = seoul('10:10');
    await handle(loadEvent('alarm-state-change'), service);
    await handle({ headroom: 'web', atLeast: 2, for: '1h', by: 'ana', reason: 'sale' }, service);
    await handle({ status: true }, service);
    expect(service.cluster.headroom('web')).toBeDefined();
    expect(looks(service)).toBe(0);
  });
});
