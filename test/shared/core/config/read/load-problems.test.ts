import { formatProblem } from '../../../../../shared/core/config/yaml/problem';
import { CLUSTER, load, pool, problemsIn } from '../config-text';

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

  test.each([
    { name: 'YAML that cannot be read', text: 'cluster: [', says: 'is not valid YAML' },
    {
      name: 'a key written twice',
      text: `${CLUSTER}${CLUSTER}`,
      says: 'headroom.yaml:2:1: "cluster" is written twice; write it once',
    },
    { name: 'an empty file', text: '', says: 'is missing; write a map with cluster and nodePools' },
    {
      name: 'no cluster',
      text: 'nodePools: {web: {max: 1}}',
      says: 'cluster is missing; write {name: ..., region: ...}',
    },
    { name: 'no NodePool', text: `${CLUSTER}nodePools: {}`, says: 'write at least one NodePool' },
    { name: 'a NodePool without max', text: pool('base: 1'), says: 'nodePools.web has no max' },
    { name: 'a base above max', text: pool('max: 2', 'base: 3'), says: 'base is 3, above max 2' },
    {
      name: 'a lead of half a minute',
      text: pool('max: 2', 'leadTime: 90s'),
      says: 'leadTime is "90s"; write whole minutes',
    },
    {
      name: 'both units',
      text: pool('max: 2', 'unit: {node: {cpu: 1}, slice: {cpu: 1}}'),
      says: '{node: {cpu, memory}} (free room, one per node) or {slice',
    },
    {
      name: 'a quantity that is none',
      text: pool('max: 2', 'unit: {node: {cpu: lots}}'),
      says: 'unit.node.cpu is "lots"; write a Kubernetes quantity',
    },
    {
      name: 'a request for no resource that there is',
      text: pool('max: 2', 'unit: {node: {cpu: 1, memroy: 2Gi}}'),
      says: 'headroom.yaml:5:27: nodePools.web.unit.node.memroy is not a valid name; write cpu, memory, ephemeral-storage or a name such as nvidia.com/gpu',
    },
    {
      name: 'In without values',
      text: pool('max: 2', 'nodeAffinity: [{key: team, operator: In}]'),
      says: 'nodeAffinity[0].values is missing; write the values that are allowed',
    },
    {
      name: 'NotIn without values',
      text: pool('max: 2', 'nodeAffinity: [{key: team, operator: NotIn, values: []}]'),
      says: 'nodeAffinity[0].values is missing; write the values that are excluded',
    },
    {
      name: 'Exists with values',
      text: pool('max: 2', 'nodeAffinity: [{key: team, operator: Exists, values: [a]}]'),
      says: 'nodeAffinity[0].values does not go with Exists; leave it out',
    },
    {
      name: 'a comparison with two values',
      text: pool('max: 2', 'nodeAffinity: [{key: cores, operator: Gt, values: [4, 8]}]'),
      says: 'nodeAffinity[0].values does not go with Gt; write one whole number',
    },
    {
      name: 'a toleration of a value without key',
      text: pool('max: 2', 'tolerations: [{operator: Equal, value: x}]'),
      says: 'tolerations[0].key is missing; write the key of the taint',
    },
    {
      name: 'more surges than a cluster can want',
      text: pool('max: 2', 'interruptions: {max: 501}'),
      says: 'interruptions.max is 501; write a whole number from 0 to 500',
    },
    {
      name: 'an account as a number',
      text: 'cluster: {name: d, region: eu-west-1, account: 123456789012}\nnodePools: {a: {max: 1}}',
      says: 'in quotes',
    },
    { name: 'an upper-case NodePool', text: `${CLUSTER}nodePools: {Web: {max: 1}}`, says: 'in lower case' },
    {
      name: 'a window with start only',
      text: pool('max: 2', 'schedules: [{timezone: UTC, start: 0 8 * * *, desiredReplicas: 1}]'),
      says: 'end is missing',
    },
    {
      name: 'a hold without its unit',
      text: pool('max: 2', 'interruptions: {hold: 90}'),
      says: 'interruptions.hold is 90; write a duration',
    },
    {
      name: 'a window without any time',
      text: pool('max: 2', 'schedules: [{timezone: UTC, desiredReplicas: 1}]'),
      says: 'start is missing; write start and end (cron), or from and to (local times)',
    },
    {
      name: 'a window that is both',
      text: pool(
        'max: 2',
        'schedules: [{timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, from: 2026-11-27T08:00, to: 2026-11-27T09:00, desiredReplicas: 1}]',
      ),
      says: 'does not go with start and end',
    },
    {
      name: 'a window whose name has control characters',
      text: pool(
        'max: 2',
        'schedules: [{name: "lu\\u0001ch", timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 1}]',
      ),
      says: 'write it without control characters',
    },
    {
      name: 'a window that never closes',
      text: pool('max: 2', 'schedules: [{timezone: UTC, start: 0 8 * * *, end: 0 8 * * *, desiredReplicas: 1}]'),
      says: 'would never close',
    },
    {
      name: 'a one-off that ends before it starts',
      text: pool(
        'max: 2',
        'schedules: [{timezone: UTC, from: 2026-11-27T08:00, to: 2026-11-27T07:00, desiredReplicas: 1}]',
      ),
      says: 'is not after from',
    },
    {
      name: 'a date that does not exist',
      text: pool(
        'max: 2',
        'schedules: [{timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 1, excludeDates: [2026-13-01]}]',
      ),
      says: 'write a date such as',
    },
    {
      name: 'a day that its month does not have',
      text: pool(
        'max: 2',
        'schedules: [{timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 1, excludeDates: [2026-02-30]}]',
      ),
      says: 'excludeDates[0] is "2026-02-30"; write a date such as',
    },
    {
      name: 'a local time on a day that its month does not have',
      text: pool(
        'max: 2',
        'schedules: [{timezone: UTC, from: 2026-02-30T08:00, to: 2026-03-04T08:00, desiredReplicas: 1}]',
      ),
      says: 'from is "2026-02-30T08:00"; write a local time such as',
    },
    {
      name: 'a window that never closes, written in two ways',
      text: pool('max: 2', 'schedules: [{timezone: UTC, start: 0 9 * * *, end: 00 9 * * *, desiredReplicas: 1}]'),
      says: 'would never close',
    },
    {
      name: 'two windows of one name',
      text: pool(
        'max: 2',
        'schedules: [{name: a, timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 1}, {name: a, timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 1}]',
      ),
      says: 'which is taken',
    },
    {
      name: 'an alarm that looks back for more than a day',
      text: pool(
        'max: 2',
        'alarms: [{name: p95, metric: {namespace: A, name: B, period: 5m, evaluationPeriods: 289}, threshold: "> 1", add: 1}]',
      ),
      says: 'metric.evaluationPeriods is 289 periods of 5m, and CloudWatch looks back one day at most; write at most 288',
    },
    {
      name: 'an alarm that looks back for more than a week',
      text: pool(
        'max: 2',
        'alarms: [{name: p95, metric: {namespace: A, name: B, period: 1h, evaluationPeriods: 169}, threshold: "> 1", add: 1}]',
      ),
      says: 'metric.evaluationPeriods is 169 periods of 1h, and CloudWatch looks back seven days at most; write at most 168',
    },
    { name: 'an alarm without a name', text: pool('max: 2', 'alarms: [{add: 1}]'), says: 'alarmName is missing' },
    {
      name: 'an alarm to create without threshold',
      text: pool('max: 2', 'alarms: [{name: p95, metric: {namespace: A, name: B}, add: 1}]'),
      says: 'threshold is missing',
    },
    {
      name: 'a threshold that is no comparison',
      text: pool('max: 2', 'alarms: [{name: p95, metric: {namespace: A, name: B}, threshold: 100, add: 1}]'),
      says: 'write a comparison in quotes',
    },
    {
      name: 'a metric without a period',
      text: pool(
        'max: 2',
        'alarms: [{name: p95, metric: {namespace: A, name: B, period: 0m}, threshold: "> 1", add: 1}]',
      ),
      says: 'period is "0m"; write 10s, 20s, 30s or whole minutes',
    },
    {
      name: 'an unknown interruption',
      text: pool('max: 2', 'interruptions: {on: [meteor]}'),
      says: 'write capacityReservation, health, rebalance, spot or stateChange',
    },
  ])('fails on $name and says what to write', ({ text, says }) => {
    expect(problemsIn(text).join('\n')).toContain(says);
  });

  test.each([
    {
      name: 'windows that leave boosts and surges no room',
      lines: [
        'max: 6',
        'leadTime: 5m',
        'schedules: [{timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 6}]',
        'alarms: [{alarmName: x, add: 2}]',
      ],
      says: 'write 8 or they will be cut',
    },
    {
      name: 'nodes to add that leave boosts and surges no room',
      lines: [
        'max: 6',
        'unit: {floor: {cpu: 4}}',
        'schedules: [{name: a, timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, addNodes: 5}]',
        'base: 3',
        'alarms: [{alarmName: x, add: 2}]',
      ],
      says: 'max is 6: a window adds 5 nodes, boosts and surges for up to 2 more; write 7 or they will be cut',
    },
    {
      name: 'boosts of a floor',
      lines: ['max: 6', 'unit: {floor: {cpu: 4}}', 'alarms: [{alarmName: x, add: 2}]'],
      says: 'alarms raise a floor, which counts the nodes that exist',
    },
    {
      name: 'surges of a floor',
      lines: ['max: 6', 'unit: {floor: {cpu: 4}}', 'interruptions: {}'],
      says: 'interruptions raise a floor, which replaces a lost node by itself',
    },
    {
      name: 'a lead under two minutes',
      lines: ['max: 6', 'schedules: [{timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: 6}]'],
      says: 'leadTime is 0s',
    },
    {
      name: 'a pool that mixes architectures',
      lines: ['max: 6', 'pool: {role: nodes, arch: [amd64, arm64]}'],
      says: 'mixes architectures',
    },
  ])('warns about $name', ({ lines, says }) => {
    expect(
      load(pool(...lines))
        .warnings.map(formatProblem)
        .join('\n'),
    ).toContain(says);
  });

  test('sizes and nodes to add are bounded by max apart from each other', () => {
    const { warnings } = load(
      pool(
        'max: 8',
        'leadTime: 5m',
        'unit: {floor: {cpu: 4}}',
        'base: 6',
        'schedules: [{name: a, timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, addNodes: 6}]',
        'alarms: [{alarmName: x, add: 2}]',
      ),
    );
    expect(warnings.map(({ path }) => path)).toEqual(['nodePools.web.alarms']);
  });

  test('does not warn about a pool that says which architecture it means', () => {
    const { warnings } = load(
      pool('max: 6', 'nodeSelector: {kubernetes.io/arch: arm64}', 'pool: {role: nodes, arch: [amd64, arm64]}'),
    );
    expect(warnings).toEqual([]);
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
