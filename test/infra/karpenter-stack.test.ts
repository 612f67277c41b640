import { golden } from '../golden/golden';
import { describeChange, describeStack } from './describe-stack';
import { configOf, synthesizedKarpenter } from './synthesized';

const said = golden(`${__dirname}/karpenter-stack.txt`);

/** A cluster whose `karpenter` block has `manage: true` and more, and whose NodePool has a `pool` block if there is one. */
function made({
  karpenter = '',
  cluster = '',
  pool = '',
  more = '',
}: Partial<Record<'karpenter' | 'cluster' | 'pool' | 'more', string>> = {}) {
  const text = `cluster: { name: demo, region: eu-central-1${cluster} }
karpenter: { manage: true${karpenter} }
nodePools: { default: { max: 4${pool} } }
${more}\n`;
  return synthesizedKarpenter(configOf(text));
}

const base = made();
const LAYER = 'arn:aws:lambda:eu-central-1:123456789012:layer:kubectl:1';
const HELM = `, helm: { install: true, nodeGroup: platform, kubectlLayerArn: "${LAYER}" }`;
const ARN = 'arn:aws:iam::123456789012:role/eks/prod';
const IN_VPC = ', vpc: { subnetIds: [subnet-1, subnet-2] }';

test('the smallest karpenter block', () => said(describeStack(base)));

test.each([
  { name: 'Helm', karpenter: HELM },
  {
    name: 'IRSA',
    karpenter:
      ', identity: irsa, oidcIssuer: "https://oidc.example/id/1", namespace: karpenter, serviceAccount: controller',
  },
  { name: 'no Pod Identity agent', karpenter: ', podIdentityAgent: false' },
  { name: 'an existing queue', karpenter: ', queue: my-queue' },
  { name: 'no queue', karpenter: ', queue: false' },
  { name: 'an existing controller role', karpenter: ', controllerRole: mine' },
  { name: 'no controller role', karpenter: ', controllerRole: false' },
  { name: 'an existing node role', karpenter: ', nodeRole: mine' },
  {
    name: 'existing roles by ARN',
    karpenter: `, nodeRole: "${ARN}/nodes", nodeAccess: entry, controllerRole: true, instanceProfile: true`,
    pool: `, pool: { role: "${ARN}/own" }`,
  },
  {
    name: 'an existing node role by ARN in aws-auth',
    karpenter: `, nodeRole: "${ARN}/nodes", nodeAccess: aws-auth`,
    cluster: ', access: manual',
  },
  {
    name: 'an existing controller role by ARN',
    karpenter: `, controllerRole: "${ARN}/karpenter", identity: irsa, oidcIssuer: oidc.example/id/1`,
  },
  { name: 'an instance profile', karpenter: ', instanceProfile: true' },
  { name: 'an existing instance profile', karpenter: ', instanceProfile: mine, nodeRole: nodes, nodeAccess: entry' },
  { name: 'the role for spot instances', karpenter: ', spotServiceLinkedRole: true' },
  { name: 'discovery by id', karpenter: ', discovery: { subnets: [subnet-1], securityGroups: launch-template }' },
  { name: 'no discovery', karpenter: ', discovery: { subnets: none, securityGroups: none }' },
  { name: 'manual access', cluster: ', access: manual' },
  { name: 'a pool block with a role of its own', pool: ', pool: { role: own }' },
  { name: 'a pool block with an instance profile', pool: ', pool: { instanceProfile: own-nodes, role: inside }' },
  {
    name: 'a pool block with images from parameters',
    pool: ', pool: { amiFamily: AL2023, amiSelector: [{ ssmParameter: /shop/build-ami }, { ssmParameter: /aws/service/eks/ami }] }',
  },
])('$name changes', ({ name, ...written }) => said(`${name} changes`, describeChange(base, made(written))));

describe('with Helm,', () => {
  const helm = made({ karpenter: HELM });
  const KEY = 'arn:aws:kms:eu-central-1:123456789012:key/0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9';
  test.each([
    { name: 'a VPC', cluster: IN_VPC },
    { name: 'a VPC with security groups', cluster: IN_VPC.replace(' }', ', securityGroupIds: [sg-1] }') },
    { name: 'adopting a release', karpenter: HELM.replace(' }', ', adopt: true }') },
    { name: 'IRSA', karpenter: `${HELM}, identity: irsa, oidcIssuer: oidc.example/id/1` },
    { name: 'a layer that is not to be used', karpenter: HELM.replace('install: true', 'install: false') },
    { name: 'a pool block', pool: ', pool: { family: [m7g] }' },
    {
      name: 'key, retention and architecture',
      more: `stack: { kmsKeyArn: "${KEY}", logRetentionDays: 90, architecture: x86_64 }`,
    },
  ])('$name changes', ({ name, ...written }) =>
    said(`with Helm, ${name} changes`, describeChange(helm, made({ karpenter: HELM, ...written }))),
  );
});
