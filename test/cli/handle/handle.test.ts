import { join } from 'node:path';
import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import { folderWith, runCli } from '../run-cli';
import { SmallCluster } from '../small-cluster';

jest.setTimeout(60_000);

const CONFIG =
  'cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}\nnodePools: {default: {max: 8, base: 2, events: [{name: import, pattern: {source: [shop.etl]}, cancel: {source: [shop.etl]}, hold: 30m, desiredReplicas: 6}]}}\n';
const ORDER = { headroom: 'default', atLeast: 5, for: '30m', by: 'ana', reason: 'try' };

let cluster: SmallCluster;
beforeEach(async () => {
  cluster = await SmallCluster.start(['default']);
});
afterEach(() => cluster.close());

function argv(event: string, ...more: string[]): string[] {
  const folder = folderWith({ 'headroom.yaml': CONFIG, 'event.json': event });
  return [
    'handle',
    join(folder, 'event.json'),
    '-c',
    join(folder, 'headroom.yaml'),
    '--stack',
    'shop',
    '--kubeconfig',
    cluster.kubeconfig,
    ...more,
  ];
}

describe('headstart handle', () => {
  test('runs an order through its handler', async () => {
    const { code, out } = await runCli(argv(JSON.stringify(ORDER)));
    expect(code).toBe(0);
    expect(JSON.parse(out).decisions).toMatchObject([{ headroom: 'default', from: 0, replicas: 5, change: 'created' }]);
    expect(cluster.api.get(DEPLOYMENTS, 'headroom', 'headroom-default').spec.replicas).toBe(5);
  });

  test('changes nothing in a dry run, and decides for the time that it is told', async () => {
    const { code, out } = await runCli(argv(JSON.stringify(ORDER), '--dry-run', '--at', '2026-12-01T00:00:00Z'));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ at: '2026-12-01T00:00:00.000Z', decisions: [{ replicas: 5 }] });
    expect(cluster.api.list(DEPLOYMENTS, 'headroom')).toEqual([]);
  });

  test.each([
    { name: 'at its own time', more: [], at: '2026-11-16T03:00:00.000Z' },
    { name: 'at the time that is given', more: ['--at', '2026-12-01T00:00:00Z'], at: '2026-12-01T00:00:00.000Z' },
  ])('decides a heartbeat from a file $name', async ({ more, at }) => {
    const heartbeat = {
      source: 'headstart.schedule',
      'detail-type': 'Headstart Heartbeat',
      time: '2026-11-16T03:00:00Z',
      detail: {},
    };
    const { code, out } = await runCli(argv(JSON.stringify(heartbeat), '--dry-run', ...more));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ at, decisions: [{ replicas: 2 }] });
  });

  test.each([
    { name: 'what is not JSON', event: '{', code: 1, says: 'is not JSON' },
    { name: 'an order that cannot be meant', event: '{"headroom": "web"}', code: 1, says: '' },
  ])('ends with 1 for $name', async ({ event, code, says }) => {
    const run = await runCli(argv(event));
    expect(run.code).toBe(code);
    expect(run.err).toContain(says);
  });

  describe('an announced peak', () => {
    const event = { id: '1', source: 'shop.etl', time: '2026-11-18T09:00:00Z', detail: {} };
    const queued = (cancel: boolean) => ({
      announced: { headroom: 'default', event: 'import', cancel },
      ingestedAt: '2026-11-18T09:00:01Z',
      event,
    });
    const NAMED = ['--headroom', 'default', '--event', 'import'];
    const AT = ['--at', '2026-11-18T09:01:00Z'];

    test.each([
      { name: 'the event itself', sent: event, more: NAMED, replicas: 6 },
      { name: 'its cancellation', sent: event, more: [...NAMED, '--cancel'], replicas: 2 },
      { name: 'the message of the queue', sent: queued(false), more: [], replicas: 6 },
      { name: 'a message that takes it back', sent: queued(true), more: [], replicas: 2 },
    ])('is tried with $name', async ({ sent, more, replicas }) => {
      const { code, out } = await runCli(argv(JSON.stringify(sent), ...more, ...AT));
      expect([code, JSON.parse(out).decisions[0].replicas]).toEqual([0, replicas]);
    });

    test('also with a batch of the queue', async () => {
      const batch = { Records: [{ messageId: 'm1', body: JSON.stringify(queued(false)) }] };
      const { code, out } = await runCli(argv(JSON.stringify(batch), ...AT));
      expect([code, JSON.parse(out)]).toEqual([0, { batchItemFailures: [] }]);
      expect(cluster.api.get(DEPLOYMENTS, 'headroom', 'headroom-default').spec.replicas).toBe(6);
    });

    test.each([
      { more: ['--event', 'import'], says: 'an announced peak needs --headroom and --event; pass both' },
      { more: ['--headroom', 'nope', '--event', 'import'], says: '"nope" is not in the config' },
      { more: ['--headroom', 'default', '--event', 'nope'], says: 'default has no event nope; pass import' },
    ])('needs both names: $more', async ({ more, says }) => {
      const { code, err } = await runCli(argv(JSON.stringify(event), ...more));
      expect([code, err]).toEqual([1, expect.stringContaining(says)]);
    });
  });
});
