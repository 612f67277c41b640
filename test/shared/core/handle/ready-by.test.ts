import { MAX_BEGUN, MAX_REQUESTED, MAX_WHY } from '../../../../shared/core/basics/record-limits';
import { handle } from '../../../../shared/core/handle';
import { requestedOccurrences } from '../../../../shared/core/occurrences/requests';
import type { NodeStart } from '../../../../shared/core/ports/ports';
import { loadEvent } from '../../../events/load-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { record } from './service';

const MINUTE = 60_000;
const LUNCH = '{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6}';
const ONCE = '{name: launch, timezone: Asia/Seoul, from: 2026-11-17T11:30, to: 2026-11-17T13:30, desiredReplicas: 6}';
const config = configOf(`  web: {max: 8, leadTime: 5m, unit: {node: {cpu: 2}}, schedules: [${LUNCH}]}\n`);
const seoul = (time: string) => Date.parse(`2026-11-17T${time}:00+09:00`);

const made = (given = config) => new FakeRuntime(given, seoul('11:00'));

async function beatAt(service: FakeRuntime, time: string, ready?: number): Promise<void> {
  service.time = seoul(time);
  if (ready !== undefined) service.cluster.edit('web', () => ({ ready }));
  await handle(loadEvent('heartbeat', { time: new Date(service.time).toISOString() }), service);
}

const openings = (service: FakeRuntime) =>
  requestedOccurrences(record(service, 'web'), service.config.headrooms[0]?.windows ?? []);
const occurrence = (service: FakeRuntime) => openings(service)[0];
const figures = (service: FakeRuntime) => {
  const [{ late, lateBySeconds } = { late: Number.NaN }] = service.figures;
  return { late, lateBySeconds };
};
const looks = (service: FakeRuntime) => service.cluster.calls.filter((call) => call === 'nodeClaims').length;
const starting = (since: string, more: Partial<NodeStart> = {}): NodeStart => ({
  nodePool: 'web',
  id: 'a',
  createdAt: seoul(since),
  deleting: false,
  ...more,
});

