import { clusterMismatch } from '../../../cli/kube/same-cluster';

const CONFIG = { name: 'shop', region: 'eu-west-1', account: '123456789012' };
const owner = (name: string, account = CONFIG.account) => `${account}/${CONFIG.region}/${name}/headroom/headstart`;

const PROD = 'prod in eu-west-1 of account 123456789012';
test.each([
  ['no owner', [], undefined],
  ['an owner of this cluster', [owner('shop')], undefined],
  ['one owner of this cluster next to one of another', [owner('shop'), owner('prod')], undefined],
  ['one owner of another cluster next to one of this', [owner('prod'), owner('shop')], undefined],
  ['an owner that cannot be read', ['somebody'], undefined],
  ['an owner of another cluster', [owner('prod')], PROD],
  ['an owner of another cluster next to one that cannot be read', ['somebody', owner('prod')], PROD],
  [
    'owners of two other clusters, each named once',
    [owner('prod'), owner('shop', '999999999999'), owner('prod')],
    `${PROD} and shop in eu-west-1 of account 999999999999`,
  ],
])('headroom is evidence of a wrong cluster only if none of it is for this one: %s', (_name, owners, others) => {
  const found = clusterMismatch(CONFIG, {}, owners);
  if (others === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(`belongs to ${others};`);
});
