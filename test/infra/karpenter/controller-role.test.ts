import KARPENTER_POLICIES from '../../shared/core/karpenter/install/karpenter-1.14.1-policies.json';
import { configOf, synthesizedKarpenter } from '../synthesized';

const { all, one } = synthesizedKarpenter(
  configOf('{cluster: {name: demo, region: ap-northeast-2}, karpenter: {manage: true}, nodePools: {a: {max: 1}}}'),
);
const policies = Object.entries(all('AWS::IAM::ManagedPolicy'));

test("the controller holds Karpenter's six policies, statement by statement, with the cluster's name in the condition keys", () => {
  const words: Readonly<Record<string, string>> = {
    'arn:aws:': 'arn:P:',
    '<AWS::AccountId>': 'A',
    '<KarpenterNodesRole.Arn>': 'NODE_ROLE',
    '<KarpenterInterruptionsQueue.Arn>': 'QUEUE',
    'ap-northeast-2': 'R',
    demo: 'C',
  };
  const asPublished = (text: string) =>
    Object.entries(words).reduce((result, [ours, theirs]) => result.replaceAll(ours, theirs), text);
  const made = policies.map(([id, { Properties }]) => [
    id.replace('KarpenterController', ''),
    JSON.parse(asPublished(JSON.stringify(Properties.PolicyDocument.Statement))),
  ]);
  expect(Object.fromEntries(made)).toEqual(KARPENTER_POLICIES);
  expect([...one('AWS::IAM::Role', 'KarpenterController').Properties.ManagedPolicyArns].sort()).toEqual(
    policies.map(([id]) => `<${id}>`).sort(),
  );
});
