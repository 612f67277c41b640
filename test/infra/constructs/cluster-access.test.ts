import { comesAfter, rightsOf, shown, synthAccess } from './synth-access';

const ENTRY = 'AWS::EKS::AccessEntry';
const OBJECTS = 'Custom::HeadstartClusterObjects';
const ENDPOINT = 'Custom::HeadstartClusterEndpoint';
const DEPLOY = 'Custom::HeadstartDeployReconcile';
const CLUSTER_ARN = 'arn:<AWS::Partition>:eks:ap-northeast-2:<AWS::AccountId>:cluster/demo';

const made = synthAccess();
const entries = made.ids(ENTRY).map((id) => ({ id, properties: made.resources[id]?.Properties ?? {} }));
const runtime = entries.filter(({ properties }) => properties.KubernetesGroups !== undefined);
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

  test('one more for the function that applies the objects, which alone is cluster admin', () => {
    expect(admin.map(({ properties }) => properties)).toEqual([
      {
        ClusterName: 'demo',
        PrincipalArn: { 'Fn::GetAtt': [roleOf(OBJECTS), 'Arn'] },
        Type: 'STANDARD',
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
    { type: OBJECTS, rights: common },
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
      Description: "Applies Headstart's namespace, PriorityClass and RBAC to demo, at deploys only",
      Environment: { Variables: environment },
    });
  });

  test('outputs say what the deploy did and what it leaves to people', () => {
    expect(Object.values(made.outputs).map(({ Value }) => shown(Value))).toEqual(
      expect.arrayContaining([`<${made.only(OBJECTS).id}.LeftToDelete>`, `<${made.only(DEPLOY).id}.Outcome>`]),
    );
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

  test('of a pool block or the namespace applies the objects again', () => {
    const rest = 'karpenter: {manage: false, nodeRole: nodes}';
    const pool = synthAccess({ rest, nodePools: 'default: {max: 4, pool: {family: [m7g]}}' });
    const namespace = synthAccess({ cluster: ', namespace: warm' });
    expect(new Set([made, pool, namespace].map(objectsOf)).size).toBe(3);
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

test('in a VPC the function that applies runs there, and the two that only ask AWS do not', () => {
  const placement = { subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] };
  const placed = synthAccess({ cluster: ', vpc: {subnetIds: [subnet-0a1b2c3d]}', placement });
  const inVpc = placed.ids('AWS::Lambda::Function').filter((id) => placed.resources[id]?.Properties.VpcConfig);
  expect(inVpc).toEqual([expect.stringContaining('AccessObjects')]);
  expect(placed.only(DEPLOY).Properties.placed).toBe('true');
});
