import { writeFileSync } from 'node:fs';
import { CONFIG_MAPS, DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import { loadEvent } from '../../events/load-event';
import { golden } from '../../golden/golden';
import { fakeTerminal, NOW, runCli } from '../run-cli';
import { inFolder, session, typed } from '../session';
import { SmallCluster } from '../small-cluster';

const CONFIG = `
cluster: {name: shop, region: ap-northeast-2, account: "123456789012", liveSchedules: true}
nodePools:
  default:
    max: 30
    leadTime: 5m
    schedules:
      - {name: dinner, timezone: Asia/Seoul, start: 0 19 * * *, end: 0 21 * * *, desiredReplicas: 2}
  web: {max: 9, leadTime: 5m, unit: {floor: {cpu: 4}}, schedules: [{name: lunch, timezone: UTC, start: 0 9 * * *, end: 0 12 * * *, desiredReplicas: 3}]}
`;
const HOLIDAYS = CONFIG.replace('desiredReplicas: 2}', 'desiredReplicas: 2, excludeDates: [2026-12-25, 2027-01-01]}');
const folder = inFolder({
  'headroom.yaml': CONFIG,
  'holidays.yaml': HOLIDAYS,
  'off.yaml': CONFIG.replace(', liveSchedules: true', ''),
});
const said = golden(`${__dirname}/apply.txt`);
const dinner = (size: number) =>
  `nodePools: {default: {schedules: [{name: dinner, timezone: Asia/Seoul, start: 0 19 * * *, end: 0 21 * * *, desiredReplicas: ${size}}]}}\n`;

let cluster: SmallCluster;
beforeEach(async () => {
  cluster = await SmallCluster.start(['default', 'web'], folder);
});
afterEach(() => cluster.close());

/** Applies this text. */
function apply(text: string, words: string, terminal = fakeTerminal()): Promise<string> {
  writeFileSync('schedules.yaml', text);
  return typed(`apply schedules.yaml ${words} --kubeconfig kubeconfig`.replace(/ +/g, ' '), terminal);
}
const configMap = () => {
  try {
    return cluster.api.get(CONFIG_MAPS, 'headroom', 'headroom-schedules') as unknown as { data: object };
  } catch {
    return undefined;
  }
};
/** The heartbeat, run by hand. */
const heartbeat = (config = 'headroom.yaml') => {
  const time = new Date(NOW).toISOString();
  writeFileSync('heartbeat.json', JSON.stringify(loadEvent('heartbeat', { time })));
  return runCli([
    'handle',
    'heartbeat.json',
    '--kubeconfig',
    'kubeconfig',
    '--stack',
    'shop',
    '--at',
    time,
    '-c',
    config,
  ]);
};

test('shows what the coming day changes, asks, and writes as the person; it applies at the next heartbeat', async () => {
  const applied = await apply(dinner(7), '', fakeTerminal({ interactive: true, answers: ['y'] }));
  expect(configMap()?.data).toEqual({ 'schedules.yaml': dinner(7) });
  await heartbeat();
  expect(cluster.api.get(DEPLOYMENTS, 'headroom', 'headroom-default').spec.replicas).toBe(7);
  const plan = await runCli(['plan', '--live', '--kubeconfig', 'kubeconfig', '--json']);
  expect(JSON.parse(plan.out).nodePools.default.steps[0].replicas).toBe(7);
  const later = ['status default --kubeconfig kubeconfig', 'apply --clear --yes --kubeconfig kubeconfig'];
  said(`${applied}\n${await session(later)}`);
  expect(configMap()).toBeUndefined();
});

test('warns of a window that loses its holidays, and status says who changed what, when', async () => {
  const removal = ', web: {base: 1, schedules: [{name: lunch, remove: true}]}}';
  const applied = await apply(dinner(7).replace(/\}$/m, removal), '-c holidays.yaml --yes');
  await heartbeat('holidays.yaml');
  said(`${applied}\n${await typed('status -c holidays.yaml --kubeconfig kubeconfig')}`);
});

test('shows what an edit changes in what applies, not who wrote the base before', async () => {
  await apply('nodePools: {default: {base: 2}}', '--yes');
  await heartbeat();
  said(await apply('nodePools: {default: {base: 4}}', '--dry-run'));
});

test('writes nothing with --dry-run, or without a terminal to confirm on', async () => {
  said(`${await apply(dinner(7), '--dry-run')}\n${await apply(dinner(7), '')}`);
  expect(configMap()).toBeUndefined();
});

const lunch = (size: string) =>
  `nodePools: {web: {schedules: [{name: lunch, timezone: UTC, start: 0 9 * * *, end: 0 12 * * *, ${size}}]}}`;
test.each([
  ['every problem, with its place', 'nodePools: {default: {base: -1, max: 3}}'],
  ['a NodePool that is not deployed', 'nodePools: {ci: {base: 1}}'],
  ['a removal that finds nothing', 'nodePools: {default: {schedules: [{name: lunch, remove: true}]}}'],
  ['a size above max', dinner(31)],
  ['addNodes without a floor', dinner(3).replace('desiredReplicas', 'addNodes')],
  ['addNodes for a window that is open', lunch('addNodes: 3')],
  ['a text that is too large', `${dinner(3)}#${'x'.repeat(65_536)}`],
])('refuses %s', async (_name, text) => {
  said(await apply(text, '--yes'));
  expect(configMap()).toBeUndefined();
});

test('names the other manager, and does not force', async () => {
  const metadata = { name: 'headroom-schedules', namespace: 'headroom' };
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { text: dinner(3) } };
  cluster.api.apply(CONFIG_MAPS, metadata, body, { fieldManager: 'argocd-controller', force: true });
  said(await apply(dinner(7), '--yes'));
  expect(configMap()?.data).toEqual({ text: dinner(3) });
});

test('needs liveSchedules, and a file or --clear', async () => {
  said(`${await typed('apply --kubeconfig kubeconfig')}\n${await apply(dinner(7), '-c off.yaml')}`);
});
