import { CLUSTER, problemsIn } from '../config-text';

describe('loadConfig on a config with mistakes', () => {
  test('names every mistake of a file at once, with line and column', () => {
    const text = [
      'cluster:',
      '  name: demo',
      '  region: seoul',
      '  namespace: kube-system',
      'nodePools:',
      '  web:',
      '    max: 4',
      '    leedTime: 5m',
      '    schedules:',
      '      - {name: lunch, timezone: Asia/Soul, start: 0 11 * * *, end: 0 13 * * *, desiredReplicas: 9}',
      'heartbeat: 90s',
    ].join('\n');

    expect(problemsIn(text)).toEqual([
      'headroom.yaml:3:3: cluster.region is "seoul"; write the AWS region, such as ap-northeast-2',
      'headroom.yaml:4:3: cluster.namespace is "kube-system"; write a namespace of Headstart\'s own, such as headroom',
      'headroom.yaml:8:5: nodePools.web.leedTime is not a key that Headstart knows; did you mean leadTime?',
      'headroom.yaml:10:23: nodePools.web.schedules[0].timezone is "Asia/Soul"; write an IANA time zone, such as Asia/Seoul or UTC',
      'headroom.yaml:10:80: nodePools.web.schedules[0].desiredReplicas is 9, above max 4; write at most 4 or raise max',
      'headroom.yaml:11:1: heartbeat is "90s"; write whole minutes, such as 1m',
    ]);
  });

  test('says everything that is wrong with one name', () => {
    expect(problemsIn(`cluster: {name: demo, region: eu-west-1}\nnodePools: {${'Web'.repeat(20)}: {max: 1}}`)).toEqual([
      expect.stringMatching(
        / is not a valid name; write a NodePool name of at most 54 characters; write the NodePool name in lower case, as in the cluster$/,
      ),
    ]);
  });

  test('applies the rules across keys also where maps and lists are something else', () => {
    const text = [
      'cluster: demo',
      'nodePools:',
      '  Web:',
      '    max: 2',
      '    base: 3',
      '    schedules: lunch',
      '    alarms: [5, {alarmName: a, add: 1}, {alarmName: a, add: 1}]',
      '    tolerations: {}',
      '    pool: {disruption: 7, zones: a, taints: [{key: team, effect: NoSchedule}]}',
      'karpenter: {manage: true, nodeRole: false, helm: true}',
    ].join('\n');

    expect(problemsIn(text)).toEqual([
      'headroom.yaml:1:1: cluster is "demo"; write {name: ..., region: ...} of the EKS cluster',
      'headroom.yaml:3:3: nodePools.Web is not a valid name; write the NodePool name in lower case, as in the cluster',
      'headroom.yaml:5:5: nodePools.Web.base is 3, above max 2; write at most 2 or raise max',
      'headroom.yaml:6:5: nodePools.Web.schedules is "lunch"; write a list of windows',
      'headroom.yaml:7:14: nodePools.Web.alarms[0] is 5; write {alarmName, add} or {name, metric, threshold, add}',
      'headroom.yaml:7:41: nodePools.Web.alarms[2] names "a" a second time; write it once',
      'headroom.yaml:8:5: nodePools.Web.tolerations is {}; write a list of tolerations',
      'headroom.yaml:8:5: nodePools.Web.tolerations does not tolerate the taint team:NoSchedule of its own pool block; write {key: team, operator: Exists}, or leave tolerations out',
      'headroom.yaml:9:5: nodePools.Web.pool.role is missing, and karpenter creates no node role; write the name of the node role, such as KarpenterNodeRole-my-cluster',
      'headroom.yaml:9:12: nodePools.Web.pool.disruption is 7; write {consolidationPolicy, consolidateAfter, budgets}',
      'headroom.yaml:9:27: nodePools.Web.pool.zones is "a"; write a list of zones, such as [a, c] or [ap-northeast-2a, ap-northeast-2c]',
      'headroom.yaml:10:27: karpenter.nodeRole is false, but the controller role must name the role that it passes to nodes; write its name',
      'headroom.yaml:10:44: karpenter.helm is true; write {install: true, nodeGroup: default, kubectlLayerArn: ...}',
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

test('looks below a NodePool with an invalid name too', () => {
  const text = `cluster: {name: shop, region: eu-central-1}
nodePools:
  Bad_Name:
    max: -1
    fo: 1
    schedules: [{timezone: Asia/Seol, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 3}]
  web: {max: x}
`;
  expect(problemsIn(text)).toEqual([
    'headroom.yaml:3:3: nodePools.Bad_Name is not a valid name; write the NodePool name in lower case, as in the cluster',
    'headroom.yaml:4:5: nodePools.Bad_Name.max is -1; write a whole number from 0 to 5000',
    expect.stringContaining('headroom.yaml:5:5: nodePools.Bad_Name.fo is not a key that Headstart knows'),
    expect.stringContaining('headroom.yaml:6:18: nodePools.Bad_Name.schedules[0].timezone is "Asia/Seol"'),
    'headroom.yaml:7:9: nodePools.web.max is "x"; write a whole number from 0 to 5000',
  ]);
});
