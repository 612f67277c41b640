import type { Config } from '../../../../shared/core/config/config';
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

/** Another function, which was deployed with another config. */
function beatWith(config: Config, { owner, ports }: FakeRuntime, time: string) {
  const now = seoul(time);
  const tick = loadEvent('heartbeat', { time: new Date(now).toISOString() });
  return handle(tick, { config, owner, ports, now: () => now });
}

const occurrences = (service: FakeRuntime) =>
  requestedOccurrences(record(service, 'web'), service.config.headrooms[0]?.windows ?? []);
const occurrence = (service: FakeRuntime) => occurrences(service)[0];
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

describe('an occurrence', () => {
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

  test('asks why once, with one LIST for all, and not every minute', async () => {
    const service = made(
      configOf(
        `  web: {max: 8, leadTime: 0s, schedules: [${LUNCH}]}\n  ci: {max: 8, leadTime: 1m, schedules: [${LUNCH}]}\n`,
      ),
    );
    for (const time of ['11:30', '11:31', '11:32', '11:41', '12:11']) await beatAt(service, time);
    expect(looks(service)).toBe(1);
  });

  test('has its own size, whatever boosts and higher windows add to it', async () => {
    const more = `{name: sale, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 8}`;
    const service = made(configOf(`  web: {max: 20, leadTime: 5m, schedules: [${LUNCH}, ${more}]}\n`));
    await beatAt(service, '11:25');
    await beatAt(service, '11:30', 6);
    expect(occurrences(service)).toMatchObject([
      { window: 'lunch', ready: seoul('11:30') },
      { window: 'sale', why: expect.any(String) },
    ]);
    expect(figures(service).late).toBe(2);
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
      await beatWith(later, service, time);
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
      await beatWith(older, service, time);
      expect(requestedOccurrences(record(service, 'web'), [])).toEqual([]);
    }
    await beatAt(service, '11:32', 2);
    expect(occurrence(service)).toEqual(verdict);
    expect(figures(service)).toEqual({ late: undefined, lateBySeconds: undefined });
  });

  test.each([
    { name: 'missed by a few heartbeats is judged', time: '11:39', count: 1 },
    { name: 'that a deploy finds open is not', time: '11:40', count: 0 },
  ])('$name', async ({ time, count }) => {
    const service = made();
    await beatAt(service, time);
    expect(occurrences(service)).toHaveLength(count);
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

describe('why an occurrence is late', () => {
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
});
