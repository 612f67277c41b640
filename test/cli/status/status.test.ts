import { join } from 'node:path';
import { DEPLOYMENTS, NODE_POOLS } from '../../../lab/simulator/kube/kinds';
import { fakeTerminal, folderWith, NOW, runCli } from '../run-cli';
import { nodePool, SmallCluster } from '../small-cluster';

// Generous: the machine may be busy.
jest.setTimeout(60_000);

const CONFIG = `
cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}
nodePools:
  default:
    max: 8
    leadTime: 5m
    schedules:
      - {name: dinner, timezone: Asia/Seoul, start: 0 19 * * *, end: 0 21 * * *, desiredReplicas: 3}
  ci:
    max: 40
    unit: {slice: {cpu: 500m}}
    alarms: [{alarmName: queue-long, add: 5}]
`;
const folder = folderWith({ 'headroom.yaml': CONFIG });
const config = join(folder, 'headroom.yaml');

let cluster: SmallCluster;
beforeEach(async () => {
  cluster = await SmallCluster.start(['default', 'ci']);
  await runCli([
    'handle',
    order({ headroom: 'ci', release: true }),
    '-c',
    config,
    '--stack',
    'shop',
    '--kubeconfig',
    cluster.kubeconfig,
  ]);
});
afterEach(() => cluster.close());

const order = (body: object) => join(folderWith({ 'order.json': JSON.stringify(body) }), 'order.json');
const argv = (...more: string[]) => ['status', '-c', config, '--kubeconfig', cluster.kubeconfig, ...more];

describe('headstart status of a floor', () => {
  const FLOOR = `
cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}
nodePools:
  web:
    max: 8
    base: 3
    leadTime: 5m
    unit: {floor: {cpu: 4}}
    schedules:
      - {name: late, timezone: Asia/Seoul, start: 30 22 * * *, end: 0 23 * * *, addNodes: 6}
`;
  const floorConfig = join(folderWith({ 'headroom.yaml': FLOOR }), 'headroom.yaml');
  const run = (...words: string[]) =>
    runCli([...words, '-c', floorConfig, '--kubeconfig', cluster.kubeconfig], fakeTerminal({ width: 140 }));
  const act = (body: object) => run('handle', order(body), '--stack', 'shop');

  beforeEach(async () => {
    cluster.apply(nodePool('web'));
    await act({ headroom: 'web', release: true });
  });

  test('shows how much of it runs work, what is missing, and the nodes that a window will add', async () => {
    const nodes = [1, 2].map(() => cluster.addFloorNode('web', { cpu: 4, memoryMiB: 16_384 }));
    cluster.place('web', nodes, 'no node is large enough');
    cluster.addWork(nodes[0] ?? '', {});
    cluster.addWork(nodes[0] ?? '', {});
    cluster.addWork(nodes[1] ?? '', { ownerReferences: [owner('DaemonSet')] });
    cluster.addWork('elsewhere', {});
    const { out } = await run('status');
    expect(out.split('\n').slice(2, 8)).toEqual([
      'web  █████████████░░░░░░░  2 of 3 nodes ready  1 short',
      '  because  base: 3 nodes',
      '  in use   1 of 2 nodes run work',
      '  next     3 +6 from 22:25 Asia/Seoul (in 2 h 25 min): base: 3 nodes; late opens 22:30: +6 nodes; baseline counted at 22:25',
      '  released 20:00 Asia/Seoul (now) by unknown: no reason given',
      '  missing  1 pause pod pending: no node is large enough',
    ]);
    const json = await run('status', '--json');
    expect(JSON.parse(json.out).status).toMatchObject([
      { headroom: 'web', wanted: 3, ready: 2, shortfall: 1, nodesInUse: 1, next: { replicas: 3, addNodes: 6 } },
    ]);
  });

  test('a floor that is full of work is neither late nor short', async () => {
    const nodes = [1, 2, 3].map(() => cluster.addFloorNode('web', { cpu: 4, memoryMiB: 16_384 }));
    cluster.place('web', nodes);
    for (const node of nodes) cluster.addWork(node, {});
    const { out } = await run('status');
    expect(out).toContain(`web  ${'█'.repeat(20)}  3 of 3 nodes ready\n`);
    expect(out).toContain('  in use   3 of 3 nodes run work\n');
    expect(out).not.toMatch(/short|missing/);
  });

  test('says why it is not known how much runs work, where pods may not be listed', async () => {
    cluster.place('web', [cluster.addFloorNode('web', { cpu: 4, memoryMiB: 16_384 })]);
    cluster.forbid('/api/v1/pods');
    const { code, out } = await run('status');
    expect(code).toBe(0);
    expect(out).toMatch(/\n {2}in use {3}not known: .*forbidden/);
    expect(JSON.parse((await run('status', '--json')).out).status[0]).not.toHaveProperty('nodesInUse');
  });

  test('shows an order for more nodes with what it counted', async () => {
    for (const cpu of [4, 4, 2]) cluster.addFloorNode('web', { cpu, memoryMiB: 16_384 });
    const at = new Date(NOW + 1_000).toISOString();
    await act({ headroom: 'web', addNodes: 4, for: '30m', by: 'bo', reason: 'sale', at });
    const { out } = await run('status');
    expect(out).toContain('  0 of 6 nodes ready  6 short\n');
    expect(out).toContain('  override 2 nodes + 4 = 6 until 20:30 Asia/Seoul (in 30 min 1 s), by bo: sale\n');
  });
});

