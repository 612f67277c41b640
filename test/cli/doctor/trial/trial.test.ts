import type { DeployedFacts } from '../../../../cli/doctor/trial/deployed-facts';
import { runTrial, type TrialSurroundings } from '../../../../cli/doctor/trial/trial';
import { deployedChecks, drawReport, type TrialReport } from '../../../../cli/doctor/trial/trial-report';
import { clusterAccess } from '../../../../cli/functions/kubeconfig-access';
import { commandsFor } from '../../../../cli/input/commands';
import { DEPLOYMENTS } from '../../../../lab/simulator/kube/kinds';
import type { Config } from '../../../../shared/core/config/config';
import { loadConfig } from '../../../../shared/core/config/read/load';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { type FakeTerminal, fakeTerminal, NOW } from '../../run-cli';
import { SmallCluster } from '../../small-cluster';

// Generous: the machine may be busy.
jest.setTimeout(60_000);

const OPTIONS = { timeoutMs: 60_000, yes: true, quiet: true };
const HEALTHY: DeployedFacts = {
  stack: 'shop',
  alarms: { ok: true, value: [{ name: 'Silent', state: 'OK', reason: '' }] },
  deadLetters: { ok: true, value: [{ name: 'AlarmFailures', messages: 0 }] },
};

const loaded = loadConfig([
  {
    file: 'headroom.yaml',
    text: `
cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}
nodePools:
  default: {max: 4, base: 1, price: 0.6}
  web: {max: 4, unit: {floor: {cpu: 4, memory: 16Gi}}}
`,
  },
]);
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
const { config }: { config: Config } = loaded;

let cluster: SmallCluster;
let now: number;
beforeEach(async () => {
  cluster = await SmallCluster.start(['default', 'web']);
  now = NOW;
});
afterEach(() => cluster.close());

const headroom = (pool: string) => cluster.api.get(DEPLOYMENTS, 'headroom', `headroom-${pool}`);
const recordOf = (pool: string) => JSON.parse(headroom(pool).metadata.annotations?.[ANNOTATIONS.record] ?? '{}');

/** The nodes of a pool join whenever somebody waits, as many as there may be. */
function terminalWith(nodes: { readonly most: number; readonly there: string[] }, more: Partial<FakeTerminal> = {}) {
  return fakeTerminal({
    now: () => now,
    sleep: async (ms) => {
      now += ms;
      cluster.setTime(now);
      if (nodes.there.length < Math.min(nodes.most, headroom('default').spec.replicas))
        nodes.there.push(cluster.addNode('default'));
      cluster.place('default', nodes.there);
    },
    ...more,
  });
}

async function surroundingsOf(
  terminal: FakeTerminal,
  more: Partial<TrialSurroundings> = {},
): Promise<TrialSurroundings> {
  const access = await clusterAccess({ kubeconfig: cluster.kubeconfig, stack: 'shop' }, config, terminal);
  return {
    access,
    terminal,
    commands: commandsFor({}, terminal),
    metric: async () => headroom('default').spec.replicas,
    deployed: async () => HEALTHY,
    ...more,
  };
}

/** A pool with one pause pod on the one node that it wants. */
async function standing(terminal: FakeTerminal, there: string[]): Promise<TrialSurroundings> {
  const surroundings = await surroundingsOf(terminal);
  await surroundings.access.send({ headroom: 'default', release: true, at: new Date(NOW - 1_000).toISOString() });
  there.push(cluster.addNode('default'));
  cluster.place('default', there);
  return surroundings;
}

async function tryDefault(surroundings: TrialSurroundings, options = OPTIONS): Promise<TrialReport> {
  const pool = config.headrooms.find(({ name }) => name === 'default');
  if (!pool) throw new Error('no such pool');
  return runTrial(config, pool, surroundings, options);
}
const results = ({ checks }: TrialReport) => Object.fromEntries(checks.map(({ what, result }) => [what, result]));

