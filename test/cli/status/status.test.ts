import { writeFileSync } from 'node:fs';
import { DEPLOYMENTS, NODE_POOLS } from '../../../lab/simulator/kube/kinds';
import { golden } from '../../golden/golden';
import { type FakeTerminal, fakeTerminal, NOW, runCli } from '../run-cli';
import { inFolder, session, typed } from '../session';
import { nodePool, SmallCluster } from '../small-cluster';

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
/** Two headrooms on the NodePool ci, which is no key. */
const SHARED = CONFIG.replace('  ci:', '  ci-room: {nodePool: ci, max: 5, base: 2}\n  ci-burst:\n    nodePool: ci');
const folder = inFolder({ 'shared.yaml': SHARED, 'headroom.yaml': CONFIG, 'floor.yaml': FLOOR });
const said = golden(`${__dirname}/status.txt`);

let cluster: SmallCluster;
beforeEach(async () => {
  cluster = await SmallCluster.start(['default', 'ci'], folder);
  await handle({ headroom: 'ci', release: true });
});
afterEach(() => cluster.close());

const KUBECONFIG = '--kubeconfig kubeconfig';
const DEPLOYMENTS_PATH = '/apis/apps/v1/namespaces/headroom/deployments';
const status = (words = '', terminal?: FakeTerminal) =>
  typed(`status ${words} ${KUBECONFIG}`.replace(/ +/g, ' '), terminal);

async function handle(event: object, ...more: readonly string[]): Promise<void> {
  writeFileSync('event.json', JSON.stringify(event));
  await runCli(['handle', 'event.json', '--stack', 'shop', '--kubeconfig', 'kubeconfig', ...more]);
}

function place(nodePoolName: string, ready: number, message?: string): void {
  const nodes = Array.from({ length: ready }, () => cluster.addNode(nodePoolName));
  cluster.place(nodePoolName, nodes, message);
}

function patch(headroom: string, body: object): void {
  const current = cluster.api.get(DEPLOYMENTS, 'headroom', `headroom-${headroom}`);
  cluster.api.patch(DEPLOYMENTS, current, { kind: 'merge', body: body as never });
}
const record = (text: string) => ({ metadata: { annotations: { 'headstart.dev/record': text } } });

describe('headstart status of a floor', () => {
  const floor = (words = '') => status(`${words} -c floor.yaml`, fakeTerminal({ width: 140 }));
  const addNodes = (...cpus: readonly number[]) =>
    cpus.map((cpu) => cluster.addFloorNode('web', { cpu, memoryMiB: 16_384 }));

  beforeEach(async () => {
    cluster.apply(nodePool('web'));
    await handle({ headroom: 'web', release: true }, '-c', 'floor.yaml');
  });

  test('shows how much of it runs work, what is missing, and the nodes that a window will add', async () => {
    const nodes = addNodes(4, 4);
    cluster.place('web', nodes, 'no node is large enough');
    const daemon = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'logs', uid: '1', controller: true };
    for (const [node, owners] of [[nodes[0]], [nodes[0]], [nodes[1], daemon], ['elsewhere']] as const)
      cluster.addWork(node ?? '', owners ? { ownerReferences: [owners] } : {});
    said(await floor());
    const { out } = await runCli(['status', '-c', 'floor.yaml', '--kubeconfig', 'kubeconfig', '--json']);
    expect(JSON.parse(out).status).toMatchObject([
      { headroom: 'web', wanted: 3, ready: 2, shortfall: 1, nodesInUse: 1, next: { replicas: 3, addNodes: 6 } },
    ]);
  });

  test('calls a floor that is full of work neither late nor short', async () => {
    const nodes = addNodes(4, 4, 4);
    cluster.place('web', nodes);
    for (const node of nodes) cluster.addWork(node, {});
    said(await floor());
  });

  test('says why it is not known how much runs work if pods may not be listed', async () => {
    cluster.place('web', addNodes(4));
    cluster.forbid('/api/v1/pods');
    said(await floor());
    expect(await floor('--json')).not.toContain('nodesInUse');
  });

  test('shows an override for more nodes with what it counted', async () => {
    addNodes(4, 4, 2);
    const at = new Date(NOW + 1_000).toISOString();
    await handle({ headroom: 'web', addNodes: 4, for: '30m', by: 'bo', reason: 'sale', at }, '-c', 'floor.yaml');
    said(await floor());
  });
});

