import { writeFileSync } from 'node:fs';
import { DEPLOYMENTS, NODE_POOLS } from '../../../lab/simulator/kube/kinds';
import { golden } from '../../golden/golden';
import { type FakeTerminal, fakeTerminal, NOW, runCli } from '../run-cli';
import { inFolder, session, typed } from '../session';
import { SmallCluster } from '../small-cluster';

const CONFIG = `
cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}
nodePools:
  default:
    max: 30
    leadTime: 5m
    price: 0.5
    schedules:
      - {name: dinner, timezone: Asia/Seoul, start: 0 19 * * *, end: 0 21 * * *, desiredReplicas: 2}
  dear: {max: 30, price: 4}
  ci:
    max: 100
    unit: {slice: {cpu: 500m, memory: 1Gi}}
  web:
    max: 30
    price: 0.5
    unit: {floor: {cpu: 4, memory: 16Gi}}
`;
const folder = inFolder({ 'headroom.yaml': CONFIG });
const said = golden(`${__dirname}/inflate.txt`);

let cluster: SmallCluster;
beforeEach(async () => {
  cluster = await SmallCluster.start(['default', 'ci', 'web'], folder);
});
afterEach(() => cluster.close());

const CLUSTER = '--kubeconfig kubeconfig --stack shop';
const inflate = (words: string, terminal?: FakeTerminal) => typed(`inflate ${words} ${CLUSTER}`, terminal);
const replicasOf = (name: string) => cluster.api.get(DEPLOYMENTS, 'headroom', name).spec.replicas;
const HOUR = 3_600_000;

/** A terminal whose every sleep lets a test change the cluster. */
function stepping(step: (steps: number) => void | Promise<void>, more: Partial<FakeTerminal> = {}): FakeTerminal {
  let [now, steps] = [NOW, 0];
  return fakeTerminal({
    now: () => now,
    sleep: async (ms) => {
      now += ms;
      steps += 1;
      cluster.setTime(now);
      await step(steps);
    },
    ...more,
  });
}

/** What has been there for an hour. */
function longAgo<T>(make: () => T): T {
  cluster.setTime(NOW - HOUR);
  const made = make();
  cluster.setTime(NOW);
  return made;
}

/** Two roomy nodes are there, four more join a while after the override. */
function sixNodes(): (steps: number) => void {
  const nodes = longAgo(() => [cluster.addNode('default'), cluster.addNode('default')]);
  return (steps) => {
    if (steps === 9) nodes.push(...Array.from({ length: 4 }, () => cluster.addNode('default')));
    cluster.place('default', nodes);
  };
}

/** What somebody else asks for with the function's own event. */
async function byBo(override: object, now = NOW): Promise<void> {
  writeFileSync('event.json', JSON.stringify({ headroom: 'default', by: 'bo', ...override }));
  await runCli(['handle', 'event.json', ...CLUSTER.split(' ')], fakeTerminal({ now: () => now }));
}

