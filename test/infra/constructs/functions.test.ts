import { ENVIRONMENT } from '../../../shared/adapters/process/environment';
import { isStatusQuestion, parseOverride } from '../../../shared/core/events/parse-override';
import { overrideIntents } from '../../../shared/core/intents/override-intents';
import { demo, minimal } from '../demo-config';
import { configOf, type Resource, synthesized } from '../synthesized';

const made = synthesized(demo);
const bare = synthesized(minimal);
const CLUSTER = 'arn:aws:eks:eu-central-1:<AWS::AccountId>:cluster/demo';
const RUNTIME = ['Reconcile', 'Alarm', 'Interruption', 'Inflate'];

describe('the functions', () => {
  test.each(RUNTIME)('%s runs on arm64 with a log that is kept for a month', (name) => {
    expect(made.one('AWS::Lambda::Function', `${name}Function`).Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: 512,
      LoggingConfig: { LogGroup: `<${name}Log>` },
      Environment: {
        Variables: {
          [ENVIRONMENT.endpoint]: '<ClusterEndpointFunction.Endpoint>',
          [ENVIRONMENT.certificateAuthority]: '<ClusterEndpointFunction.CertificateAuthority>',
        },
      },
    });
    expect(made.one('AWS::Logs::LogGroup', `${name}Log`).Properties).toEqual({ RetentionInDays: 30 });
  });

  test('those for alarms and interruptions exist only where a NodePool asks for them', () => {
    const names = Object.keys(bare.all('AWS::Lambda::Function'));
    expect(names.filter((name) => /Alarm|Interruption/.test(name))).toEqual([]);
    expect(bare.all('AWS::Events::Rule')).toEqual({});
    expect(Object.keys(bare.all('AWS::SQS::Queue'))).toEqual(['FailuresQueue']);
  });

  test('nothing of Karpenter is made unless asked for', () => {
    expect(Object.keys(bare.resources).filter((id) => /karpenter/i.test(id))).toEqual([]);
    expect(JSON.stringify(bare.resources).replaceAll('karpenterLater', '')).not.toMatch(/karpenter/i);
  });

  test('an outage makes no dead letters of heartbeats: reconcile is neither retried nor dead-lettered', () => {
    const {
      Qualifier: _,
      FunctionName: __,
      ...config
    } = made.one('AWS::Lambda::EventInvokeConfig', 'ReconcileFunction').Properties;
    expect(config).toEqual({ MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 });
  });

  const RETRIED = RUNTIME.filter((name) => name !== 'Reconcile');
  test.each(RETRIED)('%s gives up on an event after ten minutes and hands it to the dead-letter queue', (name) => {
    expect(made.one('AWS::Lambda::EventInvokeConfig', `${name}Function`).Properties).toMatchObject({
      MaximumEventAgeInSeconds: 600,
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnFailure: { Destination: '<FailuresQueue.Arn>' } },
    });
  });
});

