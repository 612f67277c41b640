import { writeFileSync } from 'node:fs';
import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import { kubeconfigFor } from '../../../lab/simulator/kube/rest/kubeconfig';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { golden } from '../../golden/golden';
import { fakeTerminal, NOW, runCli } from '../run-cli';
import { inFolder, typed } from '../session';
import { SmallCluster } from '../small-cluster';

const folder = inFolder({
  'headroom.yaml':
    'cluster: {name: shop, region: ap-northeast-2, account: "123456789012"}\nnodePools: {default: {max: 8, base: 2}}\n',
  'event.json': '{"headroom": "default", "exactly": 7, "for": "1h"}',
});
const said = golden(`${__dirname}/wrong-cluster.txt`);
const OWNER = '123456789012/ap-northeast-2/shop/headroom/headstart-shop';

let cluster: SmallCluster;
beforeEach(async () => {
  cluster = await SmallCluster.start(['default'], folder);
});
afterEach(() => cluster.close());

/** How the kubeconfig, or what is found in the cluster, shows which cluster it is. */
interface Sign {
  readonly name?: string;
  readonly owner?: string;
}
const SIGNS: readonly (readonly [string, Sign])[] = [
  ['the ARN of the current cluster', { name: 'arn:aws:eks:ap-northeast-2:123456789012:cluster/prod' }],
  ['its account', { name: 'arn:aws:eks:ap-northeast-2:999999999999:cluster/shop' }],
  ['its region', { name: 'arn:aws:eks:eu-west-1:123456789012:cluster/shop' }],
  ['the name that eksctl gives', { name: 'prod.ap-northeast-2.eksctl.io' }],
  ['the owner of the headroom', { owner: '123456789012/ap-northeast-2/prod/headroom/x' }],
  ["the owner's account", { owner: '999999999999/ap-northeast-2/shop/headroom/x' }],
];
const KUBECONFIG = '--kubeconfig kubeconfig';
const WRITES = [
  `inflate default --nodes 7 --for 1h --no-wait --yes ${KUBECONFIG}`,
  `release default ${KUBECONFIG}`,
  `handle event.json ${KUBECONFIG}`,
];
const deployment = () => cluster.api.get(DEPLOYMENTS, 'headroom', 'headroom-default');

/** Headroom as it was deployed, under this sign. */
async function deployed({ name, owner = OWNER }: Sign): Promise<void> {
  const made = `inflate default --nodes 3 --for 1h --no-wait --stack headstart-shop ${KUBECONFIG}`;
  expect(await runCli(made.split(' '))).toMatchObject({ code: 0 });
  const current = deployment();
  const annotations = { ...current.metadata.annotations, [ANNOTATIONS.owner]: owner };
  const metadata = { ...current.metadata, annotations };
  cluster.apply({ ...current, metadata });
  if (name !== undefined) writeFileSync('kubeconfig', kubeconfigFor(cluster.url, name));
}

describe.each(SIGNS)('a kubeconfig of another cluster, by %s', (_sign, sign) => {
  test('is refused by inflate, release and handle, which name both, until --other-cluster goes on', async () => {
    await deployed(sign);
    const texts: string[] = [];
    for (const [index, line] of WRITES.entries()) {
      const terminal = () => fakeTerminal({ now: () => NOW + index * 1_000 });
      const before = deployment();
      texts.push(await typed(line, terminal()));
      expect(deployment()).toEqual(before);
      const forced = `${line} --other-cluster --stack ${sign.owner ? 'x' : 'headstart-shop'}`;
      expect(await runCli(forced.split(' '), terminal())).toMatchObject({ code: 0 });
      expect(deployment()).not.toEqual(before);
    }
    said(texts.join('\n'));
  });

  test('is the first line of status and doctor, and a problem for status --check', async () => {
    await deployed(sign);
    const wide = () => fakeTerminal({ width: 200 });
    const texts: string[] = [];
    for (const line of ['status', 'status --check', 'doctor'])
      texts.push((await typed(`${line} ${KUBECONFIG}`, wide())).split('\n').slice(0, 3).join('\n'));
    said(texts.join('\n'));
    expect(await runCli(`status --check ${KUBECONFIG}`.split(' '))).toMatchObject({ code: 2 });
    expect(JSON.parse((await runCli(`status --json ${KUBECONFIG}`.split(' '))).out)).toHaveProperty('otherCluster');
  });
});

test.each([
  ['the right kubeconfig', { name: 'arn:aws:eks:ap-northeast-2:123456789012:cluster/shop' }],
  ['a kubeconfig that names no cluster', {}],
])('%s is no reason to stop', async (_name, sign) => {
  await deployed(sign);
  const { code, out } = await runCli(['status', '--kubeconfig', 'kubeconfig']);
  expect([code, out.startsWith('shop at'), deployment().spec.replicas]).toEqual([0, true, 3]);
});

test('init says it first if --cluster or --region name another cluster', async () => {
  await deployed({ name: 'arn:aws:eks:eu-west-1:123456789012:cluster/prod' });
  said(await typed(`init ${KUBECONFIG} --cluster shop --out new.yaml`));
});
