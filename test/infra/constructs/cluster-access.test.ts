import { comesAfter, rightsOf, shown, synthAccess } from './synth-access';

const ENTRY = 'AWS::EKS::AccessEntry';
const OBJECTS = 'Custom::HeadstartClusterObjects';
const ENDPOINT = 'Custom::HeadstartClusterEndpoint';
const DEPLOY = 'Custom::HeadstartDeployReconcile';
const CLUSTER_ARN = 'arn:<AWS::Partition>:eks:ap-northeast-2:<AWS::AccountId>:cluster/demo';

const made = synthAccess();
const entries = made.ids(ENTRY).map((id) => ({ id, properties: made.resources[id]?.Properties ?? {} }));
const changer = made.ids('AWS::Lambda::Function').find((id) => id.includes('ObjectsChange')) ?? '';
const runtime = entries.filter(({ properties }) => properties.AccessPolicies === undefined);
const admin = entries.filter(({ properties }) => properties.AccessPolicies !== undefined);

/** The role that a function with this custom resource runs under. */
function roleOf(type: string): string {
  const { ServiceToken } = made.only(type).Properties;
  const functionId = shown(ServiceToken).replace(/^<|\.Arn>$/g, '');
  return shown(made.resources[functionId]?.Properties.Role).replace(/^<|\.Arn>$/g, '');
}

describe('access entries', () => {
  test('one per function, all mapped to the one group and nothing else', () => {
    expect(runtime.map(({ properties }) => properties)).toEqual(
      ['reconcile', 'inflate'].map((name) => ({
        ClusterName: 'demo',
        PrincipalArn: { 'Fn::GetAtt': [expect.stringContaining(`${name}Role`), 'Arn'] },
        Type: 'STANDARD',
        KubernetesGroups: ['headstart:headroom'],
      })),
    );
  });

  test('one more for the function that talks to the cluster at deploys, which alone is cluster admin at first', () => {
    expect(admin.map(({ properties }) => properties)).toEqual([
      {
        ClusterName: 'demo',
        PrincipalArn: { 'Fn::GetAtt': [expect.stringContaining('ObjectsChangeRole'), 'Arn'] },
        Type: 'STANDARD',
        KubernetesGroups: ['headstart:headroom:deploy'],
        AccessPolicies: [
          {
            PolicyArn: {
              'Fn::Join': [
                '',
                ['arn:', { Ref: 'AWS::Partition' }, ':eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy'],
              ],
            },
            AccessScope: { Type: 'cluster' },
          },
        ],
      },
    ]);
  });

  test('come in an order that works, and go in the reverse', () => {
    const [objects, endpoint, deploy] = [OBJECTS, ENDPOINT, DEPLOY].map((type) => made.only(type).id) as [
      string,
      string,
      string,
    ];
    const [{ id: adminId } = { id: '' }] = admin;
    const pairs = [
      [adminId, endpoint],
      // EKS refuses a role that IAM has just made; by the time a function has it, IAM knows it everywhere.
      [adminId, changer],
      [objects, adminId],
      ...runtime.flatMap(({ id }) => [
        [id, objects],
        [deploy, id],
      ]),
    ] as [string, string][];
    expect(pairs.filter(([later, earlier]) => !comesAfter(made, later, earlier))).toEqual([]);
    expect(pairs.filter(([later, earlier]) => comesAfter(made, earlier, later))).toEqual([]);
  });

  test.each([{ type: ENDPOINT }, { type: OBJECTS }, { type: DEPLOY }])(
    '$type is called only while its role has its policy',
    ({ type }) => {
      const policies = made.ids('AWS::IAM::Policy').filter((id) => {
        return JSON.stringify(made.resources[id]?.Properties.Roles).includes(roleOf(type));
      });
      expect(policies).not.toEqual([]);
      for (const policy of policies) expect(comesAfter(made, made.only(type).id, policy)).toBe(true);
    },
  );
});