describe('the roles', () => {
  const log = (name: string) => ({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resource: `<${name}Log.Arn>`,
  });
  const toFailures = {
    actions: ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'],
    resource: '<FailuresQueue.Arn>',
  };
  const basics = (name: string) => [log(name), toFailures];
  const askAlarms = { actions: ['cloudwatch:DescribeAlarms'], resource: '*' };
  const describe_ = { actions: ['eks:DescribeCluster'], resource: CLUSTER };
  const consume = {
    actions: [
      'sqs:ChangeMessageVisibility',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      'sqs:GetQueueUrl',
      'sqs:ReceiveMessage',
    ],
    resource: '<InterruptionsQueue.Arn>',
  };

  test.each([
    { name: 'Reconcile', allowed: [log('Reconcile'), askAlarms, describe_] },
    { name: 'Inflate', allowed: [...basics('Inflate'), askAlarms, describe_] },
    { name: 'Alarm', allowed: [...basics('Alarm'), askAlarms, describe_] },
    { name: 'Interruption', allowed: [...basics('Interruption'), askAlarms, consume, describe_] },
    {
      name: 'Schedules',
      allowed: [
        {
          actions: ['lambda:InvokeFunction'],
          resource: ['<AccessObjectsFunctionHandlerFunction.Arn>', '<InflateFunction.Arn>', '<ReconcileFunction.Arn>'],
        },
        toFailures,
      ],
    },
  ])('$name may do this and nothing else', ({ name, allowed }) => {
    const policies = Object.values(made.all('AWS::IAM::Policy')).filter(({ Properties }) =>
      Properties.Roles.includes(`<${name}Role>`),
    );
    expect(sorted(policies.flatMap(statementsOf))).toEqual(sorted(allowed));
    expect(made.one('AWS::IAM::Role', `${name}Role`).Properties.ManagedPolicyArns).toBeUndefined();
  });

  test('there are no others but those of the functions that run at deploys, and none may do everything', () => {
    const roles = Object.keys(made.all('AWS::IAM::Role')).map((id) => id.replace(/Role$/, ''));
    expect(roles.sort()).toEqual([
      'AccessObjectsChange',
      'AccessObjectsFunctionHandler',
      'Alarm',
      'ClusterEndpointFunctionHandler',
      'DeployReconcileFunctionHandler',
      'Inflate',
      'Interruption',
      'Reconcile',
      'Schedules',
    ]);
    const actions = Object.values(made.all('AWS::IAM::Policy')).flatMap((policy) =>
      statementsOf(policy).flatMap((statement) => statement.actions),
    );
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
  });

  test('are named by the identity of the cluster, so that a cluster that is created again gets new ones with new access entries', () => {
    for (const name of ['Reconcile', 'Inflate', 'Alarm', 'Interruption'])
      expect(made.one('AWS::IAM::Role', `${name}Role`).Properties.Path).toBe(
        '/headstart/<ClusterEndpointFunction.ClusterId>/',
      );
    // aws-auth knows no roles with a path.
    const manual = configOf(`{cluster: {name: demo, region: eu-central-1, access: manual}, nodePools: {x: {max: 1}}}`);
    for (const { Properties } of Object.values(synthesized(manual).all('AWS::IAM::Role')))
      expect(Properties.Path).toBeUndefined();
  });

  test('nobody may ask for alarms where there are none', () => {
    expect(JSON.stringify(bare.resources)).not.toContain('cloudwatch:DescribeAlarms');
  });

  test('the schedules of this group alone may take on their role', () => {
    const { AssumeRolePolicyDocument } = made.one('AWS::IAM::Role', 'SchedulesRole').Properties;
    expect(AssumeRolePolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: 'scheduler.amazonaws.com' },
        Action: 'sts:AssumeRole',
        Condition: {
          StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>', 'aws:SourceArn': '<SchedulesGroup.Arn>' },
        },
      },
    ]);
  });
});