describe('headstart status', () => {
  test('shows size, reasons, next change and why nodes are missing', async () => {
    place('default', 1, 'no room');
    said(await status());
  });

  test('names the limit of the NodePool that stops it, also in JSON', async () => {
    cluster.api.patch(NODE_POOLS, cluster.api.get(NODE_POOLS, undefined, 'default'), {
      kind: 'merge',
      body: { spec: { limits: { cpu: '4' } } },
    });
    cluster.setStatus(NODE_POOLS, cluster.api.get(NODE_POOLS, undefined, 'default'), { resources: { cpu: '4' } });
    place('default', 0);
    said(await status('default --json'));
  });

  test('shows whose override it is until when, firing alarms, and a record that cannot be read', async () => {
    const override = { mode: 'atLeast', replicas: 20, by: 'bo', reason: 'release day' };
    const times = { until: '2026-11-16T11:30:00.000Z', at: '2026-11-16T10:30:00.000Z' };
    const alarms = { 'queue-long': { state: 'ALARM', at: '2026-11-16T10:58:00.000Z' } };
    patch('ci', record(JSON.stringify({ v: 1, override: { ...override, ...times }, alarms, surges: {}, released: 1 })));
    said(await status('ci'));
  });

  test.each([
    ['ends with the error if the first look fails, as without credentials', 0],
    ['goes on after a later look that fails', 1],
  ])('--watch %s', async (_name, failsAt) => {
    let [looks, interrupt] = [0, () => {}];
    const terminal = fakeTerminal({
      onInterrupt: (callback) => {
        interrupt = callback;
        return () => {};
      },
      sleep: async () => {
        looks += 1;
        if (looks === failsAt) cluster.forbid(DEPLOYMENTS_PATH);
        if (looks === failsAt + 2) interrupt();
        if (looks > 9) throw new Error('goes on for ever');
      },
    });
    if (failsAt === 0) cluster.forbid(DEPLOYMENTS_PATH);
    said(await status('default --watch', terminal));
  });

  test('--watch prints only what changed until Ctrl-C', async () => {
    let [looks, now, interrupt] = [0, NOW, () => {}];
    const terminal = fakeTerminal({
      now: () => now,
      onInterrupt: (callback) => {
        interrupt = callback;
        return () => {};
      },
      sleep: async (ms) => {
        looks += 1;
        now += ms / 100;
        if (looks === 3) place('default', 1);
        if (looks === 5) interrupt();
      },
    });
    said(await status('default --watch', terminal));
  });

  test('refuses what cannot be meant', async () => {
    const refused = ['web', '--timezone Mars', '--interval often', '--function f', '--check --watch'];
    said(await session(refused.map((words) => `status ${words} ${KUBECONFIG}`)));
  });

  test('says what to do if the cluster cannot be reached, or the kubeconfig does not exist', async () => {
    await cluster.close();
    said(await session([`status ${KUBECONFIG}`, 'status --kubeconfig /no/such/file']));
  });
});

describe('with two headrooms on one NodePool', () => {
  const shared = (words: string) => typed(`${words} -c shared.yaml ${KUBECONFIG}`);

  test('headstart status shows the NodePool of each, and what is missing from each', async () => {
    writeFileSync('event.json', JSON.stringify({ headroom: 'ci-burst', atLeast: 1, for: '1h' }));
    await runCli(['handle', 'event.json', '-c', 'shared.yaml', '--stack', 'shop', '--kubeconfig', 'kubeconfig']);
    cluster.api.delete(NODE_POOLS, { metadata: { name: 'ci' } } as never);
    said(await shared('status'));
  });

  test.each(['status ci', 'release ci', 'inflate ci --nodes 2 --for 1h'])(
    'headstart %s lists the headrooms of the NodePool and changes nothing',
    async (words) => {
      const before = JSON.stringify(cluster.api.list(DEPLOYMENTS, 'headroom'));
      said(await shared(words));
      expect(JSON.stringify(cluster.api.list(DEPLOYMENTS, 'headroom'))).toBe(before);
    },
  );
});

describe('headstart status --check', () => {
  const check = (words = '') => status(`--check ${words}`, fakeTerminal({ width: 40 }));

  test('ends with 0 while all is well', async () => {
    place('default', 3);
    said(await check());
  });

  test('ends with 2 and says why if nodes are short, which status alone does not', async () => {
    place('default', 1, 'no room');
    said(await check());
    const json = await runCli(['status', '--kubeconfig', 'kubeconfig', '--check', '--json']);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.out).status[0].troubles).toEqual([{ kind: 'short', text: '1 of 3 nodes ready' }]);
  });

  test('calls a window late that opened without its headroom', async () => {
    await cluster.close();
    cluster = await SmallCluster.start(['default', 'ci'], folder);
    cluster.setTime(NOW - 65 * 60_000);
    await handle({ headroom: 'ci', release: true }, '--at', '2026-11-16T09:56:00Z');
    cluster.setTime(NOW);
    place('default', 1, 'no room');
    said(await check('default'));
  });

  test('ends with 2 until the Deployment has the decided size', async () => {
    place('default', 3);
    patch('default', { spec: { replicas: 5 } });
    const drifted = await check('default');
    await handle({ headroom: 'ci', release: true });
    said([drifted, await check('default')].join('\n'));
  });

  test('ends with 2 while a record cannot be read and its size is held', async () => {
    place('default', 3);
    patch('default', record('{"v":1,"alarms":{},"surges":{},"override":7}'));
    said(await check('default'));
  });

  test('ends with 2 for a NodePool that does not exist, and for a cluster that cannot be asked', async () => {
    place('default', 3);
    cluster.api.delete(NODE_POOLS, cluster.api.get(NODE_POOLS, undefined, 'ci'), {});
    const missing = await check();
    cluster.forbid(DEPLOYMENTS_PATH);
    said([missing, await check()].join('\n'));
  });
});