describe('headstart inflate', () => {
  test('shows which nodes come and waits until they are ready', async () => {
    said(await inflate('default --nodes 6 --for 30m --reason "flash sale"', stepping(sixNodes())));
    expect(replicasOf('headroom-default')).toBe(6);
  });

  test('redraws one line with a bar and a countdown on a terminal, never wider than that', async () => {
    const redrawn = async (width: number) => {
      const terminal = stepping(sixNodes(), { redraws: true, width });
      return (await inflate('default --nodes 6 --for 30m', terminal)).replaceAll('\r\u001b[2K', '\n<clear>');
    };
    said('a terminal of 80 columns', await redrawn(80));
    await cluster.close();
    cluster = await SmallCluster.start(['default'], folder);
    const narrow = await redrawn(40);
    said('a terminal of 40 columns', narrow);
    const lines = narrow
      .split('<clear>')
      .slice(1)
      .map((line) => line.split('\n')[0] ?? '');
    expect(lines.filter((line) => line.length >= 40)).toEqual([]);
  });

  test('says that the size is there already, and why', async () => {
    await runCli(['release', 'default', ...CLUSTER.split(' ')], fakeTerminal({ now: () => NOW - 1_000 }));
    longAgo(() => cluster.place('default', [cluster.addNode('default'), cluster.addNode('default')]));
    said(
      await inflate(
        'default --nodes 2 --for 30m',
        stepping(() => {}),
      ),
    );
  });

  test('fails and says why if capacity does not come in time', async () => {
    const pool = cluster.api.get(NODE_POOLS, undefined, 'default');
    cluster.api.patch(NODE_POOLS, pool, { kind: 'merge', body: { spec: { limits: { cpu: '2' } } } });
    cluster.setStatus(NODE_POOLS, cluster.api.get(NODE_POOLS, undefined, 'default'), { resources: { cpu: '2' } });
    const terminal = stepping(() => cluster.place('default', []));
    said(await inflate('default --nodes 3 --for 1h --timeout 20s', terminal));
  });

  test('says what is on its way if nothing is refused and the time is up', async () => {
    const node = longAgo(() => cluster.addNode('default'));
    const terminal = stepping((steps) => {
      if (steps === 1) cluster.addClaim('default');
      cluster.place('default', [node]);
    });
    said(await inflate('default --nodes 3 --for 1h --timeout 20s', terminal));
  });

  test('fails if the override expires before its nodes are ready', async () => {
    const terminal = stepping(() => cluster.place('default', []));
    said(await inflate('default --nodes 3 --for 20s', terminal));
  });

  test.each([
    ['releases the override', { release: true, reason: 'enough' }],
    ['replaces the override', { atLeast: 2, for: '1h', reason: 'enough' }],
  ])('stops waiting and fails if somebody else %s', async (_name, override) => {
    const terminal = stepping((steps) => (steps === 2 ? byBo(override, NOW + 4_000) : undefined));
    said(await inflate('default --nodes 3 --for 1h', terminal));
  });

  test('goes by the clock of the cluster if this machine is wrong', async () => {
    cluster.setTime(NOW + 7 * HOUR);
    expect(await inflate('default --nodes 9 --for 30m --no-wait --json')).toMatch(/"until": "2026-11-16T18:30:00/);
  });

  test('stops waiting on Ctrl-C and leaves the override in force', async () => {
    let interrupt = () => {};
    const onInterrupt = (callback: () => void) => {
      interrupt = callback;
      return () => {};
    };
    said(
      await inflate(
        'default --nodes 3 --for 30m',
        stepping((steps) => (steps === 3 ? interrupt() : undefined), { onInterrupt }),
      ),
    );
  });

  test('prints JSON and nothing else with --json', async () => {
    said(await inflate('default --nodes 6 --for 30m --json', stepping(sixNodes())));
  });

  test('asks before a large or dear override, and takes no for an answer', async () => {
    const answering = (answer: string) => fakeTerminal({ interactive: true, answers: [answer], width: 200 });
    said(
      [
        await inflate('default --nodes 25 --for 30m --no-wait', answering('no')),
        await inflate('default --nodes 25 --for 30m --no-wait', answering('y')),
        await inflate('dear --nodes 9 --for 1h', answering('n')),
        // What would be refused is not asked for.
        await inflate('default --nodes 99 --for 5m', answering('y')),
      ].join('\n'),
    );
  });

  test('refuses what cannot be meant, and writes nothing', async () => {
    const refused = [
      'shop --nodes 3 --for 5m',
      'default --for 5m',
      'default --nodes 3',
      'default --nodes 3 --for long',
      'default --nodes 3 --for 25h',
      'default --nodes 31 --for 5m',
      'ci --slices 101 --for 5m --exactly',
      'default --nodes 0 --for 5m',
      'default --slices 3 --for 5m',
      'ci --nodes 3 --for 5m',
      'default --more 3 --for 5m',
      'ci --more 3 --for 5m',
      'web --slices 3 --for 5m',
      'web --for 5m',
      'web --more 3 --nodes 6 --for 5m',
      'web --more 3 --exactly --for 5m',
      'web --more 0 --for 5m',
      'web --more 21 --for 5m',
      'web --more 31 --for 5m',
      'default --nodes 1.5 --for 5m',
      'default --nodes 21 --for 5m',
      // Every mistake at once.
      'default --nodes x --timeout y',
    ];
    const texts = await session(refused.map((words) => `inflate ${words} ${CLUSTER}`));
    said(texts.replaceAll(` ${CLUSTER}\n[`, '\n['));
    expect(texts.match(/\[exit 1\]/g)).toHaveLength(refused.length);
    expect(cluster.api.list(DEPLOYMENTS, 'headroom')).toEqual([]);
  });

  test('names the day of an expiry that is not today', async () => {
    said(await inflate('default --nodes 3 --for 12h --no-wait'));
  });
});

describe('headstart inflate on a floor', () => {
  test('adds to the existing nodes, waits for the new ones, and release ends it', async () => {
    const existing = longAgo(() => {
      // Too small for the floor, so it does not count.
      cluster.addFloorNode('web', { cpu: 2, memoryMiB: 8_192 });
      return [1, 2, 3].map(() => cluster.addFloorNode('web', { cpu: 4, memoryMiB: 16_384 }));
    });
    const terminal = stepping((steps) => {
      if (steps === 1) cluster.place('web', existing);
      if (steps === 9) cluster.place('web', [...existing, cluster.addNode('web'), cluster.addNode('web')]);
    });
    const inflated = await inflate('web --more 2 --for 30m --reason sale', terminal);
    said([inflated, await typed(`release web ${CLUSTER}`)].join('\n'));
  });

  test('asks with the existing nodes and the sum before many more', async () => {
    for (const cpu of [4, 8, 2]) cluster.addFloorNode('web', { cpu, memoryMiB: 32_768 });
    said(await inflate('web --more 25 --for 1h', fakeTerminal({ interactive: true, answers: ['n'] })));
  });
});

describe('headstart release', () => {
  test('ends an override and says whose it was', async () => {
    await inflate('default --nodes 6 --for 30m --no-wait --by bo --reason sale');
    said(await session([`release default ${CLUSTER}`, `release --all ${CLUSTER}`]));
    expect(replicasOf('headroom-default')).toBe(2);
  });

  test('refuses no NodePool, two ways to name some, and an unknown one', async () => {
    said(await session(['release', 'release default --all', 'release shop'].map((words) => `${words} ${CLUSTER}`)));
  });
});

test('an override and a release that are older than the one in force fail and wait for nothing', async () => {
  // Somebody with a clock of their own.
  await byBo({ atLeast: 9, for: '1h', reason: 'sale', at: new Date(NOW + 30_000).toISOString() });
  said(await session([`inflate default --nodes 6 --for 30m ${CLUSTER}`, `release default ${CLUSTER}`]));
  expect(replicasOf('headroom-default')).toBe(9);
});
