import { join } from 'node:path';
import { nodeGroups } from '../../../lab/migrate/group-facts';
import { holdingFor } from '../../../lab/migrate/holding';
import { kubeconfigFor } from '../../../lab/simulator/kube/rest/kubeconfig';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import { loadConfig } from '../../../shared/core/config/read/load';
import { fakeTerminal, folderWith, runCli } from '../../cli/run-cli';
import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';

jest.setTimeout(60_000);

const CONFIG = `
cluster: {name: shop, region: ap-northeast-2}
nodePools:
  default: {max: 10, unit: {node: {cpu: 2, memory: 4Gi}}}
`;

const node = (name: string, group: string) => ({
  metadata: { name, labels: { 'eks.amazonaws.com/nodegroup': group } },
  spec: { providerID: `aws:///ap-northeast-2a/i-0${name.replace(/\D/g, '')}` },
});
const pod = (name: string, nodeName: string, cpu: string, memory: string, owner = 'ReplicaSet') => ({
  metadata: { name, namespace: 'shop', ownerReferences: [{ kind: owner, name: 'x', apiVersion: 'v1', uid: '1' }] },
  spec: { nodeName, containers: [{ name: 'c', resources: { requests: { cpu, memory } } }] },
  status: { phase: 'Running' },
});
const NODES = [
  node('n1', 'workers'),
  node('n2', 'workers'),
  node('n3', 'workers'),
  node('s1', 'system'),
  node('s2', 'system'),
];
const PODS = [
  pod('a', 'n1', '1', '1Gi'),
  pod('b', 'n1', '1500m', '2Gi'),
  pod('c', 'n2', '500m', '6Gi'),
  pod('d', 'n3', '250m', '1Gi'),
  pod('agent', 'n3', '4', '8Gi', 'DaemonSet'),
  pod('dns', 's1', '100m', '70Mi'),
];
const deployment = (name: string, labels: Record<string, string>, spec: object = {}) => ({
  metadata: { name, namespace: 'kube-system', labels },
  spec: { replicas: 2, template: { spec } },
});
const DEPLOYMENTS = [
  deployment('coredns', { 'k8s-app': 'kube-dns' }),
  deployment(
    'karpenter',
    { 'app.kubernetes.io/name': 'karpenter' },
    { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' } },
  ),
  deployment('cluster-autoscaler', { app: 'cluster-autoscaler' }),
];

let server: LoopbackServer;
let argv: readonly string[];
beforeAll(async () => {
  server = await loopbackServer(({ url }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const [key = '', value = ''] = (searchParams.get('labelSelector') ?? '').split('=');
    const lists: Record<string, readonly { metadata: { labels?: Record<string, string> } }[]> = {
      '/api/v1/nodes': NODES,
      '/api/v1/pods': PODS as never,
      '/apis/apps/v1/deployments': DEPLOYMENTS.filter(({ metadata }) => metadata.labels[key] === value),
    };
    json(response, lists[pathname] ? 200 : 404, { items: lists[pathname] });
  });
  const folder = folderWith({ 'headroom.yaml': CONFIG, kubeconfig: kubeconfigFor(server.url) });
  argv = ['-c', join(folder, 'headroom.yaml'), '--kubeconfig', join(folder, 'kubeconfig')];
});
afterAll(() => server.close());

describe('headstart migrate', () => {
  test('lists the node groups with what would move', async () => {
    const { code, out } = await runCli(['migrate', ...argv]);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'node group  nodes  pods that move    cpu  memory  managed by',
        'workers         3               4  3250m    10Gi  EKS',
        'system          2               1   100m    70Mi  EKS',
        'to print the steps for one of them, run',
        `npx headstart migrate GROUP ${argv.join(' ')}`,
        '',
      ].join('\n'),
    );
  });

  test('prints numbered steps with exact commands, a check and a way to undo each', async () => {
    const { code, out } = await runCli(['migrate', 'workers', ...argv, '--batch', '2'], fakeTerminal({ width: 100 }));
    expect(code).toBe(0);
    const text = out.replaceAll(argv[1] ?? '', 'headroom.yaml').replaceAll(argv[3] ?? '', 'KUBECONFIG');
    const steps = text.split(/\n\n/).slice(1);
    expect(steps.map((step) => step.split('\n')[0])).toEqual([
      '1. Check the cluster before you start',
      '2. Pin coredns to node group system, away from nodes that Karpenter may remove',
      '3. Hold the capacity: 3 nodes of default, launched by Karpenter',
      '4. Stop Cluster Autoscaler, so that it does not scale up for the pods that move',
      '5. Cordon all 3 nodes of workers, so that drained pods do not land on nodes that are drained next',
      '6. Shrink workers from 3 nodes to 1, moving 3 pods',
      '7. Shrink workers from 1 node to 0, moving 1 pod',
      '8. Release the capacity that is still held',
    ]);
    for (const step of steps) expect(step).toMatch(/\n {3}check .*\n[\s\S]*\n? {3}undo {2}/);
    expect(steps[2]).toContain(
      'npx headstart inflate default --nodes 3 --for 4h --yes --reason "moving node group workers" -c headroom.yaml --kubeconfig KUBECONFIG',
    );
    expect(steps[3]).toContain('-n kube-system scale deployment cluster-autoscaler --replicas=0');
    expect(steps[3]).toContain(
      'undo  kubectl --kubeconfig KUBECONFIG -n kube-system scale deployment cluster-autoscaler --replicas=2',
    );
    expect(steps[4]).toContain('kubectl --kubeconfig KUBECONFIG cordon -l eks.amazonaws.com/nodegroup=workers\n');
    expect(steps[4]).toContain('undo  kubectl --kubeconfig KUBECONFIG uncordon -l eks.amazonaws.com/nodegroup=workers');
    expect(text.indexOf(' cordon ')).toBeLessThan(text.indexOf(' drain n1'));
    expect(steps[5]).toContain('drain n1 --ignore-daemonsets');
    expect(steps[5]).toContain('npx headstart inflate default --nodes 1 ');
    expect(steps[5]).toContain('--scaling-config minSize=1');
    expect(steps[5]).toContain('terminate-instance-in-auto-scaling-group --region ap-northeast-2 --instance-id i-01 ');
    expect(steps[5]).toContain(
      'undo  aws eks update-nodegroup-config --region ap-northeast-2 --cluster-name shop --nodegroup-name workers --scaling-config minSize=3,desiredSize=3',
    );
    expect(text).toContain('warning: shop/c requests more than one replica holds');
  });

  test('holds more nodes than there are where the unit is a floor, as one order for the whole group', async () => {
    const { code, text } = await moved('{max: 10, unit: {floor: {cpu: 2, memory: 4Gi}}}');
    expect(code).toBe(0);
    expect(text).toContain('hold up to 3 more nodes with Karpenter');
    expect(text).toContain('3. Hold the capacity: 3 more nodes of default, launched by Karpenter');
    expect([...text.matchAll(/inflate default \S+ \d+/g)].map(([order]) => order)).toEqual([
      'inflate default --more 3',
      // The way back of the release.
      'inflate default --more 3',
    ]);
  });

  test('orders more nodes again for each batch where max of a floor is smaller', async () => {
    const { text } = await moved('{max: 2, unit: {floor: {cpu: 2, memory: 4Gi}}}');
    const steps = text.split(/\n\n/).slice(1);
    const orders = steps.map((step) =>
      [...step.matchAll(/^ {5}npx headstart inflate default (\S+ \d+)/gm)].map(([, size]) => size),
    );
    expect(orders.filter((sizes) => sizes.length > 0)).toEqual([['--more 2'], ['--more 2'], ['--more 1']]);
  });

  async function moved(pool: string) {
    const folder = folderWith({
      'headroom.yaml': `cluster: {name: shop, region: ap-northeast-2}\nnodePools: {default: ${pool}}\n`,
    });
    const [, , flag = '', kubeconfig = ''] = argv;
    const { code, out } = await runCli(
      ['migrate', 'workers', '-c', join(folder, 'headroom.yaml'), flag, kubeconfig, '--batch', '1'],
      fakeTerminal({ width: 200 }),
    );
    return { code, text: out };
  }

  test('deploys and validates the config and environment that it was given', async () => {
    const folder = folderWith({
      'own.yaml': `cluster: {name: shop, region: ap-northeast-2}\nnodePools: {default: {max: 1, unit: {slice: {cpu: 1, memory: 1Gi}}}}\n`,
      'own.prod.yaml': 'nodePools: {default: {max: 2}}\n',
    });
    const [, , , kubeconfig = ''] = argv;
    const own = join(folder, 'own.yaml');
    const { out } = await runCli(
      ['migrate', 'workers', '-c', own, '-e', 'prod', '--kubeconfig', kubeconfig, '--json'],
      fakeTerminal({ width: 200 }),
    );
    const { steps } = JSON.parse(out);
    const raise = steps.find(({ title }: { title: string }) => title.startsWith('Raise max of default'));
    const deploy = `npx cdk deploy --all -c config=${own} -c env=prod`;
    expect(raise.commands[1]).toBe(deploy);
    expect(raise.back[1]).toBe(deploy);
    expect(raise.check).toEqual([`npx headstart validate -c ${own} -e prod`]);
    expect(steps.at(-1).commands).toEqual([
      `npx headstart release default -c ${own} -e prod --kubeconfig ${kubeconfig}`,
    ]);
  });

  test('leaves two nodes of a group that must remain itself', async () => {
    const { out } = await runCli(['migrate', 'workers', ...argv, '--keep', 'workers', '--json']);
    const { holding, keep, steps } = JSON.parse(out);
    expect(keep).toBe('workers');
    expect(holding.batches.map(({ left }: { left: number }) => left)).toEqual([2]);
    const cordon = steps.find(({ title }: { title: string }) => title.startsWith('Cordon '));
    expect(cordon.title).toMatch(/^Cordon 1 node of workers/);
    expect(cordon.commands).toEqual([expect.stringMatching(/ cordon n1$/)]);
  });

  test.each([
    {
      name: 'an unknown group',
      more: ['gone'],
      says: 'the node group "gone" has no nodes; write one of workers, system',
    },
    { name: 'an unknown group to keep', more: ['workers', '--keep', 'gone'], says: '--keep "gone" has no nodes' },
    {
      name: 'a group that must remain and is small',
      more: ['system', '--keep', 'system'],
      says: 'system must stay for the controllers and has no more than 2 nodes',
    },
    { name: 'a batch of nothing', more: ['workers', '--batch', '0'], says: '--batch is "0"; write a whole number' },
    { name: 'an unknown pool', more: ['workers', '--nodepool', 'web'], says: '--nodepool "web" is not in the config' },
  ])('refuses $name', async ({ more, says }) => {
    const { code, err } = await runCli(['migrate', ...more, ...argv]);
    expect(code).toBe(1);
    expect(err).toContain(says);
  });
});

