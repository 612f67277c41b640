import { ADDED_BY_TAG, DISCOVERY_TAG, setDiscoveryTags } from '../../../shared/core/karpenter/install/discovery-tags';
import { FakeNetwork } from '../../fakes/fake-network';
import { configOf, synthesizedKarpenter } from '../synthesized';

const TYPE = 'Custom::HeadstartDiscoveryTags';
const config = configOf(
  '{cluster: {name: demo, region: eu-west-1}, karpenter: {manage: true}, nodePools: {a: {max: 1}}}',
);
const made = synthesizedKarpenter(config);
const { Properties: request } = made.one(TYPE);

test('the function understands what its custom resource asks for', async () => {
  const aws = new FakeNetwork(new Map(), [{ name: 'a', subnetIds: ['subnet-1'] }]);
  const { added } = await setDiscoveryTags(request, aws);
  expect(added).toEqual(['sg-cluster', 'subnet-1']);
});

test('the context asks it again without another change', () => {
  const again = synthesizedKarpenter(config, { again: '1762000000' });
  expect(again.one(TYPE).Properties).toEqual({ ...request, again: '1762000000' });
});

test.each([
  { sid: 'AddTags', where: { [`aws:RequestTag/${DISCOVERY_TAG}`]: 'demo' } },
  { sid: 'RemoveOwnTags', where: { [`aws:ResourceTag/${ADDED_BY_TAG}`]: request.owner } },
])('$sid is for the two tags of this stack, on subnets and security groups', ({ sid, where }) => {
  const { Statement } = made.one('AWS::IAM::Policy').Properties.PolicyDocument;
  expect(Statement.find(({ Sid }: { readonly Sid: string }) => Sid === sid)).toMatchObject({
    Resource: ['security-group', 'subnet'].map((kind) => `arn:aws:ec2:eu-west-1:*:${kind}/*`),
    Condition: {
      'ForAllValues:StringEquals': { 'aws:TagKeys': [DISCOVERY_TAG, ADDED_BY_TAG] },
      StringEquals: where,
    },
  });
});