describe('the emergency', () => {
  test('the inflate function has a name that people can type', () => {
    expect(made.one('AWS::Lambda::Function', 'InflateFunction').Properties.FunctionName).toBe('headstart-demo-inflate');
  });

  test('the functions that events reach have names by which doctor finds the rules that target them', () => {
    const nameOf = (id: string) => made.one('AWS::Lambda::Function', `${id}Function`).Properties.FunctionName;
    expect([nameOf('Alarm'), nameOf('Interruption')]).toEqual(['headstart-demo-alarm', 'headstart-demo-interruption']);
  });

  test('a long cluster name is cut and told apart by a hash', () => {
    const longName = (last: string) => `${'a'.repeat(99)}${last}`;
    const nameOf = (cluster: string) =>
      synthesized(configOf(`{cluster: {name: ${cluster}, region: eu-central-1}, nodePools: {x: {max: 1}}}`)).one(
        'AWS::Lambda::Function',
        'InflateFunction',
      ).Properties.FunctionName as string;
    const [first, second] = [nameOf(longName('b')), nameOf(longName('c'))];
    expect(first.length).toBeLessThanOrEqual(64);
    expect(first).not.toBe(second);
  });

  test('the policy for people on call allows this one call, under a name that a permission set can refer to', () => {
    // IAM refuses to replace a policy by one of the same name: a new description or path would fail every update.
    expect(made.one('AWS::IAM::ManagedPolicy', 'Emergency').Properties).toEqual({
      ManagedPolicyName: 'headstart-demo-eu-central-1-inflate',
      Description: 'Allows manual headroom overrides on demo, and nothing else',
      Path: '/',
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: '<InflateFunction.Arn>' }],
      },
    });
  });

  test('the names of these policies differ by cluster and region, however long they are', () => {
    const nameOf = (name: string, region: string): string =>
      synthesized(configOf(`{cluster: {name: ${name}, region: ${region}}, nodePools: {x: {max: 1}}}`)).one(
        'AWS::IAM::ManagedPolicy',
      ).Properties.ManagedPolicyName;
    const long = (last: string) => `${'a'.repeat(99)}${last}`;
    const names = [
      nameOf('demo', 'eu-west-1'),
      nameOf('demo', 'us-gov-west-1'),
      nameOf(long('b'), 'us-gov-west-1'),
      nameOf(long('c'), 'us-gov-west-1'),
      nameOf(long('c'), 'cn-north-1'),
    ];
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[\w+=,.@-]{1,128}$/);
  });

  test.each([
    { name: 'Inflate', order: [{ kind: 'override', headroom: 'service' }] },
    { name: 'Release', order: [{ kind: 'release', headroom: 'service' }] },
    { name: 'Status', order: ['status'] },
  ])('the printed command $name carries an order that is understood', ({ name, order }) => {
    const command = String(made.outputs[`Emergency${name}`]?.Value);
    const [, payload = ''] = /--payload '(.*)' \/dev\/stdout$/.exec(command) ?? [];
    expect(command).toContain('aws lambda invoke --cli-binary-format raw-in-base64-out ');
    expect(command).toContain('--function-name headstart-demo-inflate --region eu-central-1');
    const raw = JSON.parse(payload);
    const ordered = () => overrideIntents(parseOverride(raw, Date.parse('2026-11-01T00:00:00Z')), demo);
    expect(isStatusQuestion(raw) ? ['status'] : ordered()).toMatchObject(order);
  });

  test.each([
    { name: 'room: so much in all', unit: '{node: {cpu: 1}}', order: { atLeast: 5 } },
    {
      name: 'a floor: so many more than there are, because nodes that exist count',
      unit: '{floor: {cpu: 4}}',
      order: { addNodes: 5 },
    },
  ])('the printed order asks for what helps, of $name', ({ unit, order }) => {
    const { outputs } = synthesized(
      configOf(`{cluster: {name: demo, region: eu-central-1}, nodePools: {x: {max: 5, unit: ${unit}}}}`),
    );
    const [, payload = ''] = /--payload '(.*)' \/dev\/stdout$/.exec(String(outputs.EmergencyInflate?.Value)) ?? [];
    expect(JSON.parse(payload)).toEqual({ headroom: 'x', ...order, for: '30m', reason: 'emergency', by: 'on-call' });
  });
});

