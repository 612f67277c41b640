import { configOf, synthesized } from '../synthesized';

const { all, resources } = synthesized(
  configOf('{cluster: {name: demo, region: eu-central-1, vpc: {subnetIds: [subnet-1]}}, nodePools: {x: {max: 1}}}'),
);

test('no function that runs in a VPC answers CloudFormation: it may have no way to S3', () => {
  const tokens = Object.values(resources).flatMap(({ Properties }) => Properties?.ServiceToken ?? []);
  const answering = tokens.map((token) => resources[token['Fn::GetAtt'][0]]);
  expect(answering).toHaveLength(3);
  for (const resource of answering) expect(resource?.Properties).not.toHaveProperty('VpcConfig');
});

test('only Lambda itself makes network interfaces: the same actions are denied to the code of every function', () => {
  const policies = Object.values(all('AWS::IAM::Policy'));
  const statements = policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  const about = statements.filter(({ Action }) => [Action].flat().includes('ec2:CreateNetworkInterface'));
  const allowed = about.filter(({ Effect }) => Effect === 'Allow');
  expect(allowed).toHaveLength(3);
  expect(about.filter(({ Effect }) => Effect === 'Deny')).toEqual(
    allowed.map(({ Action }) => ({
      Effect: 'Deny',
      Action,
      Resource: '*',
      // Lambda sets the key for calls of the code, and not for its own.
      Condition: { ArnLike: { 'lambda:SourceFunctionArn': 'arn:aws:lambda:eu-central-1:<AWS::AccountId>:function:*' } },
    })),
  );
});
