import { clusterMismatch } from '../../../cli/kube/same-cluster';

const CONFIG = { name: 'shop', region: 'eu-west-1', account: '123456789012' };
const owner = (name: string, account = CONFIG.account) => `${account}/${CONFIG.region}/${name}/headroom/headstart`;

test.each([
  { name: 'no owner', owners: [], mismatch: undefined },
  { name: 'an owner of this cluster', owners: [owner('shop')], mismatch: undefined },
  {
    name: 'one owner of this cluster next to one of another',
    owners: [owner('shop'), owner('prod')],
    mismatch: undefined,
  },
  {
    name: 'one owner of another cluster next to one of this',
    owners: [owner('prod'), owner('shop')],
    mismatch: undefined,
  },
  { name: 'an owner that cannot be read', owners: ['somebody'], mismatch: undefined },
  {
    name: 'an owner of another cluster',
    owners: [owner('prod')],
    mismatch: 'belongs to prod in eu-west-1 of account 123456789012;',
  },
  {
    name: 'an owner of another cluster next to one that cannot be read',
    owners: ['somebody', owner('prod')],
    mismatch: 'belongs to prod in eu-west-1 of account 123456789012;',
  },
  {
    name: 'owners of two other clusters, each named once',
    owners: [owner('prod'), owner('shop', '999999999999'), owner('prod')],
    mismatch: 'belongs to prod in eu-west-1 of account 123456789012 and shop in eu-west-1 of account 999999999999;',
  },
])('headroom is evidence of a wrong cluster only if none of it is for this one: $name', ({ owners, mismatch }) => {
  const found = clusterMismatch(CONFIG, {}, owners);
  if (mismatch === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(mismatch);
});
