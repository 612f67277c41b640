import { CLUSTER, problemsIn } from '../config-text';

describe('loadConfig on a config with mistakes', () => {
  test('says everything that is wrong with one name', () => {
    expect(problemsIn(`cluster: {name: demo, region: eu-west-1}\nnodePools: {${'Web'.repeat(20)}: {max: 1}}`)).toEqual([
      expect.stringMatching(
        / is not a valid name; write a key of at most 37 characters, and the whole name of the NodePool in nodePool: below it; write the NodePool name in lower case, as in the cluster$/,
      ),
    ]);
  });

  // The rules themselves are in said.txt, below a cluster and a NodePool.
  test.each([
    { name: 'an empty file', text: '', says: '1:1: is missing; write a map with cluster and nodePools' },
    {
      name: 'no cluster',
      text: 'nodePools: {web: {max: 1}}',
      says: '1:1: cluster is missing; write {name: ..., region: ...}',
    },
    { name: 'no NodePool', text: `${CLUSTER}nodePools: {}`, says: '2:1: nodePools is {}; write at least one NodePool' },
    {
      name: 'an account as a number',
      text: 'cluster: {name: d, region: eu-west-1, account: 123456789012}\nnodePools: {a: {max: 1}}',
      says: '1:39: cluster.account is 123456789012; write the 12-digit account in quotes',
    },
  ])('fails on $name and says what to write', ({ text, says }) => {
    expect(problemsIn(text)).toEqual([expect.stringContaining(`headroom.yaml:${says}`)]);
  });
});
