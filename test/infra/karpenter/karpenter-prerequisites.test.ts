import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { plain, shown, synthKarpenter } from './synth-karpenter';

jest.setTimeout(120_000);

test('the role for spot instances is made on request only, and stays', () => {
  synthKarpenter().template.resourceCountIs('AWS::IAM::ServiceLinkedRole', 0);
  const role = synthKarpenter({ spotServiceLinkedRole: true }).only('AWS::IAM::ServiceLinkedRole');
  expect(role.Properties).toEqual({ AWSServiceName: 'spot.amazonaws.com' });
  expect(role.DeletionPolicy).toBe('RetainExceptOnCreate');
});

test('everything switched off leaves nothing', () => {
  const off = { controllerRole: false, nodeRole: false, queue: false };
  const { template } = synthKarpenter({ ...off, discovery: { subnets: 'none', securityGroups: 'none' } });
  expect(Object.keys(template.toJSON().Resources)).toEqual(['Neighbour']);
});

test('taking the whole block away changes nothing of the neighbours', () => {
  const [before, after] = [synthKarpenter(), synthKarpenter({ manage: false })].map(({ template }) =>
    template.toJSON(),
  );
  const rest = Object.entries(before?.Resources).filter(([id]) => !id.startsWith('Karpenter'));
  expect(Object.fromEntries(rest)).toEqual(after?.Resources);
  expect(after?.Outputs).toBeUndefined();
});

test('taking one part away changes that part and what names it', () => {
  const [before, after] = [synthKarpenter(), synthKarpenter({ queue: false })].map(({ template }) => template.toJSON());
  const changed = Object.keys(before?.Resources).filter(
    (id) => JSON.stringify(before?.Resources[id]) !== JSON.stringify(after?.Resources[id]),
  );
  expect(
    changed.filter((id) => !/^KarpenterInterruptions|^KarpenterController(InterruptionPolicy|Role)/.test(id)),
  ).toEqual([]);
});

test('another Karpenter version is said to be another', () => {
  const { stack } = synthKarpenter({ version: '1.99.0' });
  Annotations.fromStack(stack).hasWarning(
    '*',
    Match.stringLikeRegexp('karpenter.version is 1.99.0, but .* follow 1.14.1'),
  );
  expect(Annotations.fromStack(synthKarpenter().stack).findWarning('*', Match.anyValue())).toEqual([]);
});

describe.each([
  { name: 'aws', region: 'ap-northeast-2' },
  { name: 'aws-cn', region: 'cn-north-1' },
  { name: 'aws-us-gov', region: 'us-gov-west-1' },
])('in the partition $name', ({ region }) => {
  const made = synthKarpenter({}, { cluster: { region } });

  test('no ARN has a partition written into it', () => {
    const text = JSON.stringify(plain(made.template.toJSON().Resources));
    const partitions = [...text.matchAll(/arn:(<AWS::\w+>|[^:]+):/g)].map(([, partition]) => partition);
    expect(new Set(partitions)).toEqual(new Set(['<AWS::Partition>']));
  });

  test('the region is that of the cluster', () => {
    const text = JSON.stringify(plain(made.all('AWS::IAM::ManagedPolicy')));
    expect(text).toContain(`arn:<AWS::Partition>:ec2:${region}:*:instance/*`);
    expect(shown(made.only('AWS::EKS::AccessEntry').Properties.Type)).toBe('EC2_LINUX');
  });
});
