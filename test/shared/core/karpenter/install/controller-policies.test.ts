import { controllerPolicies } from '../../../../../shared/core/karpenter/install/controller-policies';
import policies from './karpenter-1.14.1-policies.json';

/**
 * As Karpenter 1.14.1 publishes them, copied out by hand. `P` partition, `R` region, `A` account, `C` cluster, `NODE_ROLE`
 * and `QUEUE` the ARNs.
 * @see https://karpenter.sh/docs/reference/cloudformation/
 */
const KARPENTER_POLICIES: Readonly<Record<string, readonly unknown[]>> = policies;

const SCOPE = { partition: 'P', region: 'R', account: 'A', clusterName: 'C', nodeRoleArns: ['NODE_ROLE'] };
const made = controllerPolicies({ ...SCOPE, queueArn: 'QUEUE' });

test("the policies are Karpenter's six, in its order", () => {
  expect(made.map(({ name }) => name)).toEqual(Object.keys(KARPENTER_POLICIES));
});

const statements = Object.entries(KARPENTER_POLICIES).flatMap(([policy, list]) =>
  list.map((statement, index) => ({
    name: `${policy} ${(statement as { Sid: string }).Sid}`,
    policy,
    index,
    statement,
  })),
);

test.each(statements)("$name equals Karpenter's statement", ({ policy, index, statement }) => {
  expect(made.find(({ name }) => name === policy)?.statements[index]).toEqual(statement);
});

test.each(Object.keys(KARPENTER_POLICIES).map((name) => ({ name })))('$name has no further statement', ({ name }) => {
  expect(made.find((policy) => policy.name === name)?.statements).toHaveLength(KARPENTER_POLICIES[name]?.length ?? 0);
});

test('each policy fits into the 6,144 characters of a managed policy, also for the longest cluster name', () => {
  const clusterName = 'c'.repeat(100);
  const scope = { ...SCOPE, partition: 'aws-us-gov', region: 'us-gov-west-1', account: '123456789012', clusterName };
  for (const { statements } of controllerPolicies({ ...scope, queueArn: 'QUEUE' }))
    expect(JSON.stringify({ Version: '2012-10-17', Statement: statements }).length).toBeLessThan(6_144);
});

test('without a queue the policy for it is left out', () => {
  expect(controllerPolicies(SCOPE).map(({ name }) => name)).not.toContain('InterruptionPolicy');
});

test('every role that a pool block names may be passed', () => {
  const [, iam] = controllerPolicies({ ...SCOPE, nodeRoleArns: ['a', 'b'] });
  expect(iam?.statements[0]).toMatchObject({ Action: 'iam:PassRole', Resource: ['a', 'b'] });
});