describe('an opening', () => {
  test('is ready once as many replicas are as its window asks for', async () => {
    const service = made();
    await beatAt(service, '11:25');
    expect(occurrence(service)).toEqual({ window: 'lunch', start: seoul('11:30'), at: seoul('11:25') });
    await beatAt(service, '11:26', 5);
    expect(occurrence(service)?.ready).toBeUndefined();
    expect(figures(service)).toEqual({ late: undefined, lateBySeconds: undefined });
    await beatAt(service, '11:27', 6);
    expect(occurrence(service)?.ready).toBe(seoul('11:27'));
    expect(figures(service)).toEqual({ late: undefined, lateBySeconds: 0 });
    expect(looks(service)).toBe(0);
  });

  test('that was ready is not late when work takes its room', async () => {
    const service = made();
    await beatAt(service, '11:25');
    await beatAt(service, '11:28', 6);
    await beatAt(service, '11:30', 2);
    expect(occurrence(service)).toMatchObject({ ready: seoul('11:28') });
    expect(occurrence(service)?.why).toBeUndefined();
    expect(figures(service)).toEqual({ late: undefined, lateBySeconds: undefined });
  });

  test('is late from its start until its nodes are ready, by how much and why', async () => {
    const service = made();
    service.cluster.starts = [starting('11:26')];
    await beatAt(service, '11:25');
    await beatAt(service, '11:29', 4);
    expect(figures(service).late).toBeUndefined();
    await beatAt(service, '11:30', 4);
    expect(figures(service)).toEqual({ late: 2, lateBySeconds: 0 });
    expect(occurrence(service)?.why).toBe('1 node is still starting, since 2026-11-17T02:26Z');
    await beatAt(service, '11:41', 5);
    expect(figures(service)).toEqual({ late: 1, lateBySeconds: 660 });
    await beatAt(service, '11:43', 6);
    expect(figures(service)).toEqual({ late: 0, lateBySeconds: 780 });
    expect(occurrence(service)).toMatchObject({
      ready: seoul('11:43'),
      why: '1 node is still starting, since 2026-11-17T02:26Z',
    });
    await beatAt(service, '11:44', 0);
    expect(figures(service)).toEqual({ late: 0, lateBySeconds: undefined });
  });

  test('that is never ready is late until its end, and then no more', async () => {
    const service = made();
    for (const time of ['11:25', '11:30', '13:29']) await beatAt(service, time);
    expect(figures(service)).toEqual({ late: 6, lateBySeconds: 7_140 });
    await beatAt(service, '13:30');
    expect(figures(service)).toEqual({ late: 0, lateBySeconds: undefined });
    expect(occurrence(service)?.ready).toBeUndefined();
  });

  test('that was late is said to be late no more for a day, so that its alarm resolves, and then not at all', async () => {
    const service = made(configOf(`  web: {max: 8, leadTime: 5m, schedules: [${ONCE}]}\n`));
    await beatAt(service, '11:25');
    await beatAt(service, '11:30', 5);
    expect(figures(service).late).toBe(1);
    await beatAt(service, '11:31', 6);
    for (const time of ['11:32', '13:29', '13:31', '23:59']) {
      await beatAt(service, time);
      expect(figures(service)).toEqual({ late: 0, lateBySeconds: undefined });
    }
    service.time = seoul('11:30') + 24 * 60 * MINUTE;
    await handle(loadEvent('heartbeat', { time: new Date(service.time).toISOString() }), service);
    expect(figures(service)).toEqual({ late: undefined, lateBySeconds: undefined });
  });

  test('that is late when a person pins the headroom is late no more', async () => {
    const service = made();
    await beatAt(service, '11:25');
    await beatAt(service, '11:30', 5);
    expect(figures(service).late).toBe(1);
    await handle({ headroom: 'web', exactly: 0, for: '1h', by: 'ana', reason: 'freeze' }, service);
    await beatAt(service, '11:31');
    expect(figures(service)).toEqual({ late: 0, lateBySeconds: undefined });
  });

  test('is one log line when it is ready, and one before it if it began without its nodes', async () => {
    const service = made();
    service.cluster.starts = [starting('11:26')];
    await beatAt(service, '11:25');
    for (const time of ['11:29', '11:30', '11:31']) await beatAt(service, time, 4);
    for (const time of ['11:43', '11:44']) await beatAt(service, time, 6);
    for (const time of ['13:30', '13:31']) await beatAt(service, time);
    const why = '1 node is still starting, since 2026-11-17T02:26Z';
    const lunch = { headroom: 'web', window: 'lunch', start: '2026-11-17T02:30:00.000Z' };
    expect(service.logged.filter(({ fields }) => 'window' in fields)).toEqual([
      { level: 'warn', message: 'window began without its headroom', fields: { ...lunch, why } },
      { level: 'info', message: 'headroom ready for its window', fields: { ...lunch, lateBySeconds: 780, why } },
    ]);
  });

  test('asks why once, with one LIST for all, and not every minute', async () => {
    const service = made(
      configOf(`  web: {max: 8, schedules: [${LUNCH}]}\n  ci: {max: 8, leadTime: 1m, schedules: [${LUNCH}]}\n`),
    );
    for (const time of ['11:30', '11:31', '11:32', '11:40', '12:10']) await beatAt(service, time);
    expect(looks(service)).toBe(1);
  });

  test('hears again why where the nodes are looked at anyway', async () => {
    const service = made(configOf(`  web: {max: 8, leadTime: auto, schedules: [${LUNCH}]}\n`));
    await beatAt(service, '11:25');
    await beatAt(service, '11:31');
    expect(occurrence(service)?.why).toMatch(/^no node is starting/);
    service.cluster.starts = [starting('11:39')];
    await beatAt(service, '11:39');
    expect(occurrence(service)?.why).toMatch(/^no node is starting/);
    await beatAt(service, '11:40');
    expect(occurrence(service)?.why).toBe('1 node is still starting, since 2026-11-17T02:39Z');
    expect(looks(service)).toBe(2);
  });

  test('has its own size, whatever boosts and higher windows add to it', async () => {
    const more = `{name: sale, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 8}`;
    const service = made(configOf(`  web: {max: 20, leadTime: 5m, schedules: [${LUNCH}, ${more}]}\n`));
    await beatAt(service, '11:25');
    await beatAt(service, '11:30', 6);
    expect(openings(service)).toMatchObject([
      { window: 'lunch', ready: seoul('11:30') },
      { window: 'sale', why: expect.any(String) },
    ]);
    expect(figures(service).late).toBe(2);
  });

  test('of a floor is ready with the nodes that it counted and those that it adds, up to max', async () => {
    const added = LUNCH.replace('desiredReplicas', 'addNodes');
    const service = made(configOf(`  web: {unit: {floor: {cpu: 4}}, max: 6, leadTime: 5m, schedules: [${added}]}\n`));
    service.cluster.nodes = Array.from({ length: 3 }, () => ({
      labels: { 'karpenter.sh/nodepool': 'web', 'karpenter.k8s.aws/instance-cpu': '4' },
      taints: [],
      deleting: false,
      launched: true,
    }));
    await beatAt(service, '11:25');
    await beatAt(service, '11:29', 8);
    expect(occurrence(service)?.ready).toBeUndefined();
    await beatAt(service, '11:30', 9);
    expect(occurrence(service)?.ready).toBe(seoul('11:30'));
  });

  test('is not late while a person has pinned the headroom', async () => {
    const service = made();
    await beatAt(service, '11:25');
    await handle({ headroom: 'web', exactly: 0, for: '1h', by: 'ana', reason: 'freeze' }, service);
    await beatAt(service, '11:31');
    expect(figures(service)).toEqual({ late: undefined, lateBySeconds: undefined });
    expect(occurrence(service)?.why).toBeUndefined();
  });

  test('that begins while a person has pinned the headroom has no verdict, neither then nor later', async () => {
    const service = made();
    await beatAt(service, '11:25');
    await handle({ headroom: 'web', exactly: 0, for: '30m', by: 'ana', reason: 'freeze' }, service);
    for (const time of ['11:30', '11:45', '11:56']) await beatAt(service, time);
    expect(occurrence(service)).toBeUndefined();
    expect(figures(service)).toEqual({ late: undefined, lateBySeconds: undefined });
  });

  test('is ready with as many nodes as a person has pinned', async () => {
    const service = made();
    await beatAt(service, '11:25');
    await handle({ headroom: 'web', exactly: 8, for: '1h', by: 'ana', reason: 'sale' }, service);
    await beatAt(service, '11:29', 8);
    expect(occurrence(service)?.ready).toBe(seoul('11:29'));
  });

  test('that was late before a person pinned the headroom stays late', async () => {
    const service = made();
    for (const time of ['11:25', '11:31']) await beatAt(service, time);
    await handle({ headroom: 'web', exactly: 0, for: '1h', by: 'ana', reason: 'freeze' }, service);
    await beatAt(service, '11:32');
    expect(occurrence(service)?.why).toMatch(/^no node is starting/);
  });

  test.each([
    { name: 'excludes its date', change: (text: string) => text.replace('}', ', excludeDates: [2026-11-17]}') },
    { name: 'moves its start', change: (text: string) => text.replace('30 11', '0 13') },
  ])('that a deploy takes back ($name) is not late and is told of no more', async ({ change }) => {
    const service = made();
    await beatAt(service, '11:25');
    const later = configOf(`  web: {max: 8, leadTime: 5m, unit: {node: {cpu: 2}}, schedules: [${change(LUNCH)}]}\n`);
    const windows = later.headrooms[0]?.windows ?? [];
    for (const time of ['11:26', '11:31']) {
      const now = seoul(time);
      const tick = loadEvent('heartbeat', { time: new Date(now).toISOString() });
      await handle(tick, { config: later, owner: service.owner, ports: service.ports, now: () => now });
      expect(requestedOccurrences(record(service, 'web'), windows)).toEqual([]);
    }
    expect(record(service, 'web').requests).toBeUndefined();
  });

  test('of a window that an older function does not know keeps its verdict', async () => {
    const service = made();
    const older = made(configOf('  web: {max: 8, base: 6, unit: {node: {cpu: 2}}}\n')).config;
    await beatAt(service, '11:25');
    await beatAt(service, '11:28', 6);
    const verdict = occurrence(service);
    expect(verdict?.ready).toBe(seoul('11:28'));
    for (const time of ['11:29', '11:31']) {
      const now = seoul(time);
      const tick = loadEvent('heartbeat', { time: new Date(now).toISOString() });
      await handle(tick, { config: older, owner: service.owner, ports: service.ports, now: () => now });
      expect(requestedOccurrences(record(service, 'web'), [])).toEqual([]);
    }
    await beatAt(service, '11:32', 2);
    expect(occurrence(service)).toEqual(verdict);
    expect(figures(service)).toEqual({ late: undefined, lateBySeconds: undefined });
  });

  test('of a window that no config names any more is forgotten after an hour', async () => {
    const service = made();
    await beatAt(service, '11:25');
    await beatAt(service, '11:28', 6);
    const { config: later } = made(configOf('  web: {max: 8, unit: {node: {cpu: 2}}}\n'));
    for (const [time, kept] of [
      ['12:29', true],
      ['12:30', false],
    ] as const) {
      const now = seoul(time);
      const tick = loadEvent('heartbeat', { time: new Date(now).toISOString() });
      await handle(tick, { config: later, owner: service.owner, ports: service.ports, now: () => now });
      expect(record(service, 'web').requests !== undefined).toBe(kept);
    }
  });

  test('is judged also where more windows are asked for than can be remembered', async () => {
    const days = Array.from({ length: MAX_REQUESTED + 5 }, (_, i) => {
      const minute = String(i).padStart(2, '0');
      return `{name: w${minute}, timezone: Asia/Seoul, from: 2026-11-17T12:${minute}, to: 2026-11-17T13:30, desiredReplicas: 2}`;
    });
    const service = made(configOf(`  web: {max: 8, leadTime: 2h, schedules: [${days.join(', ')}]}\n`));
    await beatAt(service, '11:59');
    for (const minute of ['00', '01', '02']) {
      await beatAt(service, `12:${minute}`);
      const found = openings(service);
      expect(found.find(({ window }) => window === `w${minute}`)?.why).toMatch(/^no node is starting/);
      expect(found.length).toBeLessThanOrEqual(MAX_REQUESTED);
    }
    expect(figures(service)).toEqual({ late: 2, lateBySeconds: 120 });
  });

  test.each([
    { name: 'missed by a few heartbeats is judged', time: '11:39', count: 1 },
    { name: 'that a deploy finds open is not', time: '11:40', count: 0 },
  ])('$name', async ({ time, count }) => {
    const service = made();
    await beatAt(service, time);
    expect(openings(service)).toHaveLength(count);
  });

  test('a start while the window is open is none', async () => {
    const hourly = '{name: day, timezone: Asia/Seoul, start: 0 9-17 * * *, end: 30 17 * * *, desiredReplicas: 2}';
    const service = made(configOf(`  web: {max: 8, leadTime: 5m, schedules: [${hourly}]}\n`));
    for (const time of ['08:55', '09:00', '09:55', '10:00']) await beatAt(service, time);
    expect(openings(service).map(({ start }) => start)).toEqual([seoul('09:00')]);
  });

  test('is remembered beside the last ones, and forgotten with its window', async () => {
    const often =
      '{name: often, timezone: Asia/Seoul, start: "*/10 * * * *", end: "5-59/10 * * * *", desiredReplicas: 2}';
    const service = made(configOf(`  web: {max: 8, leadTime: 1m, schedules: [${often}]}\n`));
    for (let at = 0; at < 120; at += 1) {
      service.time = seoul('09:00') + at * MINUTE;
      await handle(loadEvent('heartbeat', { time: new Date(service.time).toISOString() }), service);
    }
    const starts = openings(service).map(({ start }) => start);
    expect(starts).toEqual(Array.from({ length: MAX_BEGUN + 1 }, (_, i) => seoul('11:00') - i * 10 * MINUTE));
    const beatWithout = (time: string) =>
      handle(loadEvent('heartbeat', { time: new Date(seoul(time)).toISOString() }), {
        ...service,
        config,
        ports: service.ports,
        now: () => seoul(time),
      });
    await beatWithout('11:01');
    expect(requestedOccurrences(record(service, 'web'), config.headrooms[0]?.windows ?? [])).toEqual([]);
    await beatWithout('12:00');
    expect(Object.keys(record(service, 'web').requests ?? {}).filter((key) => key.startsWith('often'))).toEqual([]);
  });

  test('costs the writes that ask for it, see it ready, and no more', async () => {
    const service = made();
    await beatAt(service, '11:00');
    const { writes } = service.cluster;
    for (const time of ['11:25', '11:26']) await beatAt(service, time);
    expect(service.cluster.writes).toBe(writes + 1);
    for (const time of ['11:27', '11:28', '11:30', '12:00']) await beatAt(service, time, 6);
    // One when it is ready, and one for the reason that says open and no longer opens.
    expect(service.cluster.writes).toBe(writes + 3);
  });
});