function owner(kind: string) {
  return { apiVersion: 'apps/v1', kind, name: 'logs', uid: '1', controller: true };
}

describe('headstart status', () => {
  test('tells size, reasons, next change and why nodes are missing', async () => {
    const node = cluster.addNode('default');
    cluster.place('default', [node], 'no room');
    const { code, out, err } = await runCli(argv());
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [, ...lines] = out.split('\n');
    expect(lines).toEqual([
      '',
      'default  ██████░░░░░░░░░░░░░░  1 of 3 nodes ready  2 short',
      '  because  dinner open since 19:00 Asia/Seoul: 3 nodes',
      '  next     0 from 21:00 Asia/Seoul (in 1 h): base: 0 nodes',
      '  missing  2 pause pods pending: no room',
      '',
      'ci       no headroom wanted now',
      '  because  base: 0 slices',
      '  next     no change scheduled',
      '  released 11:00 UTC (now) by unknown: no reason given',
      '',
    ]);
  });

  test('names the limit of the NodePool that stops it', async () => {
    const [pool] = cluster.api.list(NODE_POOLS).filter(({ metadata }) => metadata.name === 'default');
    if (!pool) throw new Error('no NodePool');
    cluster.api.patch(NODE_POOLS, pool, { kind: 'merge', body: { spec: { limits: { cpu: '4' } } } });
    cluster.setStatus(NODE_POOLS, cluster.api.get(NODE_POOLS, undefined, 'default'), { resources: { cpu: '4' } });
    cluster.place('default', []);
    const { out } = await runCli(argv('default', '--json'));
    expect(JSON.parse(out).status).toMatchObject([
      {
        headroom: 'default',
        wanted: 3,
        ready: 0,
        shortfall: 3,
        why: [
          'NodePool default uses 4 of its limit of 4 cpu: raise spec.limits.cpu',
          '3 pause pods pending: 0/1 nodes are available',
        ],
      },
    ]);
  });

  test('shows who ordered what until when, firing alarms, and a record that cannot be read', async () => {
    const current = cluster.api.get(DEPLOYMENTS, 'headroom', 'headroom-ci');
    const record = {
      v: 1,
      override: {
        mode: 'atLeast',
        replicas: 20,
        until: '2026-11-16T11:30:00.000Z',
        at: '2026-11-16T10:30:00.000Z',
        by: 'bo',
        reason: 'release day',
      },
      alarms: { 'queue-long': { state: 'ALARM', at: '2026-11-16T10:58:00.000Z' } },
      surges: {},
      released: 1,
    };
    cluster.api.patch(DEPLOYMENTS, current, {
      kind: 'merge',
      body: { metadata: { annotations: { 'headstart.dev/record': JSON.stringify(record) } } },
    });
    const { out } = await runCli(argv('ci'), fakeTerminal({ width: 140 }));
    expect(out).toContain('  override at least 20 until 11:30 UTC (in 30 min), by bo: release day\n');
    expect(out).toContain('  alarm    queue-long in ALARM since 10:58 UTC (2 min ago)\n');
    expect(out).toMatch(
      /held at \d+ or more; run\n +npx headstart release ci -c \S+ --kubeconfig \S+\n +to clear it: {"released":1}/,
    );
    expect(out).toContain('  next     5 from 11:30 UTC (in 30 min)');
  });

  test('watch ends with the error if the first look fails, as without credentials, and goes on after a later one', async () => {
    const failing = (from: number) => {
      let looks = 0;
      let interrupt = () => {};
      const terminal = fakeTerminal({
        onInterrupt: (callback) => {
          interrupt = callback;
          return () => {};
        },
        sleep: async () => {
          looks += 1;
          if (looks === from) cluster.forbid('/apis/apps/v1/namespaces/headroom/deployments');
          if (looks === from + 2) interrupt();
          if (looks > 9) throw new Error('goes on for ever');
        },
      });
      if (from === 0) cluster.forbid('/apis/apps/v1/namespaces/headroom/deployments');
      return runCli(argv('default', '--watch'), terminal);
    };
    expect(await failing(1)).toMatchObject({ code: 0, out: expect.stringMatching(/403|forbidden|not allowed/i) });
    expect(await failing(0)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/./) });
  });

  test('watches until Ctrl-C and prints only what changed', async () => {
    let looks = 0;
    let now = NOW;
    let interrupt = () => {};
    const terminal = fakeTerminal({
      now: () => now,
      onInterrupt: (callback) => {
        interrupt = callback;
        return () => {};
      },
      sleep: async (ms) => {
        looks += 1;
        now += ms / 100;
        if (looks === 3) cluster.place('default', [cluster.addNode('default')]);
        if (looks === 5) interrupt();
      },
    });
    const { code, out } = await runCli(argv('default', '--watch'), terminal);
    expect(code).toBe(0);
    expect(out.match(/of 3 nodes ready/g)).toHaveLength(2);
    expect(out).toContain('0 of 3 nodes ready');
    expect(out).toContain('1 of 3 nodes ready');
  });

  test.each([
    {
      name: 'an unknown pool',
      more: ['web'],
      code: 1,
      says: 'NodePool "web" is not in the config; write one of default, ci',
    },
    { name: 'an unknown zone', more: ['--timezone', 'Mars'], code: 1, says: '--timezone is "Mars"' },
    {
      name: 'an interval of nothing',
      more: ['--interval', 'often'],
      code: 1,
      says: '--interval is "often"; write a duration',
    },
    {
      name: 'two ways at once',
      more: ['--function', 'f'],
      code: 1,
      says: '--kubeconfig and --function exclude each other',
    },
  ])('refuses $name', async ({ more, code, says }) => {
    const run = await runCli(argv(...more));
    expect({ code: run.code, out: run.out }).toEqual({ code, out: '' });
    expect(run.err).toContain(says);
  });

  test('says what to do when the cluster cannot be reached, or the kubeconfig is not there', async () => {
    const { kubeconfig } = cluster;
    await cluster.close();
    const away = await runCli(['status', '-c', config, '--kubeconfig', kubeconfig]);
    expect(away.code).toBe(2);
    expect(away.err).toContain('cannot be reached: check the address in the kubeconfig, the network and the VPN');
    const none = await runCli(['status', '-c', config, '--kubeconfig', '/no/such/file']);
    expect(none).toMatchObject({
      code: 1,
      err: expect.stringContaining('/no/such/file: does not exist; pass the kubeconfig'),
    });
  });
});

