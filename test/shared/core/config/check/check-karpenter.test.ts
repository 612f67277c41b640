import { problemsIn } from '../../karpenter/config-of';

const LAYER = 'arn:aws:lambda:ap-northeast-2:123456789012:layer:kubectl:1';
const at = (karpenter: object, cluster: object = {}) =>
  problemsIn({ cluster, karpenter: { manage: true, ...karpenter } }).map((text) => text.replace(/^karpenter\./, ''));

test.each([
  {
    name: 'IRSA without the issuer',
    karpenter: { identity: 'irsa' },
    problem:
      'oidcIssuer is missing, and identity irsa needs it; write what this prints: aws eks describe-cluster --name <cluster> --query cluster.identity.oidc.issuer --output text',
  },
  {
    name: 'an issuer without IRSA',
    karpenter: { oidcIssuer: 'oidc.example/id/1' },
    problem: 'oidcIssuer is for identity irsa; write identity: irsa, or leave it out',
  },
  {
    name: 'the Pod Identity agent with IRSA',
    karpenter: { identity: 'irsa', oidcIssuer: 'oidc.example/id/1', podIdentityAgent: true },
    problem: 'podIdentityAgent is for identity pod-identity; leave it out with irsa',
  },
  {
    name: 'a controller role that can pass no role',
    karpenter: { nodeRole: false },
    problem: 'nodeRole is false, but the controller role must name the role that it passes to nodes; write its name',
  },
  {
    name: 'access for no role',
    karpenter: { nodeRole: false, controllerRole: false, nodeAccess: 'entry' },
    problem:
      'nodeAccess has no node role to give access to; write the name of the role in nodeRole, or nodeAccess: none',
  },
  {
    name: 'an instance profile for no role',
    karpenter: { nodeRole: false, controllerRole: false, instanceProfile: true },
    problem: 'instanceProfile has no node role to hold; write the name of the role in nodeRole',
  },
  {
    name: 'a release without a layer',
    karpenter: { helm: { install: true } },
    problem:
      'helm.kubectlLayerArn is missing, and the release needs a Lambda layer with kubectl and helm; write its ARN, or install: false and run the command that the deploy prints',
  },
  {
    name: 'a release without a controller role',
    karpenter: { controllerRole: false, helm: { install: true, kubectlLayerArn: LAYER } },
    problem:
      'helm.install is true, but the controller would have no role; write true or a name in karpenter.controllerRole',
  },
  {
    name: 'a version with a v',
    karpenter: { version: 'v1.14.1' },
    problem: 'version is "v1.14.1"; write a Karpenter version such as 1.14.1, without v',
  },
  {
    name: 'an unknown way to find subnets',
    karpenter: { discovery: { subnets: 'all' } },
    problem: 'discovery.subnets is "all"; write node-groups, none or a list of subnet ids such as [subnet-0a1b2c3d]',
  },
  {
    name: 'an instance profile without the name of the role in it',
    karpenter: { instanceProfile: 'mine' },
    problem:
      'nodeRole is not named, and nodes run as the role in the instance profile "mine"; write the name of that role',
  },
  {
    name: 'an instance profile beside a role that is created',
    karpenter: { instanceProfile: 'mine', nodeRole: true },
    problem:
      'nodeRole is not named, and nodes run as the role in the instance profile "mine"; write the name of that role',
  },
  {
    name: 'a node role by the ARN of something else',
    karpenter: { nodeRole: 'arn:aws:iam::123456789012:instance-profile/mine' },
    problem:
      'nodeRole is "arn:aws:iam::123456789012:instance-profile/mine"; write true to create the node role, false to leave it out, or the name of one that exists, such as KarpenterNodeRole-my-cluster, or its ARN',
  },
])('$name is one problem, with what to write', ({ karpenter, problem }) => {
  expect(at(karpenter)).toEqual([problem]);
});

test.each([
  { name: 'a named instance profile and the role in it', karpenter: { instanceProfile: 'mine', nodeRole: 'nodes' } },
  { name: 'roles by ARN, with a path', karpenter: { nodeRole: 'arn:aws-cn:iam::123456789012:role/eks/prod/nodes' } },
])('$name is no problem', ({ karpenter }) => {
  expect(at(karpenter)).toEqual([]);
});

test('an access entry goes with access entries only', () => {
  expect(at({ nodeAccess: 'entry' }, { access: 'manual' })).toEqual([
    'nodeAccess is "entry", but cluster.access is manual, which makes no access entries; write aws-auth or none',
  ]);
});

test('a release needs access entries', () => {
  expect(at({ helm: { install: true, kubectlLayerArn: LAYER } }, { access: 'manual' })).toEqual([
    'helm.install is true, but with cluster.access manual no function has access to the cluster; write false and run the printed command',
  ]);
});

test('values of the chart are a map', () => {
  expect(at({ helm: { install: false, values: ['a'] } })).toEqual([
    'helm.values is ["a"]; write values of Karpenter\'s chart as a map, such as {settings: {isolatedVPC: true}}',
  ]);
  expect(at({ helm: { install: false, values: { settings: { isolatedVPC: true }, tolerations: [] } } })).toEqual([]);
});

test('a block that is switched off is not judged', () => {
  expect(at({ manage: false, identity: 'irsa', nodeRole: false, helm: { install: true } })).toEqual([]);
});
