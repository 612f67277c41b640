import { KARPENTER_POLICIES } from '../../shared/core/karpenter/karpenter-policy-table';
import { passableRoles, plain, roleNamed, synthKarpenter, trustOf } from './synth-karpenter';

jest.setTimeout(120_000);

const ISSUER = 'oidc.eks.ap-northeast-2.amazonaws.com/id/ABC';

describe('the controller role', () => {
  const made = synthKarpenter();

  test("has Karpenter's six policies, statement by statement, with the cluster's name in the condition keys", () => {
    const words: Record<string, string> = {
      '<AWS::Partition>': 'P',
      '<AWS::AccountId>': 'A',
      'ap-northeast-2': 'R',
      demo: 'C',
    };
    const policies = Object.entries(made.all('AWS::IAM::ManagedPolicy')).map(([id, { Properties }]) => {
      const text = JSON.stringify(plain(Properties.PolicyDocument))
        .replace(/<KarpenterNodesRole\w+\.Arn>/, 'NODE_ROLE')
        .replace(/<KarpenterInterruptionsQueue\w+\.Arn>/, 'QUEUE')
        .replace(/<AWS::Partition>|<AWS::AccountId>|ap-northeast-2|demo/g, (word) => words[word] ?? '');
      return [id.replace(/^KarpenterController|\w{8}$/g, ''), JSON.parse(text)];
    });
    const expected = Object.entries(KARPENTER_POLICIES).map(([name, Statement]) => [
      name,
      { Version: '2012-10-17', Statement },
    ]);
    expect(Object.fromEntries(policies)).toEqual(Object.fromEntries(expected));
  });

  test('holds exactly these policies', () => {
    const ids = Object.keys(made.all('AWS::IAM::ManagedPolicy')).map((id) => `<${id}>`);
    const held = plain(roleNamed(made, 'KarpenterControllerRole')?.Properties.ManagedPolicyArns) as string[];
    expect([...held].sort()).toEqual(ids.sort());
  });

  test('is taken on by Pod Identity', () => {
    const role = roleNamed(made, 'KarpenterControllerRole');
    expect(trustOf(role)).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: 'pods.eks.amazonaws.com' },
        Action: ['sts:AssumeRole', 'sts:TagSession'],
      },
    ]);
    expect(plain(made.only('AWS::EKS::PodIdentityAssociation').Properties)).toEqual({
      ClusterName: 'demo',
      Namespace: 'kube-system',
      ServiceAccount: 'karpenter',
      RoleArn: expect.stringMatching(/^<KarpenterControllerRole\w+\.Arn>$/),
    });
  });

  test('brings the Pod Identity agent, which stays, unless the cluster has it', () => {
    const agent = made.only('AWS::EKS::Addon');
    expect(agent.Properties).toEqual({ ClusterName: 'demo', AddonName: 'eks-pod-identity-agent' });
    expect(agent.DeletionPolicy).toBe('RetainExceptOnCreate');
    synthKarpenter({ podIdentityAgent: false }).template.resourceCountIs('AWS::EKS::Addon', 0);
  });

  test('is taken on by IRSA, for one service account only', () => {
    const irsa = synthKarpenter({
      identity: 'irsa',
      oidcIssuer: `https://${ISSUER}`,
      namespace: 'karpenter',
      serviceAccount: 'controller',
    });
    expect(trustOf(roleNamed(irsa, 'KarpenterControllerRole'))).toEqual([
      {
        Effect: 'Allow',
        Principal: { Federated: `arn:<AWS::Partition>:iam::<AWS::AccountId>:oidc-provider/${ISSUER}` },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: {
          StringEquals: {
            [`${ISSUER}:aud`]: 'sts.amazonaws.com',
            [`${ISSUER}:sub`]: 'system:serviceaccount:karpenter:controller',
          },
        },
      },
    ]);
    irsa.template.resourceCountIs('AWS::EKS::PodIdentityAssociation', 0);
    irsa.template.resourceCountIs('AWS::EKS::Addon', 0);
    expect(irsa.outputs.join('\n')).toMatch(/eks\.amazonaws\.com\/role-arn":"<KarpenterControllerRole\w+\.Arn>"/);
  });

  test('may pass every role that a pool block names, too', () => {
    const nodePools = { default: { max: 1, pool: { role: 'own' } }, other: { max: 1, pool: {} } };
    expect(passableRoles(synthKarpenter({}, { nodePools }))).toEqual([
      expect.stringMatching(/^<KarpenterNodesRole\w+\.Arn>$/),
      'arn:<AWS::Partition>:iam::<AWS::AccountId>:role/own',
    ]);
  });

  test('may pass the role in an instance profile of a pool', () => {
    const nodePools = { default: { max: 1, pool: { instanceProfile: 'own-nodes', role: 'inside' } } };
    expect(passableRoles(synthKarpenter({}, { nodePools }))).toEqual([
      expect.stringMatching(/^<KarpenterNodesRole\w+\.Arn>$/),
      'arn:<AWS::Partition>:iam::<AWS::AccountId>:role/inside',
    ]);
  });

  test('may read the SSM parameters of your own that pools take images from, by one more policy', () => {
    const from = (...names: string[]) => ({
      max: 1,
      pool: { amiFamily: 'AL2023', amiSelector: names.map((ssmParameter) => ({ ssmParameter })) },
    });
    const nodePools = { default: from('/shop/build-ami', '/aws/service/eks/ami'), other: from('/shop/build-ami') };
    const more = synthKarpenter({}, { nodePools });
    const [policies, usual] = [more, made].map(({ all }) => all('AWS::IAM::ManagedPolicy'));
    const added = Object.entries(policies ?? {}).filter(([id]) => !(id in (usual ?? {})));
    expect(added.map(([, { Properties }]) => plain(Properties.PolicyDocument))).toEqual([
      {
        Version: '2012-10-17',
        Statement: [
          {
            Sid: 'AllowReadingAmiParameters',
            Effect: 'Allow',
            Action: 'ssm:GetParameter',
            Resource: ['arn:<AWS::Partition>:ssm:ap-northeast-2:<AWS::AccountId>:parameter/shop/build-ami'],
          },
        ],
      },
    ]);
    expect(policies).toMatchObject(usual ?? {});
    const held = plain(roleNamed(more, 'KarpenterControllerRole')?.Properties.ManagedPolicyArns) as string[];
    expect([...held].sort()).toEqual(
      Object.keys(policies ?? {})
        .map((id) => `<${id}>`)
        .sort(),
    );
  });

  test('can be one that exists: no role, no policy, no association', () => {
    const existing = synthKarpenter({ controllerRole: 'mine' });
    expect(roleNamed(existing, 'KarpenterControllerRole')).toBeUndefined();
    existing.template.resourceCountIs('AWS::IAM::ManagedPolicy', 0);
    existing.template.resourceCountIs('AWS::EKS::PodIdentityAssociation', 0);
    existing.template.resourceCountIs('AWS::EKS::Addon', 0);
  });
});