describe('headstart status --check', () => {
  const check = (...more: string[]) => runCli(argv('--check', ...more), fakeTerminal({ width: 40 }));
  const settle = async () => {
    const event = order({ headroom: 'ci', release: true });
    await runCli(['handle', event, '-c', config, '--stack', 'shop', '--kubeconfig', cluster.kubeconfig]);
  };

  test('ends with 0 while all is well', async () => {
    cluster.place(
      'default',
      [1, 2, 3].map(() => cluster.addNode('default')),
    );
    expect(await check()).toEqual({
      code: 0,
      out: 'ok: 2 NodePools of shop, all 3 wanted are ready\n',
      err: '',
    });
  });

  test('ends with 2 and says why when nodes are short', async () => {
    cluster.place('default', [cluster.addNode('default')], 'no room');
    const { code, out } = await check();
    expect({ code, out }).toEqual({
      code: 2,
      out: 'default short: 1 of 3 nodes ready\ndefault missing: 2 pause pods pending: no room\n',
    });
    expect((await runCli(argv())).code).toBe(0);
    const json = await runCli(argv('--check', '--json'));
    expect(json.code).toBe(2);
    expect(JSON.parse(json.out).status[0].troubles).toEqual([{ kind: 'short', text: '1 of 3 nodes ready' }]);
  });

  test('calls a window late that opened without its headroom', async () => {
    await cluster.close();
    cluster = await SmallCluster.start(['default', 'ci']);
    cluster.setTime(NOW - 65 * 60_000);
    const event = order({ headroom: 'ci', release: true });
    const lead = ['handle', event, '-c', config, '--stack', 'shop', '--kubeconfig', cluster.kubeconfig];
    await runCli([...lead, '--at', '2026-11-16T09:56:00Z']);
    cluster.setTime(NOW);
    cluster.place('default', [cluster.addNode('default')], 'no room');
    const { code, out } = await check('default');
    expect(code).toBe(2);
    expect(out).toContain('default short: 1 of 3 nodes ready\ndefault late: dinner opened 1 h ago with 1 of 3 ready\n');
  });

  test('ends with 2 when the Deployment does not have the size that is decided', async () => {
    cluster.place(
      'default',
      [1, 2, 3].map(() => cluster.addNode('default')),
    );
    const current = cluster.api.get(DEPLOYMENTS, 'headroom', 'headroom-default');
    cluster.api.patch(DEPLOYMENTS, current, { kind: 'merge', body: { spec: { replicas: 5 } } as never });
    const { code, out } = await check('default');
    expect({ code, out }).toEqual({ code: 2, out: 'default behind: the Deployment has 5 replicas, 3 are decided\n' });
    await settle();
    expect((await check('default')).code).toBe(0);
  });

  test('ends with 2 while a record cannot be read and its size is held', async () => {
    cluster.place(
      'default',
      [1, 2, 3].map(() => cluster.addNode('default')),
    );
    const current = cluster.api.get(DEPLOYMENTS, 'headroom', 'headroom-default');
    const annotations = { 'headstart.dev/record': '{"v":1,"alarms":{},"surges":{},"override":7}' };
    cluster.api.patch(DEPLOYMENTS, current, { kind: 'merge', body: { metadata: { annotations } } });
    const { code, out } = await check('default');
    expect(code).toBe(2);
    expect(out).toMatch(/^default held: part of the record cannot be read/);
  });

  test('ends with 2 for a NodePool that does not exist, and for a cluster that cannot be asked', async () => {
    cluster.place(
      'default',
      [1, 2, 3].map(() => cluster.addNode('default')),
    );
    cluster.api.delete(NODE_POOLS, cluster.api.get(NODE_POOLS, undefined, 'ci'), {});
    const { code, out } = await check();
    expect(code).toBe(2);
    expect(out).toMatch(/^ci noSuchNodePool: the cluster has no NodePool ci/);
    cluster.forbid('/apis/apps/v1/namespaces/headroom/deployments');
    expect((await check()).code).toBe(2);
  });

  test('does not go with --watch', async () => {
    expect(await check('--watch')).toMatchObject({ code: 1, err: expect.stringContaining('exclude each other') });
  });
});
