import type { StartedSource } from '../../../../lab/console/sources/console-source';
import { startRealCluster } from '../../../../lab/console/sources/start-real-cluster';
import { loopbackConnection } from '../../../../shared/adapters/kube/connection';
import { folderWith, runCli } from '../../../cli/run-cli';
import { SmallCluster } from '../../../cli/small-cluster';
import { loadedConfig } from '../../../fakes/loaded-config';
import { eventually } from '../../simulator/run/eventually';

const configText = (unit: string) =>
  `cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}\nnodePools: {default: {max: 5, base: 2, unit: ${unit}}}\n`;
const [ROOM, FLOOR] = [configText('{node: {cpu: 1}}'), configText('{floor: {cpu: 4}}')];

let cluster: SmallCluster;
let started: StartedSource | undefined;

beforeEach(async () => {
  cluster = await SmallCluster.start(['default']);
});

afterEach(async () => {
  await started?.stop();
  started = undefined;
  await cluster.close();
});

async function start(config = ROOM): Promise<StartedSource['source']> {
  const sendOverride = async () => Promise.reject(new Error('nobody pressed a button'));
  started = await startRealCluster(loopbackConnection(cluster.url), loadedConfig(config), { sendOverride });
  return started.source;
}

/** Headstart writes its headroom. */
async function reconciled(config: string): Promise<void> {
  const folder = folderWith({ 'headroom.yaml': config, 'event.json': '{"headroom": "default", "release": true}' });
  const words = ['--stack', 'headstart-shop', '--kubeconfig', cluster.kubeconfig, '-c', `${folder}/headroom.yaml`];
  expect(await runCli(['handle', `${folder}/event.json`, ...words])).toMatchObject({ code: 0 });
}

test('a size that changes on the cluster is shown as a decision with its reasons', async () => {
  const source = await start();
  expect(source.snapshot()).toMatchObject({ mode: 'cluster', clusterName: 'shop', decisions: [] });
  await reconciled(ROOM);
  const [decision] = await eventually(
    'a decision',
    () => source.snapshot().decisions.length > 0 && source.snapshot().decisions,
  );
  expect(decision).toMatchObject({ pool: 'default', from: 0, to: 2, reasons: ['base: 2 nodes'] });
});

test('the nodes of a floor that run work are in use, seen with the person’s own kubeconfig', async () => {
  await reconciled(FLOOR);
  const nodes = [1, 2].map(() => cluster.addFloorNode('default', { cpu: 4, memoryMiB: 16_384 }));
  cluster.place('default', nodes);
  cluster.addWork(nodes[0] ?? '', {});
  const [pool] = (await start(FLOOR)).snapshot().pools;
  expect(pool).toMatchObject({ kind: 'floor', wanted: 2, ready: 2, inUse: 1, free: 1 });
});

test('a cluster that does not respond is shown as an error', async () => {
  const source = await start();
  await cluster.close();
  await eventually('the error', () => source.snapshot().problems?.some((line) => line.includes('127.0.0.1')));
});