test('buys one node, sees everything on the way, and leaves nothing behind', async () => {
  const there: string[] = [];
  const terminal = terminalWith({ most: 4, there });
  const report = await tryDefault(await standing(terminal, there));
  expect(results(report)).toEqual({
    function: 'ok',
    override: 'ok',
    record: 'ok',
    nodes: 'ok',
    metrics: 'ok',
    alarms: 'ok',
    'dead letters': 'ok',
    release: 'ok',
  });
  expect(headroom('default').spec.replicas).toBe(1);
  expect(recordOf('default').override).toBeUndefined();
  const drawn = drawReport(report, { width: 100, colours: false });
  expect(drawn).toContain('default: 1 → 2 (Override by ana: 1 → 2 until');
  expect(drawn).toContain('default is back at 1 (base: 1 node)');
  expect(drawn).toMatch(/\nit works\n$/);
});

test('a node that does not come is a failure with its reason, and the override is released all the same', async () => {
  const there: string[] = [];
  const terminal = terminalWith({ most: 1, there });
  const report = await tryDefault(await standing(terminal, there));
  expect(results(report)).toMatchObject({ override: 'ok', nodes: 'failed', release: 'ok' });
  expect(report.checks.find(({ what }) => what === 'nodes')?.detail).toMatch(
    /^1 of 2 nodes ready after 1 min.*pending/,
  );
  expect(recordOf('default').override).toBeUndefined();
  expect(drawReport(report, { width: 80, colours: false })).toMatch(/check failed|checks failed/);
});

test('a text from the function or of an alarm neither hides what follows nor begins a line of its own', async () => {
  const hostile = 'x\u001b[8m `it works` \u202e';
  const there: string[] = [];
  const surroundings = await standing(terminalWith({ most: 4, there }), there);
  const access = { ...surroundings.access };
  const report = await tryDefault({
    ...surroundings,
    access: {
      ...access,
      send: async (request) => {
        if ('atLeast' in request) throw new Error(hostile);
        return access.send(request);
      },
    },
  });
  const alarms = { ok: true as const, value: [{ name: 'Errors', state: 'ALARM', reason: hostile }] };
  const checks = [...report.checks, ...deployedChecks({ ...HEALTHY, alarms }, config)];
  const drawn = drawReport({ ...report, checks }, { width: 400, colours: true });
  expect(drawn.match(/it works/g)).toHaveLength(2);
  expect(drawn).not.toMatch(/^ *it works$/m);
  expect(drawn).not.toContain('\u001b[8m');
  expect(drawn).not.toContain('\u202e');
});

test('Ctrl-C while it waits releases the override', async () => {
  const there: string[] = [];
  let interrupt = () => {};
  const listeners = new Set<() => void>();
  const terminal = terminalWith(
    { most: 1, there },
    {
      onInterrupt: (callback) => {
        listeners.add(callback);
        interrupt = () => {
          for (const one of [...listeners]) one();
        };
        return () => void listeners.delete(callback);
      },
    },
  );
  const { sleep } = terminal;
  const surroundings = await standing(
    Object.assign(terminal, {
      sleep: async (ms: number) => {
        interrupt();
        await sleep(ms);
      },
    }),
    there,
  );
  const report = await tryDefault(surroundings);
  expect(results(report)).toMatchObject({ nodes: 'failed', release: 'ok' });
  expect(results(report)).not.toHaveProperty('alarms');
  expect(recordOf('default').override).toBeUndefined();
  expect(listeners.size).toBe(0);
});

test('an override that somebody sets meanwhile is theirs, and stays', async () => {
  const there: string[] = [];
  const terminal = terminalWith({ most: 4, there });
  const surroundings = await standing(terminal, there);
  const { access } = surroundings;
  const report = await tryDefault({
    ...surroundings,
    deployed: async () => {
      now += 1_000;
      cluster.setTime(now);
      await access.send({ headroom: 'default', atLeast: 3, for: '30m', by: 'ben', reason: 'sale' });
      return HEALTHY;
    },
  });
  expect(report.checks.at(-1)).toMatchObject({ what: 'release', result: 'ok', detail: 'there is nothing to release' });
  expect(recordOf('default').override).toMatchObject({ by: 'ben', replicas: 3 });
});

