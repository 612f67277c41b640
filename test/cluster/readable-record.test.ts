import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import type { BatchResponse } from '../../shared/core/respond';
import { type CloudWatch, startCloudWatch } from './functions/cloudwatch';
import { batch } from './functions/events';
import { addInstances, removeInstances } from './functions/instances';
import { installOnePool, type OnePool } from './functions/one-pool';
import { onceMore, virtualTime } from './functions/virtual-time';
import { describeCluster } from './harness/shared-cluster';

const minute = virtualTime();
const iso = (at: number) => new Date(minute(at)).toISOString();
const FLOOR = { floor: { cpu: 4 } };
const FOUR_CPUS = { 'karpenter.k8s.aws/instance-cpu': '4' };

/** What `reconcile` failed with, and the record that it could not read, if any. */
async function complaints({ headstart, headroom }: OnePool) {
  const errors = headstart.linesOf('reconcile').filter(({ level }) => level === 'error');
  return [errors, (await headroom()).metadata.annotations?.[ANNOTATIONS.quarantined]];
}

/** As somebody with kubectl does it; `null` takes an annotation away. */
const annotate = (one: OnePool, annotations: Readonly<Record<string, string | null>>) =>
  one.edit('kubectl-annotate', { metadata: { annotations } });

describeCluster('announcements at the edges of time', () => {
  const KEY = 'campaign sale';
  let one: OnePool;

  /** About one peak, from minute 0 to 30 unless it says otherwise. */
  const announce = (at: number, message: object, detail: object = {}) => {
    const event = { time: iso(at), detail: { id: 'sale', from: iso(0), to: iso(30), ...detail }, ...message };
    const announced = { headroom: 'announced', event: 'campaign', cancel: false };
    const body = { announced, ingestedAt: iso(at), ...message, event };
    return one.headstart.invoke<BatchResponse>('announce', batch(body), minute(at));
  };

  beforeAll(async () => {
    const campaign = { name: 'campaign', pattern: { source: ['cms'] }, key: '$.detail.id', desiredReplicas: 3 };
    const times = { from: '$.detail.from', to: '$.detail.to' };
    one = await installOnePool('announced', { max: 5, leadTime: '2m', events: [{ ...campaign, ...times }] });
    await one.tick(0);
  });

  afterAll(() => one?.headstart.remove());

  test.each<[string, object, object]>([
    ["of Go's zero time", { time: '0001-01-01T00:00:00Z' }, {}],
    ["of a peak that begins at Go's zero time", {}, { from: '0001-01-01T00:00:00Z' }],
    ['of a peak before 1970', {}, { from: '1969-12-31T23:00:00Z', to: '1969-12-31T23:30:00Z' }],
    ['of a day that no calendar has', {}, { from: '2026-02-30T09:00:00Z' }],
    ['sent and ingested in 2099', { time: '2099-01-01T00:00:00Z', ingestedAt: '2099-01-01T00:00:00Z' }, {}],
    ['sent in 2099', { time: '2099-01-01T00:00:00Z' }, {}],
    ['ingested in 2099', { ingestedAt: '2099-01-01T00:00:00Z' }, {}],
  ])('one %s is rejected for good and leaves the record as it was', async (_, message, detail) => {
    const [before, said] = [await one.headroom(), one.headstart.linesOf('announce').length];
    expect(await announce(1, message, detail)).toEqual({ batchItemFailures: [] });
    const rejected = expect.objectContaining({ RejectedEvents: 1 });
    expect(one.headstart.linesOf('announce').slice(said)).toContainEqual(rejected);
    expect(await one.tick(1)).toMatchObject({ change: 'none', replicas: 0 });
    expect((await one.headroom()).metadata.annotations).toEqual(before.metadata.annotations);
  });

  test('one of today is heard after all of them', async () => {
    expect(await announce(2, {})).toEqual({ batchItemFailures: [] });
    expect(await one.size()).toBe(3);
    expect(await complaints(one)).toEqual([[], undefined]);
  });

  test('one that is stored with a time of 2099 silences no peak for longer than until the next heartbeat', async () => {
    const record = await one.headstart.recordOf('announced');
    const ahead = { [KEY]: { at: '2099-01-01T00:00:00.000Z' } };
    await annotate(one, { [ANNOTATIONS.record]: JSON.stringify({ ...record, announced: ahead }) });
    expect((await announce(3, {})).batchItemFailures).toHaveLength(1);
    expect(await one.tick(4)).toMatchObject({ replicas: 0 });
    expect(await announce(3, {})).toEqual({ batchItemFailures: [] });
    expect(await one.size()).toBe(3);
  });
});

