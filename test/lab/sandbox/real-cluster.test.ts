import { join } from 'node:path';
import { RealClusterSource } from '../../../lab/console/sources/real-cluster-source';
import { CONFIG_MAPS, DEPLOYMENTS, EVENTS, NAMESPACES, PRIORITY_CLASSES } from '../../../lab/simulator/kube/kinds';
import { kubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { kubeconfigConnection } from '../../../shared/adapters/kube/kubeconfig-connection';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { folderWith, NOW, runCli } from '../../cli/run-cli';
import { SmallCluster } from '../../cli/small-cluster';
import { loadedConfig } from '../../fakes/loaded-config';
import { type StartedConsole, startConsole } from './start-console';

const EVENT_FILES = join(__dirname, '../../events');
const DEPLOYED = `
cluster: { name: shop, region: ap-northeast-2, account: "123456789012" }
nodePools:
  web: { max: 8, base: 1, alarms: [{ alarmName: p95-high, add: 3 }] }
  batch: { max: 8, base: 2 }
`;
/** An older file, which does not name one of the deployed NodePools. */
const OLDER = DEPLOYED.replace(/ {2}batch.*\n/, '');
/** Another file, which knows no alarm and gives another NodePool another size. */
const OTHER = DEPLOYED.replace(/, alarms: .*\]/, '').replace('base: 2', 'base: 5');
const INFLATE = { kind: 'inflate', pool: 'web', atLeast: 6, for: '30m', reason: 'sale' } as const;

let cluster: SmallCluster;
let started: StartedConsole | undefined;

beforeEach(async () => {
  cluster = await SmallCluster.start(['web', 'batch']);
  const config = join(folderWith({ 'headroom.yaml': DEPLOYED }), 'headroom.yaml');
  for (const event of ['deploy.json', 'alarm-state-change.json']) {
    const argv = ['handle', join(EVENT_FILES, event), '--stack', 'headstart-shop', '--kubeconfig', cluster.kubeconfig];
    expect(await runCli([...argv, '-c', config])).toMatchObject({ code: 0 });
  }
});

afterEach(async () => {
  await started?.end();
  started = undefined;
  await cluster.close();
});

const headroom = (name: string) => cluster.api.get(DEPLOYMENTS, 'headroom', `headroom-${name}`);
const recordOf = (name: string) => JSON.parse(headroom(name).metadata.annotations?.[ANNOTATIONS.record] ?? '{}');
const everything = () =>
  [DEPLOYMENTS, CONFIG_MAPS, EVENTS, NAMESPACES, PRIORITY_CLASSES].map((kind) => cluster.api.list(kind as never));

async function start(config: string): Promise<StartedConsole> {
  const file = join(folderWith({ 'headroom.yaml': config }), 'headroom.yaml');
  started = await startConsole('-c', file, '--kubeconfig', cluster.kubeconfig);
  return started;
}

test('a console beside a deployed record in ALARM only reads, over many refreshes and with an older config', async () => {
  expect(headroom('web').spec.replicas).toBe(4);
  const before = everything();
  const methods = new Set<string>();
  let now = NOW;
  const transport = kubeTransport(await kubeconfigConnection(cluster.kubeconfig));
  const source = new RealClusterSource({
    config: loadedConfig(OLDER),
    transport: new Proxy(transport, {
      get: (target, name, receiver) => {
        methods.add(String(name));
        return Reflect.get(target, name, receiver);
      },
    }),
    server: 'x',
    sendOverride: async () => {
      throw new Error('nobody pressed a button');
    },
    now: () => now,
  });
  for (let tick = 0; tick < 60; tick += 1) {
    await source.refresh();
    source.useConfig(loadedConfig(tick % 2 === 0 ? OLDER : DEPLOYED));
    source.snapshot();
    now += 60_000;
  }
  expect([...methods]).toEqual(['get']);
  expect(everything()).toEqual(before);
  const [web] = source.snapshot().pools;
  expect(web).toMatchObject({ wanted: 4, alarms: [{ alarmName: 'p95-high', firing: true }] });
});

test('Inflate and Release write one override of the person and leave the alarm and other headroom untouched', async () => {
  const { send } = await start(OLDER);
  const [batch, { alarms }] = [headroom('batch'), recordOf('web')];
  expect(await send(INFLATE)).toMatchObject({ ok: true, decisions: [{ headroom: 'web', from: 4, replicas: 8 }] });
  expect(recordOf('web')).toMatchObject({ alarms, override: { by: 'ana', reason: 'sale', replicas: 6 } });
  expect(headroom('batch')).toEqual(batch);
  expect(await send({ kind: 'release', pool: 'web' })).toMatchObject({ ok: true, decisions: [{ replicas: 4 }] });
  expect(recordOf('web')).toMatchObject({ alarms, released: { by: 'ana' } });
  expect(headroom('batch')).toEqual(batch);
});

test('Inflate by a file without the alarm neither shrinks nor forgets what fires, nor sizes another NodePool by that file', async () => {
  const { send } = await start(OTHER);
  const [batch, { alarms }] = [headroom('batch'), recordOf('web')];
  expect(await send({ ...INFLATE, atLeast: 2 })).toMatchObject({ ok: true });
  expect(headroom('web').spec.replicas).toBe(4);
  expect(headroom('web').metadata.annotations?.[ANNOTATIONS.reasons]).toContain(
    'p95-high is in ALARM and not in this config',
  );
  expect(await send({ kind: 'release', pool: 'web' })).toMatchObject({ ok: true });
  expect(headroom('web').spec.replicas).toBe(4);
  expect(recordOf('web')).toMatchObject({ alarms });
  expect(headroom('batch')).toEqual(batch);
});

test.each([
  { name: 'a size above max', command: { ...INFLATE, atLeast: 99 }, says: 'above max 8' },
  { name: 'an alarm', command: { kind: 'alarm', alarmName: 'p95-high', firing: false }, says: 'only in a simulation' },
  { name: 'a spot notice', command: { kind: 'takeNode' }, says: 'only in a simulation' },
  { name: 'a jump', command: { kind: 'jump' }, says: 'only in a simulation' },
] as const)('$name is answered with an error that the page shows, and changes nothing', async ({ command, says }) => {
  const before = headroom('web');
  const { send } = await start(DEPLOYED);
  expect(await send(command)).toEqual({ ok: false, error: expect.stringContaining(says) });
  expect(headroom('web')).toEqual(before);
});

test('a console for another cluster than the config says so first and refuses overrides', async () => {
  const before = headroom('web');
  const { output, send } = await start(DEPLOYED.replace('name: shop', 'name: prod'));
  expect(output).toMatch(/^ANOTHER CLUSTER: its headroom belongs to shop/);
  expect(await send(INFLATE)).toMatchObject({ ok: false, error: expect.stringContaining('nothing was changed') });
  expect(headroom('web')).toEqual(before);
});