describe('holdingFor', () => {
  const pool = (text: string): HeadroomConfig => {
    const loaded = loadConfig([{ file: 'f', text: `cluster: {name: c, region: us-east-1}\nnodePools: {p: ${text}}` }]);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    return loaded.config.headrooms[0] as HeadroomConfig;
  };
  const [workers] = nodeGroups(NODES as never, PODS as never);
  if (!workers) throw new Error('no group');

  test('holds the whole group at once where max allows it, less with each batch', () => {
    const { batches, most } = holdingFor(workers, pool('{max: 10, unit: {node: {cpu: 2, memory: 4Gi}}}'), 1, 0);
    expect(batches.map(({ hold, left }) => [hold, left])).toEqual([
      [3, 2],
      [2, 1],
      [1, 0],
    ]);
    expect(most).toBe(3);
  });

  test('holds batch by batch where max is smaller', () => {
    const { batches } = holdingFor(workers, pool('{max: 2, unit: {node: {cpu: 2, memory: 4Gi}}}'), 1, 0);
    expect(batches.map(({ hold }) => hold)).toEqual([2, 2, 1]);
  });

  test('a floor holds as many nodes as the group needs, until the last batch has moved', () => {
    const { batches, countsAgain, tooLarge } = holdingFor(
      workers,
      pool('{max: 10, unit: {floor: {cpu: 2, memory: 4Gi}}}'),
      1,
      0,
    );
    expect(batches.map(({ hold }) => hold)).toEqual([3, 3, 3]);
    expect(countsAgain).toBe(false);
    expect(tooLarge).toEqual(['shop/c']);
  });

  test('a floor that is known by its cpu alone is filled by cpu', () => {
    expect(holdingFor(workers, pool('{max: 10, unit: {floor: {cpu: 2}}}'), 3, 0).most).toBe(2);
  });

  test('counts slices by what is scarcest', () => {
    expect(holdingFor(workers, pool('{max: 50, unit: {slice: {cpu: 250m, memory: 1Gi}}}'), 3, 0).most).toBe(13);
    expect(holdingFor(workers, pool('{max: 50, unit: {slice: {cpu: 1, memory: 1Gi}}}'), 3, 0).most).toBe(10);
  });
});