test('a function that stops answering is tried again, and the report says that the override may stand', async () => {
  const there: string[] = [];
  const terminal = terminalWith({ most: 4, there });
  const surroundings = await standing(terminal, there);
  const { access } = surroundings;
  let isDown = false;
  const report = await tryDefault({
    ...surroundings,
    access: { ...access, send: (order) => (isDown ? Promise.reject(new Error('throttled')) : access.send(order)) },
    deployed: async () => {
      isDown = true;
      return HEALTHY;
    },
  });
  const last = report.checks.at(-1);
  expect(last).toMatchObject({ what: 'release', result: 'failed' });
  expect(last?.detail).toMatch(/ends by itself within 6 min; run `npx headstart release default` .*throttled/);
});

test('metrics that do not come, firing alarms and dead letters are failures', async () => {
  const there: string[] = [];
  const terminal = terminalWith({ most: 4, there });
  const surroundings = await standing(terminal, there);
  const report = await tryDefault({
    ...surroundings,
    metric: async () => undefined,
    deployed: async () => ({
      stack: 'shop',
      alarms: { ok: true, value: [{ name: 'Errors', state: 'ALARM', reason: '3 errors' }] },
      deadLetters: { ok: true, value: [{ name: 'AlarmFailures', messages: 2 }] },
    }),
  });
  expect(results(report)).toMatchObject({
    metrics: 'failed',
    alarms: 'failed',
    'dead letters': 'failed',
    release: 'ok',
  });
  const details = report.checks.map(({ detail }) => detail).join('\n');
  expect(details).toContain('DesiredHeadroom has no data after 3 min, expected 2');
  expect(details).toContain('Errors is in ALARM: 3 errors');
  expect(details).toContain('2 messages in AlarmFailures');
});

const FAILURES = 'Headstart-shop-HeadstartFailuresQueue0A1B2C3D-x1';
test.each([
  { name: FAILURES, announces: true, put: true },
  { name: FAILURES, announces: false, put: false },
  { name: 'Headstart-shop-HeadstartAnnouncementsDeadLettersQueue0A1B2C3D-x1', announces: true, put: false },
])('dead letters in $name, with announced peaks $announces: whether to put one again', ({ name, announces, put }) => {
  const facts = {
    alarms: { ok: true as const, value: [] },
    deadLetters: { ok: true as const, value: [{ name, messages: 1 }] },
  };
  const headrooms = config.headrooms.map((pool) => ({
    ...pool,
    ...(announces && { events: [] }),
  }));
  const [, letters] = deployedChecks(facts, { headrooms });
  expect(letters?.detail).toBe(
    `1 message in ${name}${put ? '; EventBridge keeps an event as it was sent: if one is an announcement, put it again, because a redrive does not bring it back' : ''}`,
  );
});

test('asks before it buys, with the most that it can cost, and takes no for an answer', async () => {
  const there: string[] = [];
  const terminal = terminalWith({ most: 4, there }, { interactive: true });
  const surroundings = await standing(terminal, there);
  await expect(tryDefault(surroundings, { ...OPTIONS, yes: false })).rejects.toThrow('cancelled, nothing was changed');
  expect(terminal.asked).toEqual([
    'this adds one more node to default for a few minutes (at most 6 min, $0.0600). Continue? [y/N] ',
  ]);
  expect(headroom('default').spec.replicas).toBe(1);
});

test('without a person to ask it needs --yes', async () => {
  const there: string[] = [];
  const surroundings = await standing(terminalWith({ most: 4, there }), there);
  await expect(tryDefault(surroundings, { ...OPTIONS, yes: false })).rejects.toThrow('add --yes to confirm');
});
