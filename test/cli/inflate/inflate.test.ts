import { join } from 'node:path';
import { DEPLOYMENTS, NODE_POOLS } from '../../../lab/simulator/kube/kinds';
import { type FakeTerminal, fakeTerminal, folderWith, NOW, runCli } from '../run-cli';
import { SmallCluster } from '../small-cluster';

// Generous: the machine may be busy.
jest.setTimeout(60_000);

const CONFIG = `
cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}
nodePools:
  default:
    max: 30
    leadTime: 5m
    price: 0.5
    schedules:
      - {name: dinner, timezone: Asia/Seoul, start: 0 19 * * *, end: 0 21 * * *, desiredReplicas: 2}
  ci:
    max: 100
    unit: {slice: {cpu: 500m, memory: 1Gi}}
  web:
    max: 30
    price: 0.5
    unit: {floor: {cpu: 4, memory: 16Gi}}
`;
const config = join(folderWith({ 'headroom.yaml': CONFIG }), 'headroom.yaml');

let cluster: SmallCluster;
beforeEach(async () => {
  cluster = await SmallCluster.start(['default', 'ci', 'web']);
});
afterEach(() => cluster.close());

const inflate = (pool: string, ...more: string[]) => [
  'inflate',
  pool,
  '-c',
  config,
  '--stack',
  'shop',
  '--kubeconfig',
  cluster.kubeconfig,
  ...more,
];
const release = (...more: string[]) => [
  'release',
  '-c',
  config,
  '--stack',
  'shop',
  '--kubeconfig',
  cluster.kubeconfig,
  ...more,
];
const replicasOf = (name: string) => cluster.api.get(DEPLOYMENTS, 'headroom', name).spec.replicas;

/** A terminal whose every sleep lets a test change the cluster. */
function stepping(step: (steps: number) => void, more: Partial<FakeTerminal> = {}): FakeTerminal {
  let [now, steps] = [NOW, 0];
  return fakeTerminal({
    now: () => now,
    sleep: async (ms) => {
      now += ms;
      steps += 1;
      cluster.setTime(now);
      step(steps);
    },
    ...more,
  });
}

/** Two roomy nodes are there, four more join a while after the override. */
function sixNodes(): (steps: number) => void {
  cluster.setTime(NOW - 3_600_000);
  const nodes = [cluster.addNode('default'), cluster.addNode('default')];
  cluster.setTime(NOW);
  return (steps) => {
    if (steps === 9) nodes.push(...Array.from({ length: 4 }, () => cluster.addNode('default')));
    cluster.place('default', nodes);
  };
}

