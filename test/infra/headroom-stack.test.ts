import { readFileSync } from 'node:fs';
import type { Config } from '../../shared/core/config/config';
import { golden } from '../golden/golden';
import { demo, minimal } from './demo-config';
import { describeChange, describeStack } from './describe-stack';
import { configOf, type Synthesized, synthesized } from './synthesized';

const said = golden(`${__dirname}/headroom-stack.txt`);
const CLUSTER = 'cluster: { name: demo, region: eu-central-1 }';
const NODE_POOLS = 'nodePools: { service: { max: 4 } }';
const base = synthesized(minimal);

test('a minimal config', () => said(describeStack(base)));
test('every kind of trigger makes', () => said(describeChange(base, synthesized(demo))));

/** The minimal config with another cluster, another NodePool or more blocks. */
function made({
  cluster = '',
  pool = '',
  more = '',
}: Partial<Record<'cluster' | 'pool' | 'more', string>>): Synthesized {
  const text = `${CLUSTER.replace(' }', `${cluster} }`)}\n${more}\n${NODE_POOLS.replace(' }', `${pool} }`)}\n`;
  return synthesized(configOf(text));
}

const EVENT =
  '{ name: sale, pattern: { source: [shop] }, cancel: { source: [shop.off] }, hold: 1h, desiredReplicas: 2 }';
const KEY = 'arn:aws:kms:eu-central-1:123456789012:key/0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9';
test.each([
  { name: 'manual access', cluster: ', access: manual' },
  { name: 'live schedules', cluster: ', liveSchedules: true' },
  { name: 'another namespace', cluster: ', namespace: warm' },
  { name: 'a VPC', cluster: ', vpc: { subnetIds: [subnet-1, subnet-2] }' },
  { name: 'a VPC with security groups', cluster: ', vpc: { subnetIds: [subnet-1], securityGroupIds: [sg-1, sg-2] }' },
  {
    name: 'a VPC with security groups to admit',
    cluster: ', vpc: { subnetIds: [subnet-1], securityGroupIds: [sg-1, sg-2], admitSecurityGroups: true }',
  },
  { name: 'announced peaks', pool: `, events: [${EVENT}]` },
  { name: 'a floor', pool: ', unit: { floor: { cpu: 4 } }' },
  { name: 'a heartbeat of 10m', more: 'heartbeat: 10m' },
  { name: 'a key of the customer', more: `stack: { kmsKeyArn: "${KEY}" }` },
  { name: 'x86_64 and logs for 90 days', more: 'stack: { architecture: x86_64, logRetentionDays: 90 }' },
  { name: 'reserved concurrency', more: 'stack: { inflateConcurrency: 5 }' },
  { name: 'an existing topic', more: 'stack: { alarmTopicArn: "arn:aws:sns:eu-central-1:123456789012:on-call" }' },
  { name: 'a dashboard', more: 'stack: { dashboard: true }' },
  { name: 'Karpenter by hand', more: 'karpenter: { manage: true }' },
  {
    name: 'Karpenter by Helm',
    more: 'karpenter: { manage: true, helm: { install: true, kubectlLayerArn: "arn:aws:lambda:eu-central-1:123456789012:layer:kubectl:1" } }',
  },
])('$name changes', ({ name, ...written }) => said(`${name} changes`, describeChange(base, made(written))));

describe('taken out of a config with every kind of trigger,', () => {
  const full = synthesized(demo);
  type Headroom = Config['headrooms'][number];
  const edited = (edit: (headroom: Headroom) => Headroom | undefined): Config => ({
    ...demo,
    headrooms: demo.headrooms.flatMap((headroom) => edit(headroom) ?? []),
  });
  test.each([
    { name: 'a headroom', config: edited((one) => (one.name === 'ci' ? undefined : one)) },
    {
      name: 'an alarm that Headstart made',
      config: edited((one) => ({ ...one, alarms: one.alarms.filter(({ create }) => create === undefined) })),
    },
    { name: 'the last interruptions', config: edited(({ interruptions: _, ...one }) => one) },
  ])('$name takes along', ({ name, config }) => said(`${name} takes along`, describeChange(full, synthesized(config))));

  test('the order of headrooms in the file neither adds nor removes anything', () => {
    const changes = describeChange(full, synthesized({ ...demo, headrooms: [...demo.headrooms].reverse() }));
    expect(changes.match(/^[+-] .*/gm)).toBeNull();
  });
});

test('karpenter and pool blocks change nothing in the headroom stack', () => {
  const { karpenter, ...config } = configOf(readFileSync('examples/full.yaml', 'utf8'));
  const headrooms = config.headrooms.map(({ pool: _, ...headroom }) => headroom);
  expect(
    describeChange(synthesized({ ...config, ...(karpenter && { karpenter }) }), synthesized({ ...config, headrooms })),
  ).toBe('nothing');
});
