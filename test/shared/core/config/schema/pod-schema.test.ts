import { CLUSTER, load, pool, problemsIn } from '../config-text';

const problemOf = (line: string) =>
  problemsIn(pool('max: 3', line)).map((text) => text.replace(/^headroom\.yaml:\d+:\d+: /, ''));

test.each([
  {
    name: 'a label of Headstart',
    line: 'podLabels: {headstart.dev/headroom: other}',
    problem: `nodePools.web.podLabels["headstart.dev/headroom"] is Headstart's own; leave it out`,
  },
  {
    name: 'the label that marks what Headstart manages',
    line: 'podLabels: {app.kubernetes.io/managed-by: helm}',
    problem: `nodePools.web.podLabels["app.kubernetes.io/managed-by"] is Headstart's own; leave it out`,
  },
  {
    name: 'the label of the ReplicaSet controller',
    line: 'podLabels: {pod-template-hash: x}',
    problem: "nodePools.web.podLabels.pod-template-hash is Kubernetes' own; leave it out",
  },
  {
    name: 'an annotation that pins nodes under Karpenter',
    line: 'podAnnotations: {karpenter.sh/do-not-disrupt: "true"}',
    problem:
      'nodePools.web.podAnnotations["karpenter.sh/do-not-disrupt"] would change what Karpenter does with the node; leave it out',
  },
  {
    name: 'an annotation that pins nodes under Cluster Autoscaler',
    line: 'podAnnotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: "false"}',
    problem:
      'nodePools.web.podAnnotations["cluster-autoscaler.kubernetes.io/safe-to-evict"] would keep the node from being removed; leave it out',
  },
  {
    name: 'a key that Kubernetes refuses',
    line: 'podLabels: {"a b": c}',
    problem: 'nodePools.web.podLabels["a b"] is not a valid key; write one such as team or example.com/team',
  },
  {
    name: 'a key that is too long',
    line: `podAnnotations: {${'k'.repeat(64)}: v}`,
    problem: `nodePools.web.podAnnotations["${'k'.repeat(57)}..."] is not a valid key; write one such as team or example.com/team`,
  },
  {
    name: 'a label value that Kubernetes refuses',
    line: 'podLabels: {team: "team one"}',
    problem: 'nodePools.web.podLabels.team is "team one"; write a label value: up to 63 letters, digits, -, _ and .',
  },
  {
    name: 'a number instead of text',
    line: 'podLabels: {cost-center: 4711}',
    problem: 'nodePools.web.podLabels.cost-center is 4711; write a map of text to text, such as {team: team1}',
  },
  {
    name: 'a pull secret as Kubernetes writes it',
    line: 'imagePullSecrets: [{name: registry}]',
    problem:
      'nodePools.web.imagePullSecrets[0] is {"name":"registry"}; write the name of a Secret in the headroom namespace, such as registry-credentials',
  },
])('refuses $name, and says what to write', ({ line, problem }) => {
  expect(problemOf(line)).toEqual([problem]);
});

test('an annotation may hold any text', () => {
  const text = JSON.stringify({ any: 'thing', of: 'a policy' });
  expect(problemOf(`podAnnotations: {example.com/policy: '${text}'}`)).toEqual([]);
});

test('labels of a NodePool are added to those of defaults, and win', () => {
  const { config } = load(
    `${CLUSTER}defaults: {max: 3, podLabels: {team: platform, tier: low}, imagePullSecrets: [a]}
nodePools:
  web: {podLabels: {team: shop}, imagePullSecrets: [b]}
  batch: {}
`,
  );
  expect(config.headrooms).toMatchObject([
    { podLabels: { team: 'shop', tier: 'low' }, imagePullSecrets: ['b'] },
    { podLabels: { team: 'platform', tier: 'low' }, imagePullSecrets: ['a'] },
  ]);
});
