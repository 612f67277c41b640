import { readFileSync } from 'node:fs';
import { Aspects, Tags } from 'aws-cdk-lib';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Config } from '../../shared/core/config/config';
import { DEMO } from './demo-config';
import { configOf, synthesized, synthesizedKarpenter } from './synthesized';

const KEY = 'arn:aws:kms:eu-central-1:123456789012:key/0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9';
const BOUNDARY = 'arn:aws:iam::123456789012:policy/my-boundary';
const with_ = (stack: string, karpenter = ''): Config => configOf(`${DEMO}${karpenter}stack: ${stack}\n`);
const plain = synthesized(configOf(DEMO));

test('the function that reads the encrypted queue may decrypt with that key, and with no other', () => {
  const made = synthesized(with_(`{kmsKeyArn: "${KEY}"}`));
  const { Statement } = made.one('AWS::IAM::Policy', 'InterruptionRole').Properties.PolicyDocument;
  const kms = Statement.filter(({ Action }: { Action: unknown }) => JSON.stringify(Action).includes('kms:'));
  expect(kms.map(({ Resource }: { Resource: unknown }) => Resource)).toEqual(kms.map(() => KEY));
  expect(JSON.stringify(kms)).toContain('kms:Decrypt');
});

test('log retention by the construct is for all functions too, also for those that run at deploys', () => {
  const made = synthesized(with_('{logRetentionDays: 90}'), {}, { props: { logRetention: RetentionDays.ONE_WEEK } });
  const logs = Object.values(made.all('AWS::Logs::LogGroup')).map(({ Properties }) => Properties.RetentionInDays);
  expect(new Set(logs)).toEqual(new Set([7]));
});

test('a permissions boundary bounds every role of both stacks, those of CDK included', () => {
  const helm = '{install: true, kubectlLayerArn: "arn:aws:lambda:eu-central-1:123456789012:layer:kubectl:1"}';
  const config = with_(`{permissionsBoundaryArn: "${BOUNDARY}"}`, `karpenter: {manage: true, helm: ${helm}}\n`);
  for (const made of [synthesized(config), synthesizedKarpenter(config)]) {
    const roles = Object.values(made.all('AWS::IAM::Role'));
    expect(roles.length).toBeGreaterThan(5);
    expect(new Set(roles.map(({ Properties }) => Properties.PermissionsBoundary))).toEqual(new Set([BOUNDARY]));
  }
  expect(JSON.stringify(plain.resources)).not.toContain('PermissionsBoundary');
});

test.each([
  { name: 'by default', stack: '{}', karpenter: '{manage: true}', expected: [false, true] },
  { name: 'on', stack: '{terminationProtection: true}', karpenter: '{manage: true}', expected: [true, true] },
  {
    name: 'off for Karpenter',
    stack: '{}',
    karpenter: '{manage: true, terminationProtection: false}',
    expected: [false, false],
  },
])('termination protection of headroom and Karpenter, $name', ({ stack, karpenter, expected }) => {
  const config = with_(stack, `karpenter: ${karpenter}\n`);
  const protectedOnes = [synthesized(config), synthesizedKarpenter(config)].map((made) => made.terminationProtection);
  expect(protectedOnes).toEqual(expected);
});

test('a switch changes no code of a function: only the stack is built another way', () => {
  const code = (made: typeof plain) =>
    Object.values(made.all('AWS::Lambda::Function')).map(({ Properties }) => Properties.Code);
  expect(code(synthesized(with_('{logRetentionDays: 90, dashboard: true}')))).toEqual(code(plain));
});

test("CDK's own permissions boundary, as docs/deploy.md writes it, is on every role of both stacks", () => {
  const boundary = { '@aws-cdk/core:permissionsBoundary': { name: 'my-boundary' } };
  const config = with_('{}', 'karpenter: {manage: true}\n');
  for (const made of [synthesized(config, boundary), synthesizedKarpenter(config, boundary)])
    for (const { Properties } of Object.values(made.all('AWS::IAM::Role')))
      expect(Properties.PermissionsBoundary).toMatch(/:policy\/my-boundary$/);
});

test('a path for roles, as docs/deploy.md writes it, leaves the one that names the cluster and the rules', () => {
  const [, snippet = ''] =
    /```ts\n(import \{ Aspects, Tags \}.*?)```/s.exec(readFileSync('docs/deploy.md', 'utf8')) ?? [];
  const lines = snippet.split('\n').filter((line) => !line.startsWith('import '));
  const asWritten = new Function('stack', 'Aspects', 'Tags', 'CfnRole', lines.join('\n'));
  const made = synthesized(with_('{}'), {}, { change: (stack) => asWritten(stack, Aspects, Tags, CfnRole) });
  const before = plain.all('AWS::IAM::Role');
  for (const [id, { Properties }] of Object.entries(made.all('AWS::IAM::Role')))
    expect([id, Properties.Path]).toEqual([id, `/platform${before[id]?.Properties.Path ?? '/'}`]);
  expect(made.one('AWS::IAM::Role', 'AccessObjectsChange').Properties.Path).toMatch(
    /^\/platform\/headstart\/<\w+\.ClusterId>\/\w+\/$/,
  );
});