describeCluster('a window until the end of the year 9999', () => {
  test('counts its nodes once, is written once, and can be read for ever after', async () => {
    const forGood = {
      ...onceMore('for-good', minute(0), minute(9), 2),
      timezone: 'Pacific/Niue',
      to: '9999-12-31T23:59:00',
    };
    const one = await installOnePool('ends-9999', { max: 5, leadTime: '2m', unit: FLOOR, schedules: [forGood] });
    try {
      await addInstances(one.cluster, 'ends-9999', ['i-9999'], FOUR_CPUS);
      // In Niue it begins eleven hours later.
      const sizes = [];
      for (const at of [0, 660, 661, 662]) sizes.push((await one.tick(at))?.replicas);
      const written = (await one.headroom()).metadata.annotations;
      for (const at of [663, 664]) expect(await one.tick(at)).toMatchObject({ change: 'none', replicas: 3 });
      expect(sizes).toEqual([0, 3, 3, 3]);
      expect((await one.headroom()).metadata.annotations).toEqual(written);
      expect(await complaints(one)).toEqual([[], undefined]);
    } finally {
      await one.headstart.remove();
      await removeInstances(one.cluster, 'ends-9999');
    }
  });
});

describeCluster('a count of nodes that is lost while a boost is on', () => {
  const NODES = ['i-1a', 'i-1b', 'i-1c', 'i-1d', 'i-1e'];
  const LOSSES: Readonly<Record<string, (record: object) => Readonly<Record<string, string | null>>>> = {
    'the record': () => ({ [ANNOTATIONS.record]: null }),
    'the record and the decided size': () => ({ [ANNOTATIONS.record]: null, [ANNOTATIONS.decided]: null }),
    'every annotation': () => Object.fromEntries(Object.values(ANNOTATIONS).map((key) => [key, null])),
    'a record that is nonsense': () => ({ [ANNOTATIONS.record]: 'nonsense' }),
    'counts that are nonsense': (record) => ({
      [ANNOTATIONS.record]: JSON.stringify({ ...record, counts: 'nonsense' }),
    }),
  };
  let cloudwatch: CloudWatch;
  let one: OnePool;
  let at = 0;

  beforeAll(async () => {
    cloudwatch = await startCloudWatch();
    one = await installOnePool(
      'lost-count',
      {
        max: 12,
        leadTime: '2m',
        unit: FLOOR,
        schedules: [onceMore('lunch', minute(0), minute(300), 5)],
        alarms: [{ alarmName: 'p95-high', add: 5, hold: '3m' }],
      },
      { cloudwatch: cloudwatch.url },
    );
    await addInstances(one.cluster, 'lost-count', NODES, FOUR_CPUS);
    cloudwatch.setAlarm('p95-high', 'OK', minute(-60));
    await one.tick(0);
    cloudwatch.setAlarm('p95-high', 'ALARM', minute(1));
    expect(await one.tick(1)).toMatchObject({ replicas: 5 + 5 + 5 });
    at = 1;
  });

  afterAll(async () => {
    await cloudwatch?.close();
    await one?.headstart.remove();
    await removeInstances(one.cluster, 'lost-count');
  });

  test.each(Object.entries(LOSSES))('with %s: ten minutes of losses make the floor no larger', async (_, lose) => {
    const sizes: (number | undefined)[] = [];
    for (const end = at + 10; at < end; ) {
      await annotate(one, lose(await one.headstart.recordOf('lost-count')));
      at += 1;
      sizes.push((await one.tick(at))?.replicas, await one.size());
    }
    expect(sizes).toEqual(Array(20).fill(15));
  });
});