describe('the functions of a deploy may', () => {
  const common = [`eks:DescribeCluster on ${CLUSTER_ARN}`, 'cloudformation:DescribeStacks on <AWS::StackId>'];
  const reconcile = made.ids('AWS::Lambda::Function').find((id) => id.startsWith('reconcile'));
  test.each([
    { type: ENDPOINT, rights: common },
    {
      type: OBJECTS,
      rights: [
        ...common,
        `lambda:InvokeFunction on <${changer}.Arn>`,
        `eks:DisassociateAccessPolicy on <${admin[0]?.id}.AccessEntryArn>`,
        `eks:ListAssociatedAccessPolicies on <${admin[0]?.id}.AccessEntryArn>`,
      ],
    },
    { type: DEPLOY, rights: [...common, `lambda:InvokeFunction on <${reconcile}.Arn>`] },
  ])('$type: read this cluster and this stack, and $rights.2', ({ type, rights }) => {
    expect(rightsOf(made, roleOf(type))).toEqual(rights);
  });
});

describe('custom resources', () => {
  test.each([{ type: ENDPOINT }, { type: OBJECTS }, { type: DEPLOY }])(
    '$type says which cluster and how',
    ({ type }) => {
      expect(made.only(type).Properties).toMatchObject({
        clusterName: 'demo',
        region: 'ap-northeast-2',
        access: 'entry',
        placed: 'false',
      });
    },
  );

  test('a stack does not wait an hour for an answer that never comes', () => {
    const timeouts = [ENDPOINT, OBJECTS, DEPLOY].map((type) => Number(made.only(type).Properties.ServiceTimeout));
    for (const seconds of timeouts) expect(seconds).toBeLessThanOrEqual(15 * 60);
  });

  test('the one of the objects says whose they are, who applies them, and what makes that one admin', () => {
    expect(made.only(OBJECTS).Properties).toMatchObject({
      clusterId: { 'Fn::GetAtt': [made.only(ENDPOINT).id, 'ClusterId'] },
      functionName: { 'Fn::GetAtt': [expect.stringContaining('ObjectsChangeFunction'), 'Arn'] },
      deployer: { 'Fn::GetAtt': [expect.stringContaining('ObjectsChangeRole'), 'Arn'] },
      adminPolicy: {
        'Fn::Join': ['', expect.arrayContaining([expect.stringContaining('AmazonEKSClusterAdminPolicy')])],
      },
    });
  });

  test('the functions get endpoint and CA from the one that reads them', () => {
    const { id } = made.only(ENDPOINT);
    const environment = {
      HEADSTART_ENDPOINT: { 'Fn::GetAtt': [id, 'Endpoint'] },
      HEADSTART_CA: { 'Fn::GetAtt': [id, 'CertificateAuthority'] },
    };
    made.template.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'reconcile',
      Environment: { Variables: environment },
    });
    made.template.hasResourceProperties('AWS::Lambda::Function', {
      Description: "Applies Headstart's namespace, PriorityClass, quota and RBAC to demo, at deploys only",
      Environment: { Variables: environment },
    });
  });

  test('outputs say what the deploy did, and what somebody changed', () => {
    expect(Object.values(made.outputs).map(({ Value }) => shown(Value))).toEqual([
      `<${made.only(OBJECTS).id}.Changed>`,
      `<${made.only(DEPLOY).id}.Outcome>`,
    ]);
  });
});

describe('a change of the config', () => {
  const objectsOf = (made: ReturnType<typeof synthAccess>) => made.only(OBJECTS).Properties.objects;
  const again = synthAccess({ again: '1762000000' });
  const hashOf = (made: ReturnType<typeof synthAccess>) => made.only(DEPLOY).Properties.configHash;

  test('runs the reconcile function and applies the same objects again', () => {
    const other = synthAccess({ nodePools: 'default: {max: 5}' });
    expect(hashOf(other)).not.toEqual(hashOf(made));
    expect(objectsOf(other)).toEqual(objectsOf(made));
    expect(other.only(OBJECTS).Properties.config).not.toEqual(made.only(OBJECTS).Properties.config);
  });

  test('of nothing changes nothing', () => {
    const same = synthAccess();
    expect(same.template.toJSON()).toEqual(made.template.toJSON());
  });

  test.each([{ type: ENDPOINT }, { type: OBJECTS }, { type: DEPLOY }])(
    'is not needed to run $type again: the context value does',
    ({ type }) => {
      expect(made.only(type).Properties).not.toHaveProperty('again');
      expect(again.only(type).Properties).toEqual({ ...made.only(type).Properties, again: '1762000000' });
    },
  );

  test('of the namespace changes the objects', () => {
    expect(objectsOf(synthAccess({ cluster: ', namespace: warm' }))).not.toEqual(objectsOf(made));
  });

  test('of what only Karpenter needs changes nothing here', () => {
    const rest = 'karpenter: {manage: false, nodeRole: nodes}';
    const pool = synthAccess({ rest, nodePools: 'default: {max: 4, pool: {family: [m7g]}}' });
    expect(pool.resources).toEqual(made.resources);
  });

  test.each([
    { name: 'by hand', rest: 'karpenter: {manage: true}', later: 'true' },
    {
      name: 'by us',
      rest: 'karpenter: {manage: true, helm: {install: true, kubectlLayerArn: "arn:aws:lambda:ap-northeast-2:123456789012:layer:kubectl:1"}}',
      later: 'false',
    },
    { name: 'before', rest: '', later: 'false' },
  ])('tells the deploy that Karpenter is installed $name', ({ rest, later }) => {
    expect(synthAccess({ rest }).only(DEPLOY).Properties.karpenterLater).toBe(later);
  });
});