describe('in a VPC', () => {
  const placed = (vpc: string) =>
    synthesized(configOf(`{cluster: {name: demo, region: eu-central-1, vpc: ${vpc}}, nodePools: {x: {max: 1}}}`));

  test('the functions get a security group that the cluster lets in on 443', () => {
    const { all, one } = placed('{subnetIds: [subnet-1, subnet-2]}');
    expect(one('AWS::EC2::SecurityGroup').Properties).toMatchObject({ VpcId: '<ClusterEndpointFunction.VpcId>' });
    expect(one('AWS::EC2::SecurityGroupIngress').Properties).toMatchObject({
      GroupId: '<ClusterEndpointFunction.SecurityGroupId>',
      SourceSecurityGroupId: '<NetworkGroup.GroupId>',
      IpProtocol: 'tcp',
      FromPort: 443,
      ToPort: 443,
    });
    const inVpc = Object.entries(all('AWS::Lambda::Function')).filter(([, { Properties }]) => Properties.VpcConfig);
    expect(inVpc.map(([id]) => id).sort()).toEqual([
      'AccessObjectsChangeFunction',
      'InflateFunction',
      'ReconcileFunction',
    ]);
    for (const [, { Properties }] of inVpc)
      expect(Properties.VpcConfig).toEqual({
        SubnetIds: ['subnet-1', 'subnet-2'],
        SecurityGroupIds: ['<NetworkGroup.GroupId>'],
      });
  });

  test.each([
    { name: 'used, and are let in already as far as we know', admit: '', sources: [] },
    { name: 'let in where asked', admit: ', admitSecurityGroups: true', sources: ['sg-1', 'sg-2'] },
  ])('security groups that are given are $name', ({ admit, sources }) => {
    const { all, one } = placed(`{subnetIds: [subnet-1], securityGroupIds: [sg-1, sg-2]${admit}}`);
    expect(all('AWS::EC2::SecurityGroup')).toEqual({});
    const rules = Object.values(all('AWS::EC2::SecurityGroupIngress'));
    expect(rules.map(({ Properties }) => Properties.SourceSecurityGroupId)).toEqual(sources);
    expect(one('AWS::Lambda::Function', 'ReconcileFunction').Properties.VpcConfig.SecurityGroupIds).toEqual([
      'sg-1',
      'sg-2',
    ]);
  });

  test('no function that runs there answers CloudFormation: it may have no way to S3', () => {
    const { resources } = placed('{subnetIds: [subnet-1]}');
    const tokens = Object.values(resources).flatMap(({ Properties }) => Properties?.ServiceToken ?? []);
    const answering = tokens.map((token) => resources[token['Fn::GetAtt'][0]]);
    expect(answering).toHaveLength(3);
    for (const resource of answering) expect(resource?.Properties).not.toHaveProperty('VpcConfig');
  });

  test('the roles may make network interfaces, and outside of a VPC they may not', () => {
    const inVpc = placed('{subnetIds: [subnet-1]}').one('AWS::IAM::Policy', 'ReconcileRole');
    expect(statementsOf(inVpc)).toContainEqual({
      actions: expect.arrayContaining(['ec2:CreateNetworkInterface', 'ec2:DeleteNetworkInterface']),
      resource: '*',
    });
    expect(JSON.stringify(bare.resources)).not.toContain('ec2:');
  });

  test('only Lambda itself makes them: the same actions are denied to the code of every function', () => {
    const policies = Object.values(placed('{subnetIds: [subnet-1]}').all('AWS::IAM::Policy'));
    const statements = policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
    const about = statements.filter(({ Action }) => [Action].flat().includes('ec2:CreateNetworkInterface'));
    const allowed = about.filter(({ Effect }) => Effect === 'Allow');
    const denied = about.filter(({ Effect }) => Effect === 'Deny');
    expect(allowed).toHaveLength(3);
    expect(denied).toEqual(
      allowed.map(({ Action }) => ({
        Effect: 'Deny',
        Action,
        Resource: '*',
        // Lambda sets the key for calls of the code, and not for its own.
        Condition: {
          ArnLike: { 'lambda:SourceFunctionArn': 'arn:aws:lambda:eu-central-1:<AWS::AccountId>:function:*' },
        },
      })),
    );
  });
});

interface Allowed {
  readonly actions: readonly string[];
  readonly resource: string | readonly string[];
}

function statementsOf({ Properties }: Resource): Allowed[] {
  return Properties.PolicyDocument.Statement.map(
    ({ Action, Resource }: { Action: string | string[]; Resource: string }) => ({
      actions: [Action].flat().sort(),
      resource: Resource,
    }),
  );
}

function sorted(allowed: readonly Allowed[]): Allowed[] {
  return [...allowed].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
}
