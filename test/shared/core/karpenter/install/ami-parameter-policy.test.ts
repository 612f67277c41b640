import { amiParameterPolicy, amiParameters } from '../../../../../shared/core/karpenter/install/ami-parameter-policy';
import { configOf, poolConfig } from '../config-of';

const SCOPE = { partition: 'aws', region: 'eu-central-1', account: '123456789012' };
const OURS = 'arn:aws:ssm:eu-central-1:123456789012:parameter';

const parametersOf = (...names: string[]) =>
  amiParameters(poolConfig({ amiFamily: 'AL2023', amiSelector: names.map((ssmParameter) => ({ ssmParameter })) }));

test.each([
  { name: 'a name', parameter: '/shop/build-ami', resource: `${OURS}/shop/build-ami` },
  { name: 'a name without a slash', parameter: 'build-ami', resource: `${OURS}/build-ami` },
  { name: 'a path without a slash in front', parameter: 'shop/ami', resource: `${OURS}/shop/ami` },
  { name: 'a name with a label', parameter: '/shop/ami:stable', resource: `${OURS}/shop/ami` },
  { name: 'a name with a version', parameter: '/shop/build-ami:3', resource: `${OURS}/shop/build-ami` },
  {
    name: 'an ARN of another account',
    parameter: 'arn:aws:ssm:eu-central-1:210987654321:parameter/ami',
    resource: 'arn:aws:ssm:eu-central-1:210987654321:parameter/ami',
  },
  { name: 'an ARN with a label', parameter: `${OURS}/ami:stable`, resource: `${OURS}/ami` },
])('$name becomes the ARN of the parameter', ({ parameter, resource }) => {
  expect(parametersOf(parameter)).toEqual([parameter]);
  expect(amiParameterPolicy(SCOPE, [parameter]).statements[0]?.Resource).toEqual([resource]);
});

test.each([
  { name: 'by name', parameter: '/aws/service/eks/optimized-ami/1.35/image_id' },
  { name: 'by ARN', parameter: 'arn:aws:ssm:eu-central-1::parameter/aws/service/eks/ami' },
])("what AWS publishes, $name, is left to Karpenter's own policy", ({ parameter }) => {
  expect(parametersOf(parameter)).toEqual([]);
});

test('two versions of a parameter are one resource', () => {
  expect(amiParameterPolicy(SCOPE, ['/ami:1', '/ami:2']).statements[0]?.Resource).toEqual([`${OURS}/ami`]);
});

test('the controller may read them, and nothing else', () => {
  expect(amiParameterPolicy(SCOPE, ['/ami'])).toEqual({
    name: 'AmiParameterPolicy',
    statements: [
      { Sid: 'AllowReadingAmiParameters', Effect: 'Allow', Resource: [`${OURS}/ami`], Action: 'ssm:GetParameter' },
    ],
  });
});

test('pools without a parameter need none', () => {
  expect(amiParameters(poolConfig({ amiFamily: 'AL2023', amiSelector: [{ id: 'ami-1' }] }))).toEqual([]);
  expect(amiParameters(configOf({ nodePools: { default: { max: 1 } } }))).toEqual([]);
  expect(amiParameters(poolConfig({ ami: 'al2023@latest' }))).toEqual([]);
});
