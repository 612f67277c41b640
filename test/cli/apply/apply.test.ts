import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_MAPS, DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import { loadEvent } from '../../events/load-event';
import { fakeTerminal, folderWith, NOW, runCli } from '../run-cli';
import { SmallCluster } from '../small-cluster';

// Generous: the machine may be busy.
jest.setTimeout(60_000);

const CONFIG = `
cluster: {name: shop, region: ap-northeast-2, account: "123456789012", liveSchedules: true}
nodePools:
  default:
    max: 30
    leadTime: 5m
    schedules:
      - {name: dinner, timezone: Asia/Seoul, start: 0 19 * * *, end: 0 21 * * *, desiredReplicas: 2}
  web: {max: 9, unit: {floor: {cpu: 4}}, schedules: [{name: lunch, timezone: UTC, start: 0 9 * * *, end: 0 12 * * *, desiredReplicas: 3}]}
`;
const folder = folderWith({ 'headroom.yaml': CONFIG, 'off.yaml': CONFIG.replace(', liveSchedules: true', '') });
const config = join(folder, 'headroom.yaml');
const dinner = (size: number) =>
  `nodePools: {default: {schedules: [{name: dinner, timezone: Asia/Seoul, start: 0 19 * * *, end: 0 21 * * *, desiredReplicas: ${size}}]}}\n`;

let cluster: SmallCluster;
beforeEach(async () => {
  cluster = await SmallCluster.start(['default', 'web']);
});
afterEach(() => cluster.close());

const file = (text: string) => {
  const path = join(folder, 'schedules.yaml');
  writeFileSync(path, text);
  return path;
};
const run = (args: readonly string[], terminal = fakeTerminal()) =>
  runCli(['apply', '-c', config, '--kubeconfig', cluster.kubeconfig, ...args], terminal);
const configMap = () => {
  try {
    return cluster.api.get(CONFIG_MAPS, 'headroom', 'headroom-schedules') as unknown as { data: object };
  } catch {
    return undefined;
  }
};
/** The heartbeat, run by hand. */
const heartbeat = () => {
  const event = loadEvent('heartbeat', { time: new Date(NOW).toISOString() });
  const path = join(folder, 'heartbeat.json');
  writeFileSync(path, JSON.stringify(event));
  return runCli([
    'handle',
    path,
    '-c',
    config,
    '--kubeconfig',
    cluster.kubeconfig,
    '--stack',
    'shop',
    '--at',
    new Date(NOW).toISOString(),
  ]);
};

test('shows what the coming day changes, asks, and writes as the person; the next heartbeat counts it', async () => {
  const { code, out } = await run([file(dinner(7))], fakeTerminal({ interactive: true, answers: ['y'] }));
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('from what counts now to') });
  expect(out).toContain('wrote ConfigMap headroom-schedules; it counts from the next heartbeat');
  expect(configMap()?.data).toEqual({ 'schedules.yaml': dinner(7) });
  await heartbeat();
  expect(cluster.api.get(DEPLOYMENTS, 'headroom', 'headroom-default').spec.replicas).toBe(7);
  const status = await runCli(['status', 'default', '-c', config, '--kubeconfig', cluster.kubeconfig]);
  expect(status.out.replace(/\s+/g, ' ')).toMatch(
    /because dinner \(live since .* by headstart-cli\) open since 19:00, written too late for its lead time: 7 nodes/,
  );
  const plan = await runCli(['plan', '-c', config, '--live', '--kubeconfig', cluster.kubeconfig, '--json']);
  expect(JSON.parse(plan.out).nodePools.default.steps[0].replicas).toBe(7);
  const cleared = await run(['--clear', '--yes']);
  expect(cleared.out).toContain('deleted ConfigMap headroom-schedules; it counts in two minutes');
  expect(configMap()).toBeUndefined();
});

test('names what an edit changes in what counts, not who wrote the base before', async () => {
  await run([file('nodePools: {default: {base: 2}}'), '--yes']);
  await heartbeat();
  const { out } = await run([file('nodePools: {default: {base: 4}}'), '--dry-run']);
  expect(out.match(/ ~ .+/g)).toEqual([' ~ base: 2 → 4']);
});

test.each([
  ['--dry-run writes nothing', ['--dry-run'], 0, ''],
  ['nobody can confirm', [], 1, 'nobody can confirm this; add --yes'],
])('%s', async (_name, more, code, message) => {
  const got = await run([file(dinner(7)), ...more]);
  expect(got.code).toBe(code);
  expect(got.err).toContain(message);
  expect(configMap()).toBeUndefined();
});

test.each([
  [
    'every problem, with its place',
    'nodePools: {default: {base: -1, max: 3}}',
    ['schedules.yaml:1:23: nodePools.default.base is -1', 'max cannot be edited live'],
  ],
  [
    'a NodePool that is not deployed',
    'nodePools: {ci: {base: 1}}',
    ['nodePools.ci is not deployed; write one of default, web'],
  ],
  [
    'a removal that finds nothing',
    'nodePools: {default: {schedules: [{name: lunch, remove: true}]}}',
    ['no window lunch is deployed'],
  ],
  ['a size above max', dinner(31), ['dinner asks for 31, above the deployed max 30']],
  ['addNodes without a floor', dinner(3).replace('desiredReplicas', 'addNodes'), ['goes with a floor only']],
  [
    'addNodes for a window that is open',
    'nodePools: {web: {schedules: [{name: lunch, timezone: UTC, start: 0 9 * * *, end: 0 12 * * *, addNodes: 3}]}}',
    ['lunch is open and cannot become addNodes now'],
  ],
  ['a text that is too large', `${dinner(3)}#${'x'.repeat(65_536)}`, ['write at most 65536']],
])('refuses %s', async (_name, text, messages) => {
  const { code, err } = await run([file(text), '--yes']);
  expect(code).toBe(1);
  for (const message of messages) expect(err).toContain(message);
  expect(configMap()).toBeUndefined();
});

test('names the other manager, and does not force', async () => {
  cluster.api.apply(
    CONFIG_MAPS,
    { namespace: 'headroom', name: 'headroom-schedules' },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'headroom-schedules', namespace: 'headroom' },
      data: { text: dinner(3) },
    },
    { fieldManager: 'argocd-controller', force: true },
  );
  const { code, err } = await run([file(dinner(7)), '--yes']);
  expect(code).toBe(1);
  expect(err).toContain('was last changed by argocd-controller');
  expect(err).toContain('another field manager owns the text, so nothing was changed');
  expect(configMap()?.data).toEqual({ text: dinner(3) });
});

test('needs liveSchedules, and a file or --clear', async () => {
  expect((await run([])).err).toContain('apply needs a file with nodePools, or --clear');
  const off = await runCli([
    'apply',
    file(dinner(7)),
    '-c',
    join(folder, 'off.yaml'),
    '--kubeconfig',
    cluster.kubeconfig,
  ]);
  expect(off.err).toContain('cluster.liveSchedules is not set');
});