describe('headstart inflate', () => {
  test('sets an override, shows which nodes come, and waits until they are ready', async () => {
    const argv = inflate('default', '--nodes', '6', '--for', '30m', '--reason', 'flash sale');
    const { code, out, err } = await runCli(argv, stepping(sixNodes(), { width: 100 }));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      [
        'default: 0 → 6 (Override by ana: 2 → 6 until 20:30 Asia/Seoul (flash sale))',
        '  0 of 6 ready after 0 s, expires in 30 min',
        '  6 wanted: 2 pause pods on existing nodes, 4 nodes coming',
        '  2 of 6 ready after 2 s, expires in 29 min 58 s',
        '  waiting: 4 pause pods pending: 0/1 nodes are available',
        '  6 wanted: 2 pause pods on existing nodes, 4 on new nodes',
        '  6 of 6 ready after 18 s, expires in 29 min 42 s',
        'default: 6 of 6 nodes ready after 18 s; the override expires at 20:30 Asia/Seoul; to end it',
        '  sooner, run',
        `  npx headstart release default -c ${config} --kubeconfig ${cluster.kubeconfig} --stack shop`,
        '',
      ].join('\n'),
    );
    expect(replicasOf('headroom-default')).toBe(6);
  });

  test('redraws one line with a bar and a countdown for a person', async () => {
    const argv = inflate('default', '--nodes', '6', '--for', '30m');
    const { out } = await runCli(argv, stepping(sixNodes(), { redraws: true }));
    const clear = '\r\u001b[2K';
    expect(out).toContain(`${clear}  ██████░░░░░░░░░░░░░░ 2 of 6 ready after 2 s, expires in 29 min 58 s${clear}`);
    expect(out).toContain(`${clear}  ${'█'.repeat(20)} 6 of 6 ready after 18 s, expires in 29 min 42 s\n`);
  });

  test('never redraws a line that is wider than the terminal', async () => {
    const argv = inflate('default', '--nodes', '6', '--for', '30m');
    const { out } = await runCli(argv, stepping(sixNodes(), { redraws: true, width: 40 }));
    const redrawn = out.split('\r\u001b[2K').map((line) => line.split('\n')[0] ?? '');
    expect(redrawn).toContain('  2 of 6 ready after 2 s, expires in 2…');
    expect(redrawn.filter((line) => line.length >= 40)).toEqual([]);
  });

  test('says that it is already there, and by what', async () => {
    const terminal = stepping(() => {});
    await runCli(release('default'), fakeTerminal({ now: () => NOW - 1_000 }));
    cluster.setTime(NOW - 3_600_000);
    cluster.place('default', [cluster.addNode('default'), cluster.addNode('default')]);
    cluster.setTime(NOW);
    const { code, out } = await runCli(inflate('default', '--nodes', '2', '--for', '30m'), terminal);
    expect(code).toBe(0);
    expect(out).toContain(
      'default: already 2 (dinner open since 19:00 Asia/Seoul: 2 nodes)\n  2 wanted: 2 pause pods on existing nodes\n',
    );
  });

  test('tells why capacity does not come, and fails', async () => {
    const pool = cluster.api.get(NODE_POOLS, undefined, 'default');
    cluster.api.patch(NODE_POOLS, pool, { kind: 'merge', body: { spec: { limits: { cpu: '2' } } } });
    cluster.setStatus(NODE_POOLS, cluster.api.get(NODE_POOLS, undefined, 'default'), { resources: { cpu: '2' } });
    const terminal = stepping(() => cluster.place('default', []), { width: 120 });
    const { code, out, err } = await runCli(
      inflate('default', '--nodes', '3', '--for', '1h', '--timeout', '20s'),
      terminal,
    );
    expect(code).toBe(2);
    expect(out).toContain('default: only 0 of 3 nodes ready after 20 s; the override stays in force');
    expect(err).toContain('default: NodePool default uses 2 of its limit of 2 cpu: raise spec.limits.cpu\n');
    expect(err).toContain('default: 3 pause pods pending: 0/1 nodes are available\n');
  });

  test('says what is on its way where nothing is refused and the time is up', async () => {
    cluster.setTime(NOW - 3_600_000);
    const node = cluster.addNode('default');
    cluster.setTime(NOW);
    const terminal = stepping(
      (steps) => {
        if (steps === 1) cluster.addClaim('default');
        cluster.place('default', [node]);
      },
      { width: 120 },
    );
    const argv = inflate('default', '--nodes', '3', '--for', '1h', '--timeout', '20s');
    const { code, err } = await runCli(argv, terminal);
    expect(code).toBe(2);
    expect(err).toContain('1 pause pod on existing nodes, 2 nodes coming');
    expect(err).not.toContain('--kubeconfig');
  });

  test('fails when the override expires before its nodes are ready, and says why', async () => {
    const terminal = stepping(() => cluster.place('default', []), { width: 120 });
    const { code, out, err } = await runCli(inflate('default', '--nodes', '3', '--for', '20s'), terminal);
    expect(code).toBe(2);
    expect(out).toContain('default: the override expired with 0 of 3 nodes ready\n');
    expect(err).toBe('default: 3 pause pods pending: 0/1 nodes are available\n');
  });

  test.each([
    { name: 'releases it', order: { release: true }, says: 'released by bo: enough' },
    {
      name: 'replaces it',
      order: { atLeast: 2, for: '1h' },
      says: 'replaced by bo, who asked for at least 2: enough',
    },
  ])('stops waiting when somebody else $name, and does not call that ready', async ({ order, says }) => {
    const newer = { headroom: 'default', by: 'bo', reason: 'enough', ...order };
    const event = join(folderWith({ 'order.json': JSON.stringify(newer) }), 'order.json');
    const handled = ['handle', event, '-c', config, '--stack', 'shop', '--kubeconfig', cluster.kubeconfig];
    let done = Promise.resolve();
    const at = (ms: number) => fakeTerminal({ now: () => NOW + ms });
    const terminal = stepping((steps) => {
      if (steps === 2) done = runCli(handled, at(4_000)).then(() => {});
    });
    const { code, out } = await runCli(inflate('default', '--nodes', '3', '--for', '1h'), {
      ...terminal,
      sleep: async (ms) => {
        await terminal.sleep(ms);
        await done;
      },
    });
    expect(code).toBe(2);
    expect(out.replace(/\s+/g, ' ')).toContain(
      `default: the override is no longer in force, ${says}; it had 0 of 3 nodes ready`,
    );
  });

  test('ends by itself: the same question after the time gives the size of the config', async () => {
    await runCli(inflate('default', '--nodes', '9', '--for', '30m', '--no-wait'));
    expect(replicasOf('headroom-default')).toBe(9);
    cluster.setTime(NOW + 31 * 60_000);
    const { out } = await runCli(['status', 'default', '-c', config, '--kubeconfig', cluster.kubeconfig, '--json']);
    expect(JSON.parse(out).status[0]).toMatchObject({
      wanted: 2,
      reasons: ['dinner open since 2026-11-16T10:00Z: 2 nodes'],
    });
  });

  test('reckons by the clock of the cluster where this machine is wrong', async () => {
    cluster.setTime(NOW + 7 * 3_600_000);
    const { out } = await runCli(inflate('default', '--nodes', '9', '--for', '30m', '--no-wait', '--json'));
    expect(JSON.parse(out).until).toMatch(/^2026-11-16T18:30:00/);
  });

  test('stops waiting on Ctrl-C and leaves the override in force', async () => {
    let interrupt = () => {};
    const terminal = stepping((steps) => steps === 3 && interrupt(), {
      onInterrupt: (callback) => {
        interrupt = callback;
        return () => {};
      },
    });
    const { code, out } = await runCli(inflate('default', '--nodes', '3', '--for', '30m'), terminal);
    expect(code).toBe(0);
    expect(out).toContain('stopped waiting at 0 of 3 nodes; the override stays in force');
  });

  test('prints JSON and nothing else', async () => {
    const argv = inflate('default', '--nodes', '6', '--for', '30m', '--json');
    const { out } = await runCli(argv, stepping(sixNodes()));
    expect(JSON.parse(out)).toMatchObject({
      decision: { headroom: 'default', from: 0, replicas: 6, change: 'created' },
      until: '2026-11-16T11:30:00.000Z',
      waited: { kind: 'ready', wanted: 6, ready: 6, afterMs: 18_000 },
    });
  });

  test('asks before a large override and takes no for an answer', async () => {
    const argv = inflate('default', '--nodes', '25', '--for', '30m', '--no-wait');
    const no = fakeTerminal({ interactive: true, answers: ['no'] });
    expect(await runCli(argv, no)).toMatchObject({ code: 1, err: 'cancelled, nothing was changed\n' });
    expect(no.asked).toEqual([
      'default: this asks for up to 25 nodes ($12.50 per hour), more than 20. Continue? [y/N] ',
    ]);
    const yes = fakeTerminal({ interactive: true, answers: ['y'] });
    expect((await runCli(argv, yes)).code).toBe(0);
    const dear = fakeTerminal({ interactive: true, answers: ['n'] });
    await runCli(inflate('default', '--nodes', '9', '--for', '1h', '--ask-above-cost', '4'), dear);
    expect(dear.asked).toEqual([
      'default: this asks for up to 9 nodes ($4.50 per hour), more than $4.00 per hour. Continue? [y/N] ',
    ]);
  });

  test.each([
    {
      name: 'a wrong pool',
      argv: ['shop', '--nodes', '3', '--for', '5m'],
      says: 'NodePool "shop" is not in the config; write one of default, ci, web',
    },
    { name: 'no size', argv: ['default', '--for', '5m'], says: 'inflate needs a size; add --nodes' },
    {
      name: 'no end',
      argv: ['default', '--nodes', '3'],
      says: 'inflate needs an expiry; add --for with a duration of at most 24h',
    },
    {
      name: 'a length that is none',
      argv: ['default', '--nodes', '3', '--for', 'long'],
      says: '--for is "long"; write a duration such as',
    },
    {
      name: 'more than a day',
      argv: ['default', '--nodes', '3', '--for', '25h'],
      says: '--for is "25h"; write at most 24h',
    },
    {
      name: 'more than max',
      argv: ['default', '--nodes', '31', '--for', '5m'],
      says: '--nodes 31 is above the max of default; use --nodes 30, or raise max in the config and run `npx cdk deploy --all',
    },
    {
      name: 'more slices than max',
      argv: ['ci', '--slices', '101', '--for', '5m', '--exactly'],
      says: '--slices 101 is above the max of ci; use --slices 100, or raise max',
    },
    {
      name: 'at least nothing',
      argv: ['default', '--nodes', '0', '--for', '5m'],
      says: '--nodes 0 asks for at least 0, which changes nothing; add --exactly to hold none, or end an override with `npx headstart release default -c ',
    },
    {
      name: 'slices of nodes',
      argv: ['default', '--slices', '3', '--for', '5m'],
      says: 'the unit of default is a node (1 vCPU); use --nodes only',
    },
    {
      name: 'nodes of slices',
      argv: ['ci', '--nodes', '3', '--for', '5m'],
      says: 'the unit of ci is a slice (0.5 vCPU, 1 GiB); use --slices only',
    },
    {
      name: 'more nodes than there are of a pool that counts none',
      argv: ['default', '--more', '3', '--for', '5m'],
      says: '--more adds to the nodes that exist, which only a floor counts; the unit of default is a node (1 vCPU), so use --nodes with the size that you want in all',
    },
    {
      name: 'more slices than there are',
      argv: ['ci', '--more', '3', '--for', '5m'],
      says: 'the unit of ci is a slice (0.5 vCPU, 1 GiB), so use --slices with the size that you want in all',
    },
    {
      name: 'slices of a floor',
      argv: ['web', '--slices', '3', '--for', '5m'],
      says: 'the unit of web is a floor (4 vCPU, 16 GiB); use --more or --nodes',
    },
    {
      name: 'a floor without a size',
      argv: ['web', '--for', '5m'],
      says: 'inflate needs a size; add --more, such as --more 6 (6 more nodes than there are), or --nodes 6 (6 nodes in all)',
    },
    {
      name: 'more nodes and nodes in all',
      argv: ['web', '--more', '3', '--nodes', '6', '--for', '5m'],
      says: '--more and --nodes exclude each other; --nodes counts all nodes',
    },
    {
      name: 'a pin on what nobody has counted',
      argv: ['web', '--more', '3', '--exactly', '--for', '5m'],
      says: '--exactly pins the size in all; use it with --nodes instead of --more',
    },
    {
      name: 'no more nodes',
      argv: ['web', '--more', '0', '--for', '5m'],
      says: '--more is "0"; write a whole number of at least 1',
    },
    {
      name: 'many more nodes that nobody confirms',
      argv: ['web', '--more', '21', '--for', '5m'],
      says: 'this asks for up to 0 nodes + 21 = 21 ($10.50 per hour), more than 20; add --yes to confirm',
    },
    {
      name: 'more nodes than max allows',
      argv: ['web', '--more', '31', '--for', '5m'],
      says: '--more 31 is above the max of web; use --more 30, or raise max in the config',
    },
    {
      name: 'half a node',
      argv: ['default', '--nodes', '1.5', '--for', '5m'],
      says: '--nodes is "1.5"; write a whole number',
    },
    {
      name: 'a large override that nobody confirms',
      argv: ['default', '--nodes', '21', '--for', '5m'],
      says: 'this asks for up to 21 nodes ($10.50 per hour), more than 20; add --yes to confirm',
    },
  ])('refuses $name', async ({ argv: [pool = '', ...more], says }) => {
    const { code, out, err } = await runCli(inflate(pool, ...more));
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(says);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  test('names every mistake at once', async () => {
    const { code, err } = await runCli(inflate('default', '--nodes', 'x', '--timeout', 'y', '--ask-above-cost', 'z'));
    expect(code).toBe(1);
    expect(err.trim().split('\n')).toEqual([
      '--nodes is "x"; write a whole number of at least 0',
      'inflate needs an expiry; add --for with a duration of at most 24h, such as --for 30m',
      '--timeout is "y"; write a duration such as 90s, 5m or 1h30m',
      '--ask-above-cost is "z"; write a number, such as --ask-above-cost 50',
    ]);
  });

  test('never asks to confirm what would be refused', async () => {
    const terminal = fakeTerminal({ interactive: true, answers: ['y'] });
    expect((await runCli(inflate('default', '--nodes', '99', '--for', '5m'), terminal)).code).toBe(1);
    expect(terminal.asked).toEqual([]);
  });

  test('names the day of an expiry that is not today', async () => {
    const { out } = await runCli(
      inflate('default', '--nodes', '3', '--for', '12h', '--no-wait'),
      fakeTerminal({ width: 200 }),
    );
    expect(out).toContain('until Tue 17 Nov 08:00 Asia/Seoul (no reason given))');
    expect(out).toContain('it expires at Tue 17 Nov 08:00 Asia/Seoul; to end it sooner');
    expect(out).not.toContain('2026-');
  });
});

describe('headstart inflate on a floor', () => {
  test('adds to the nodes that there are, waits for the new ones and tells both', async () => {
    cluster.setTime(NOW - 3_600_000);
    const there = [1, 2, 3].map(() => cluster.addFloorNode('web', { cpu: 4, memoryMiB: 16_384 }));
    // Too small for the floor, so it does not count.
    cluster.addFloorNode('web', { cpu: 2, memoryMiB: 8_192 });
    cluster.setTime(NOW);
    const terminal = stepping(
      (steps) => {
        if (steps === 1) cluster.place('web', there);
        if (steps === 9) cluster.place('web', [...there, cluster.addNode('web'), cluster.addNode('web')]);
      },
      { width: 140 },
    );
    const { code, out, err } = await runCli(
      inflate('web', '--more', '2', '--for', '30m', '--reason', 'sale'),
      terminal,
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(
      [
        'web: 0 → 5 (Override by ana: 3 nodes + 2 = 5 until 11:30 UTC (sale))',
        '  0 of 5 ready after 0 s, expires in 30 min',
        '  5 wanted: 3 nodes there already, 2 nodes coming',
        '  3 of 5 ready after 2 s, expires in 29 min 58 s',
        '  waiting: 2 pause pods pending: 0/1 nodes are available',
        '  5 wanted: 3 nodes there already, 2 new',
        '  5 of 5 ready after 18 s, expires in 29 min 42 s',
        'web: 5 of 5 nodes ready after 18 s; the override expires at 11:30 UTC; to end it sooner, run',
        `  npx headstart release web -c ${config} --kubeconfig ${cluster.kubeconfig} --stack shop`,
        '',
      ].join('\n'),
    );
    const after = await runCli(release('web'), fakeTerminal({ width: 200 }));
    expect(after.out).toContain(
      'web: 5 → 0 (base: 0 nodes); ended the override of ana: 3 nodes + 2 = 5 until 11:30 UTC (sale)',
    );
  });

  test('asks with the nodes that there are and the sum before many more', async () => {
    for (const cpu of [4, 8, 2]) cluster.addFloorNode('web', { cpu, memoryMiB: 32_768 });
    const no = fakeTerminal({ interactive: true, answers: ['n'] });
    await runCli(inflate('web', '--more', '25', '--for', '1h'), no);
    expect(no.asked).toEqual([
      'web: this asks for up to 2 nodes + 25 = 27 ($12.50 per hour), more than 20. Continue? [y/N] ',
    ]);
  });

  test('keeps so many nodes in all with --nodes', async () => {
    const { out } = await runCli(inflate('web', '--nodes', '6', '--for', '30m', '--no-wait', '--json'));
    expect(JSON.parse(out).decision).toMatchObject({ headroom: 'web', replicas: 6 });
  });
});

describe('an order that somebody else was faster than', () => {
  /** Somebody with a clock of their own gives an order dated a little ahead. */
  const newer = async (more: Record<string, unknown>) => {
    const order = { headroom: 'default', at: new Date(NOW + 30_000).toISOString(), by: 'bo', ...more };
    const event = join(folderWith({ 'newer.json': JSON.stringify(order) }), 'newer.json');
    await runCli(['handle', event, '-c', config, '--stack', 'shop', '--kubeconfig', cluster.kubeconfig]);
  };

  test('is told so, and nothing is waited for', async () => {
    await newer({ atLeast: 9, for: '1h', reason: 'sale' });
    const { code, out } = await runCli(
      inflate('default', '--nodes', '6', '--for', '30m'),
      fakeTerminal({ width: 200 }),
    );
    expect(code).toBe(2);
    expect(out).toContain('not in force: the override of bo: at least 9');
    expect(out).not.toContain('replaced');
  });

  test('may be a release: then the newer override stays', async () => {
    await newer({ atLeast: 9, for: '1h', reason: 'sale' });
    const { code, out } = await runCli(release('default'), fakeTerminal({ width: 200 }));
    expect(code).toBe(2);
    expect(out).toContain('not in force: the override of bo: at least 9');
  });
});

describe('headstart release', () => {
  test('ends an override and says whose it was', async () => {
    await runCli(inflate('default', '--nodes', '6', '--for', '30m', '--no-wait', '--by', 'bo', '--reason', 'sale'));
    const { code, out } = await runCli(release('default'), fakeTerminal({ width: 200 }));
    expect(code).toBe(0);
    expect(out).toBe(
      'default: 6 → 2 (dinner open since 19:00 Asia/Seoul: 2 nodes); ended the override of bo: at least 6 until 20:30 (sale); next 0 from 21:00 (in 1 h)\n',
    );
    expect(replicasOf('headroom-default')).toBe(2);
    const again = await runCli(release('--all'), fakeTerminal({ width: 200 }));
    expect(again.out).toContain(
      'default: stays 2 (dinner open since 19:00 Asia/Seoul: 2 nodes); there was no override to end',
    );
    expect(again.out).toContain('ci: stays 0 (base: 0 slices); there was no override to end\n');
  });

  test.each([
    { name: 'nothing named', more: [], says: 'release needs one NodePool or --all' },
    { name: 'both named', more: ['default', '--all'], says: 'release needs one NodePool or --all' },
    { name: 'a wrong pool', more: ['shop'], says: 'NodePool "shop" is not in the config' },
  ])('refuses $name', async ({ more, says }) => {
    const { code, err } = await runCli(release(...more));
    expect(code).toBe(1);
    expect(err).toContain(says);
  });
});