describe('the deploying role', () => {
  const pathOf = (made: ReturnType<typeof synthAccess>) =>
    shown(made.resources[made.ids('AWS::IAM::Role').find((id) => id.includes('ObjectsChange')) ?? '']?.Properties.Path);
  const parts = pathOf(made).split('/');

  test('is named by the cluster that it is for and by a hash of what it grants and applies', () => {
    expect(parts).toEqual([
      '',
      'headstart',
      `<${made.only(ENDPOINT).id}.ClusterId>`,
      expect.stringMatching(/^\w{12}$/),
      '',
    ]);
  });

  test.each([
    { name: 'other objects', other: { cluster: ', namespace: warm' } },
    { name: 'another value of again', other: { again: '1762000000' } },
  ])('is a new one for $name, and with it its access entry', ({ other }) => {
    expect(pathOf(synthAccess(other))).not.toBe(pathOf(made));
    expect(admin[0]?.properties.PrincipalArn).toEqual({
      'Fn::GetAtt': [expect.stringContaining('ObjectsChangeRole'), 'Arn'],
    });
  });

  test('is the same one for a config that changes no object', () => {
    expect(pathOf(synthAccess({ nodePools: 'default: {max: 5}' }))).toBe(pathOf(made));
  });

  test('may do nothing in AWS but describe the cluster', () => {
    const role = made.ids('AWS::IAM::Role').find((id) => id.includes('ObjectsChange')) ?? '';
    expect(rightsOf(made, role)).toEqual([`eks:DescribeCluster on ${CLUSTER_ARN}`]);
  });

  test('nobody in the stack may change anything in EKS but take a policy off that one entry', () => {
    const rights = made.ids('AWS::IAM::Role').flatMap((role) => rightsOf(made, role));
    expect(new Set(rights.filter((right) => right.startsWith('eks:') && !/^eks:(Describe|List)/.test(right)))).toEqual(
      new Set([`eks:DisassociateAccessPolicy on <${admin[0]?.id}.AccessEntryArn>`]),
    );
  });

  test('that policy is cluster admin, and no other', () => {
    const policies = JSON.stringify(Object.values(made.resources).filter(({ Type }) => Type === 'AWS::IAM::Policy'));
    const isAdmin =
      '"Condition":{"ArnEquals":{"eks:policyArn":[^\\s,]*,\\["arn:",{"Ref":"AWS::Partition"},":eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"';
    expect(policies.match(/"eks:DisassociateAccessPolicy"/g)).toHaveLength(1);
    expect(policies).toMatch(new RegExp(`"Action":"eks:DisassociateAccessPolicy",${isAdmin}`));
  });
});

test('in a VPC the function that applies runs there, and the two that only ask AWS do not', () => {
  const placement = { subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] };
  const placed = synthAccess({ cluster: ', vpc: {subnetIds: [subnet-0a1b2c3d]}', placement });
  const inVpc = placed.ids('AWS::Lambda::Function').filter((id) => placed.resources[id]?.Properties.VpcConfig);
  expect(inVpc).toEqual([expect.stringContaining('AccessObjectsChange')]);
  expect(placed.only(DEPLOY).Properties.placed).toBe('true');
});
