import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { folderWith, runCli } from '../run-cli';
import { SmallCluster } from '../small-cluster';

jest.setTimeout(60_000);

const CONFIG =
  'cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}\nnodePools: {default: {max: 8, base: 2}}\n';
const OWNER = '123456789012/ap-northeast-2/shop/headroom/headstart-shop';
const NAME = 'headroom-default';

let cluster: SmallCluster;
beforeEach(async () => {
  cluster = await SmallCluster.start(['default']);
});
afterEach(() => cluster.close());

/** How the kubeconfig, or what is found in the cluster, says which cluster it is. */
const SIGNS = [
  {
    sign: 'the ARN of the current cluster',
    name: 'arn:aws:eks:ap-northeast-2:123456789012:cluster/prod',
    says: 'prod',
  },
  { sign: 'its account', name: 'arn:aws:eks:ap-northeast-2:999999999999:cluster/shop', says: '999999999999' },
  { sign: 'its region', name: 'arn:aws:eks:eu-west-1:123456789012:cluster/shop', says: 'eu-west-1' },
  { sign: 'the name that eksctl gives', name: 'prod.ap-northeast-2.eksctl.io', says: 'prod' },
  { sign: 'the owner of the headroom', owner: '123456789012/ap-northeast-2/prod/headroom/x', says: 'belongs to prod' },
  { sign: "the owner's account", owner: '999999999999/ap-northeast-2/shop/headroom/x', says: '999999999999' },
];

async function filesFor({ name, owner = OWNER }: { name?: string; owner?: string }) {
  const right = folderWith({ 'headroom.yaml': CONFIG, kubeconfig: readFileSync(cluster.kubeconfig, 'utf8') });
  const config = join(right, 'headroom.yaml');
  // Headroom as it was deployed.
  const made = ['inflate', 'default', '--nodes', '3', '--for', '1h', '--no-wait', '--stack', 'headstart-shop'];
  expect(await runCli([...made, '-c', config, '--kubeconfig', cluster.kubeconfig])).toMatchObject({ code: 0 });
  const current = cluster.api.get(DEPLOYMENTS, 'headroom', NAME);
  const annotations = { ...current.metadata.annotations, [ANNOTATIONS.owner]: owner };
  const metadata = { ...current.metadata, annotations };
  cluster.apply({ ...current, metadata });
  const text = readFileSync(cluster.kubeconfig, 'utf8');
  const known = /name: (\S+)/.exec(text)?.[1] ?? '';
  const named = name === undefined ? text : text.replaceAll(known, name);
  const folder = folderWith({ kubeconfig: named, 'event.json': '{"headroom": "default", "exactly": 7, "for": "1h"}' });
  return { config, kubeconfig: join(folder, 'kubeconfig'), event: join(folder, 'event.json') };
}

const size = () => cluster.api.get(DEPLOYMENTS, 'headroom', NAME).spec.replicas;

describe.each(SIGNS)('a kubeconfig of another cluster, by $sign', ({ says, ...sign }) => {
  test.each([
    { name: 'inflate', words: () => ['inflate', 'default', '--nodes', '7', '--for', '1h', '--no-wait', '--yes'] },
    { name: 'release', words: () => ['release', 'default'] },
    { name: 'handle', words: (event: string) => ['handle', event] },
  ])('is refused by $name, which names both', async ({ words }) => {
    const { config, kubeconfig, event } = await filesFor(sign);
    const before = cluster.api.get(DEPLOYMENTS, 'headroom', NAME);
    const argv = [...words(event), '-c', config, '--kubeconfig', kubeconfig];
    const { code, err } = await runCli(argv);
    const message = err.replace(/\s+/g, ' ');
    expect(code).toBe(1);
    expect(message).toContain(says);
    expect(message).toContain('the config is for shop in ap-northeast-2 of account 123456789012; nothing was changed');
    expect(cluster.api.get(DEPLOYMENTS, 'headroom', NAME)).toEqual(before);
    const forced = await runCli([...argv, '--other-cluster', '--stack', sign.owner ? 'x' : 'headstart-shop']);
    expect(forced).toMatchObject({ code: 0 });
    expect(cluster.api.get(DEPLOYMENTS, 'headroom', NAME)).not.toEqual(before);
  });

  test('is the first line of status and doctor, and a problem for status --check', async () => {
    const { config, kubeconfig } = await filesFor(sign);
    const common = ['-c', config, '--kubeconfig', kubeconfig];
    const status = await runCli(['status', ...common]);
    const [first = ''] = status.out.split('\n');
    expect(first).toMatch(/^ANOTHER CLUSTER: /);
    expect(status.out.replace(/\s+/g, ' ')).toContain(says);
    expect(await runCli(['status', '--check', ...common])).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^another cluster: /),
    });
    expect(JSON.parse((await runCli(['status', '--json', ...common])).out)).toHaveProperty('otherCluster');
    const doctor = await runCli(['doctor', ...common]);
    expect(doctor.out).toMatch(/^error: kubeconfig is not for the cluster shop of the config/);
    expect(doctor.out.replace(/\s+/g, ' ')).toContain(says);
  });
});

test('the right kubeconfig, and one that names no cluster, are no reason to stop', async () => {
  for (const name of [undefined, 'arn:aws:eks:ap-northeast-2:123456789012:cluster/shop']) {
    const { config, kubeconfig } = await filesFor(name === undefined ? {} : { name });
    const { code, out } = await runCli(['status', '-c', config, '--kubeconfig', kubeconfig]);
    expect([code, out.startsWith('shop at')]).toEqual([0, true]);
    expect(size()).toBe(3);
  }
});

test('init says it first when --cluster or --region name another cluster', async () => {
  const { kubeconfig } = await filesFor({ name: 'arn:aws:eks:eu-west-1:123456789012:cluster/prod' });
  const out = join(folderWith({}), 'new.yaml');
  const { err } = await runCli(['init', '--kubeconfig', kubeconfig, '--cluster', 'shop', '--out', out]);
  expect(err).toMatch(/^ANOTHER CLUSTER: the kubeconfig is for prod in eu-west-1; the config is for shop/);
});