describe('why an opening is late', () => {
  const reasonOf = async (change: (service: FakeRuntime) => void): Promise<string | undefined> => {
    const service = made();
    await beatAt(service, '11:25');
    change(service);
    await beatAt(service, '11:31', 4).catch(() => undefined);
    return occurrence(service)?.why;
  };
  const withPool = (more: object) => (service: FakeRuntime) => {
    service.cluster.nodePools = [{ name: 'web', taints: [], ...more }];
  };

  test.each([
    {
      name: 'a limit that has no room for one more',
      change: withPool({ limits: { cpu: '16', memory: '64Gi' }, used: { cpu: '15', memory: '60Gi' } }),
      why: 'NodePool web uses 15 of its limit of 16 cpu',
    },
    {
      name: 'a limit of nodes',
      change: withPool({ limits: { nodes: '4' }, used: { nodes: '4' } }),
      why: 'NodePool web uses 4 of its limit of 4 nodes',
    },
    {
      name: 'a NodePool that is not ready',
      change: withPool({ notReady: 'NodeClassReady=False' }),
      why: 'NodePool web is not ready: NodeClassReady=False',
    },
    {
      name: 'a NodePool that is not there',
      change: (service: FakeRuntime) => {
        service.cluster.nodePools = [];
      },
      why: 'the cluster has no NodePool web',
    },
    {
      name: 'pods that a quota keeps out',
      change: (service: FakeRuntime) =>
        service.cluster.edit('web', ({ object }) => ({
          object: {
            ...(object as object),
            status: { conditions: [{ type: 'ReplicaFailure', status: 'True', message: 'exceeded quota: "small"' }] },
          },
        })),
      why: "pods cannot be created: exceeded quota: 'small'",
    },
    {
      name: 'nodes on their way, not those that are ready or going away',
      change: (service: FakeRuntime) => {
        service.cluster.starts = [
          starting('11:29'),
          starting('11:28', { waitsFor: 'Registered: Node not registered with cluster' }),
          starting('11:20', { initializedAt: seoul('11:22') }),
          starting('11:20', { deleting: true }),
        ];
      },
      why: '2 nodes are still starting, the first since 2026-11-17T02:28Z (Registered: Node not registered with cluster)',
    },
    {
      name: 'no capacity, where nothing starts',
      change: () => undefined,
      why: 'no node is starting: EC2 has no capacity, or Karpenter has not acted yet; headstart status --kubeconfig says more',
    },
    {
      name: 'NodeClaims that cannot be read',
      change: (service: FakeRuntime) => {
        service.cluster.fault = (call) => (call === 'nodeClaims' ? new Error('no') : undefined);
      },
      why: 'the NodeClaims cannot be read',
    },
  ])('is $name', async ({ change, why }) => {
    expect(await reasonOf(change)).toBe(why);
  });

  test('a limit is not to blame while all that is missing is on its way', async () => {
    const limited = withPool({ limits: { cpu: '16' }, used: { cpu: '16' } });
    const two = (service: FakeRuntime) => {
      limited(service);
      service.cluster.starts = [starting('11:29'), starting('11:29')];
    };
    const one = (service: FakeRuntime) => {
      limited(service);
      service.cluster.starts = [starting('11:30')];
    };
    expect(await reasonOf(two)).toBe('2 nodes are still starting, the first since 2026-11-17T02:29Z');
    expect(await reasonOf(one)).toBe(
      'NodePool web uses 16 of its limit of 16 cpu; 1 node is still starting, since 2026-11-17T02:30Z',
    );
  });

  test('fits into the record, whatever Karpenter writes', async () => {
    const why = await reasonOf(withPool({ notReady: `\u0000"\\한\n${'x'.repeat(500)}` }));
    expect(why).toHaveLength(MAX_WHY);
    expect(JSON.stringify(why)).toHaveLength(MAX_WHY + 2);
    expect(why).toMatch(/^NodePool web is not ready: .+\.\.\.$/);
  });
});
