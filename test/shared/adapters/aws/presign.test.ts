import { presign } from '../../../../shared/adapters/aws/presign';

const KEYS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: 'session/token+==',
};

/** What SignatureV4.presign of the AWS SDK (@smithy/signature-v4) answers for the same request. */
const BY_THE_SDK = '944f22da8dc86b9894fdf1ab4d2e9bc5d12ea7f7bb3ec8e1abd8f3e772f36ed7';

test('signs as the AWS SDK does, characters that URLs leave alone included', () => {
  const url = presign(
    {
      service: 'sts',
      region: 'ap-northeast-2',
      url: new URL('https://sts.ap-northeast-2.amazonaws.com/'),
      query: { Action: 'GetCallerIdentity', Version: '2011-06-15', Odd: "it's (a) *test*!" },
      headers: { 'x-k8s-aws-id': 'demo' },
      expiresSeconds: 60,
    },
    KEYS,
    Date.parse('2026-11-16T03:00:00Z'),
  );
  expect(Object.fromEntries(url.searchParams)).toEqual({
    Action: 'GetCallerIdentity',
    Version: '2011-06-15',
    Odd: "it's (a) *test*!",
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': 'AKIDEXAMPLE/20261116/ap-northeast-2/sts/aws4_request',
    'X-Amz-Date': '20261116T030000Z',
    'X-Amz-Expires': '60',
    'X-Amz-Security-Token': 'session/token+==',
    'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
    'X-Amz-Signature': BY_THE_SDK,
  });
});
