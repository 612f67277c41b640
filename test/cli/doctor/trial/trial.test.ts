import type { DeployedFacts } from '../../../../cli/doctor/trial/deployed-facts';
import { runTrial, type TrialSurroundings } from '../../../../cli/doctor/trial/trial';
import { deployedChecks, drawReport, type TrialReport } from '../../../../cli/doctor/trial/trial-report';
import { clusterAccess } from '../../../../cli/functions/kubeconfig-access';
import { commandsFor } from '../../../../cli/input/commands';
import { DEPLOYMENTS } from '../../../../lab/simulator/kube/kinds';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { loadedConfig } from '../../../fakes/loaded-config';
import { golden } from '../../../golden/golden';
import { type FakeTerminal, fakeTerminal, NOW } from '../../run-cli';
import { withoutPorts } from '../../session';
import { SmallCluster } from '../../small-cluster';

const OPTIONS = { timeoutMs: 60_000, yes: true, quiet: true };
const HEALTHY: DeployedFacts = {
  stack: 'shop',
  alarms: { ok: true, value: [{ name: 'Silent', state: 'OK', reason: '' }] },
  deadLetters: { ok: true, value: [{ name: 'AlarmFailures', messages: 0 }] },
};

const config = loadedConfig(`
cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}
nodePools:
  default: {max: 4, base: 1, price: 0.6}
  web: {max: 4, unit: {floor: {cpu: 4, memory: 16Gi}}}
`);

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
function terminalWith(there: string[], most = 4, more: Partial<FakeTerminal> = {}) {
  return fakeTerminal({
    now: () => now,
    sleep: async (ms) => {
      now += ms;
      cluster.setTime(now);
      if (there.length < Math.min(most, headroom('default').spec.replicas)) there.push(cluster.addNode('default'));
      cluster.place('default', there);
    },
    ...more,
  });
}

/** A pool with one pause pod on the one node that it wants, where at most so many nodes join. */
async function standing(
  most = 4,
  more: Partial<FakeTerminal> = {},
): Promise<TrialSurroundings & { terminal: FakeTerminal }> {
  const there: string[] = [];
  const terminal = terminalWith(there, most, more);
  const access = await clusterAccess({ kubeconfig: cluster.kubeconfig, stack: 'shop' }, config, terminal);
  await access.send({ headroom: 'default', release: true, at: new Date(NOW - 1_000).toISOString() });
  there.push(cluster.addNode('default'));
  cluster.place('default', there);
  const metric = async () => headroom('default').spec.replicas;
  return { access, terminal, commands: commandsFor({}, terminal), metric, deployed: async () => HEALTHY };
}

async function tryDefault(surroundings: TrialSurroundings, options = OPTIONS): Promise<TrialReport> {
  const pool = config.headrooms.find(({ name }) => name === 'default');
  if (!pool) throw new Error('no such pool');
  return runTrial(config, pool, surroundings, options);
}
const said = golden(`${__dirname}/trial.txt`);
const drawn = (report: TrialReport, options = { width: 100, colours: false }) =>
  withoutPorts(drawReport(report, options));

test('buys one node, sees everything on the way, and leaves nothing behind', async () => {
  said(drawn(await tryDefault(await standing())));
  expect(headroom('default').spec.replicas).toBe(1);
  expect(recordOf('default').override).toBeUndefined();
});

test('fails with the reason if the node does not come, and releases the override all the same', async () => {
  said(drawn(await tryDefault(await standing(1))));
  expect(recordOf('default').override).toBeUndefined();
});

test('a text from the function or of an alarm neither hides what follows nor begins a line of its own', async () => {
  const hostile = 'x\u001b[8m `it works` \u202e';
  const { access, ...surroundings } = await standing();
  const send: typeof access.send = async (request) => {
    if ('atLeast' in request) throw new Error(hostile);
    return access.send(request);
  };
  const report = await tryDefault({ ...surroundings, access: { ...access, send } });
  const alarms = { ok: true as const, value: [{ name: 'Errors', state: 'ALARM', reason: hostile }] };
  const checks = [...report.checks, ...deployedChecks({ ...HEALTHY, alarms }, config)];
  const text = drawn({ ...report, checks }, { width: 400, colours: true });
  expect(text.match(/it works/g)).toHaveLength(2);
  expect(text).not.toMatch(/^ *it works$/m);
  expect(text).not.toContain('\u001b[8m');
  expect(text).not.toContain('\u202e');
});

test('Ctrl-C while it waits releases the override', async () => {
  const listeners = new Set<() => void>();
  const surroundings = await standing(1, {
    onInterrupt: (callback) => {
      listeners.add(callback);
      return () => void listeners.delete(callback);
    },
  });
  const { sleep } = surroundings.terminal;
  Object.assign(surroundings.terminal, {
    sleep: async (ms: number) => {
      for (const one of [...listeners]) one();
      await sleep(ms);
    },
  });
  said(drawn(await tryDefault(surroundings)));
  expect(recordOf('default').override).toBeUndefined();
  expect(listeners.size).toBe(0);
});

test('leaves an override alone that somebody else sets meanwhile', async () => {
  const surroundings = await standing();
  const report = await tryDefault({
    ...surroundings,
    deployed: async () => {
      now += 1_000;
      cluster.setTime(now);
      await surroundings.access.send({ headroom: 'default', atLeast: 3, for: '30m', by: 'ben', reason: 'sale' });
      return HEALTHY;
    },
  });
  expect(report.checks.at(-1)).toMatchObject({ what: 'release', result: 'ok', detail: 'there is nothing to release' });
  expect(recordOf('default').override).toMatchObject({ by: 'ben', replicas: 3 });
});

test('tries a function again that stops answering, and reports that the override may still be in force', async () => {
  const { access, ...surroundings } = await standing();
  let isDown = false;
  const report = await tryDefault({
    ...surroundings,
    access: { ...access, send: (request) => (isDown ? Promise.reject(new Error('throttled')) : access.send(request)) },
    deployed: async () => {
      isDown = true;
      return HEALTHY;
    },
  });
  said(drawn(report));
});

test('metrics that do not come, firing alarms and dead letters are failures', async () => {
  const report = await tryDefault({
    ...(await standing()),
    metric: async () => undefined,
    deployed: async () => ({
      stack: 'shop',
      alarms: { ok: true, value: [{ name: 'Errors', state: 'ALARM', reason: '3 errors' }] },
      deadLetters: { ok: true, value: [{ name: 'AlarmFailures', messages: 2 }] },
    }),
  });
  said(drawn(report));
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
  const headrooms = config.headrooms.map((pool) => ({ ...pool, ...(announces && { events: [] }) }));
  const [, letters] = deployedChecks(facts, { headrooms });
  expect(letters?.detail.includes('put it again')).toBe(put);
});

test('asks before it buys, with the most that it can cost, and takes no for an answer', async () => {
  const surroundings = await standing(4, { interactive: true });
  await expect(tryDefault(surroundings, { ...OPTIONS, yes: false })).rejects.toThrow('cancelled, nothing was changed');
  expect(surroundings.terminal.asked).toEqual([
    'this adds one more node to default for a few minutes (at most 6 min, $0.0600). Continue? [y/N] ',
  ]);
  expect(headroom('default').spec.replicas).toBe(1);
});

test('needs --yes without a terminal to confirm on', async () => {
  await expect(tryDefault(await standing(), { ...OPTIONS, yes: false })).rejects.toThrow('add --yes to confirm');
});
