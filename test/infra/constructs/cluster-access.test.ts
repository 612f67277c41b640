import { minimal } from '../demo-config';
import { configOf, readable, type Synthesized, synthesized } from '../synthesized';
import { comesAfter, idOf } from '../template-order';

const ENTRY = 'AWS::EKS::AccessEntry';
const OBJECTS = 'Custom::HeadstartClusterObjects';
const ENDPOINT = 'Custom::HeadstartClusterEndpoint';
const DEPLOY = 'Custom::HeadstartDeployReconcile';
const CUSTOM = [{ type: ENDPOINT }, { type: OBJECTS }, { type: DEPLOY }];

/** The minimal config with another cluster, another NodePool or more blocks. */
function madeOf(
  written: Partial<Record<'cluster' | 'pool' | 'more', string>> = {},
  context: Readonly<Record<string, string>> = {},
): Synthesized {
  const { cluster = '', pool = 'max: 4', more = '' } = written;
  const text = `cluster: {name: demo, region: eu-central-1${cluster}}\n${more}\nnodePools: {service: {${pool}}}\n`;
  return synthesized(configOf(text), context);
}

const made = synthesized(minimal);
const again = madeOf({}, { again: '1762000000' });
const deployer = (of: Synthesized) => of.one('AWS::IAM::Role', 'AccessObjectsChange').Properties.Path as string;

test('access entries come in an order that works, and go in the reverse', () => {
  const [objects, endpoint, deploy] = [OBJECTS, ENDPOINT, DEPLOY].map((type) => idOf(made, type)) as [
    string,
    string,
    string,
  ];
  const admin = idOf(made, ENTRY, 'AccessObjects');
  const runtime = ['reconcile', 'inflate'].map((name) => idOf(made, ENTRY, `Access${name}`));
  const pairs: [string, string][] = [
    [admin, endpoint],
    // EKS refuses a role that IAM has just made; by the time a function has it, IAM knows it everywhere.
    [admin, idOf(made, 'AWS::Lambda::Function', 'AccessObjectsChange')],
    [objects, admin],
    ...runtime.flatMap((id): [string, string][] => [
      [id, objects],
      [deploy, id],
    ]),
  ];
  expect(pairs.filter(([later, earlier]) => !comesAfter(made, later, earlier))).toEqual([]);
  expect(pairs.filter(([later, earlier]) => comesAfter(made, earlier, later))).toEqual([]);
});

describe.each(CUSTOM)('$type', ({ type }) => {
  test('is called only while its role has its policy', () => {
    const token = made.one(type).Properties.ServiceToken as string;
    const role = made.one('AWS::Lambda::Function', token.slice(1, -'.Arn>'.length)).Properties.Role as string;
    const policy = idOf(made, 'AWS::IAM::Policy', role.slice(1, -'.Arn>'.length));
    expect(comesAfter(made, idOf(made, type), policy)).toBe(true);
  });

  test('fails a stack well before the hour that CloudFormation waits for an answer', () => {
    expect(Number(made.one(type).Properties.ServiceTimeout)).toBeLessThanOrEqual(15 * 60);
  });

  test('runs again without a change of the config by the context value alone', () => {
    const { deployer: _, ...before } = made.one(type).Properties;
    expect(before).not.toHaveProperty('again');
    expect(again.one(type).Properties).toMatchObject({ ...before, again: '1762000000' });
  });
});

test('a change of the config reconciles again, and applies the same objects by the same role', () => {
  const other = madeOf({ pool: 'max: 5' });
  expect(other.one(DEPLOY).Properties.configHash).not.toBe(made.one(DEPLOY).Properties.configHash);
  expect(other.one(OBJECTS).Properties.config).not.toBe(made.one(OBJECTS).Properties.config);
  expect(other.one(OBJECTS).Properties.objects).toBe(made.one(OBJECTS).Properties.objects);
  expect(deployer(other)).toBe(deployer(made));
});

test.each([
  { name: 'other objects', other: madeOf({ cluster: ', namespace: warm' }) },
  { name: 'another value of again', other: again },
])('the role that applies objects is a new one for $name', ({ other }) => {
  expect(deployer(made)).toMatch(/^\/headstart\/<\w+\.ClusterId>\/\w{12}\/$/);
  expect(deployer(other)).not.toBe(deployer(made));
});

test('nobody in the stack may change anything in EKS but take cluster admin off that one entry', () => {
  const statements = Object.values(made.resources)
    .filter(({ Type }) => /^AWS::IAM::(Managed)?Policy$/.test(Type))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement as { Action: string | string[] }[]);
  const isChange = (action: string) => action.startsWith('eks:') && !/^eks:(Describe|List)/.test(action);
  expect(readable(statements.filter(({ Action }) => [Action].flat().some(isChange)))).toEqual([
    {
      Effect: 'Allow',
      Action: 'eks:DisassociateAccessPolicy',
      Resource: '<AccessObjectsEntry.AccessEntryArn>',
      Condition: {
        ArnEquals: { 'eks:policyArn': 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy' },
      },
    },
  ]);
});
