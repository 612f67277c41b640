import { eksConnection } from '../../../../shared/adapters/aws/eks-connection';

const LATER = 1_000_000;
const KEYS = { accessKeyId: 'AKID', secretAccessKey: 'very-secret-key' };

describe('eksConnection whose endpoint is gone', () => {
  test('asks again later when EKS could not be asked, and once for calls side by side', async () => {
    let now = 0;
    let calls = 0;
    const connection = await eksConnection({
      clusterName: 'demo',
      region: 'ap-northeast-2',
      credentials: async () => KEYS,
      now: () => now,
      known: { server: 'https://old', caBase64: 'Y2E=' },
      describe: async () => {
        calls += 1;
        if (calls === 1) throw new Error('throttled');
        return { server: 'https://moved', caBase64: 'bmV3' };
      },
    });
    await connection.rediscover?.(LATER);
    expect(connection.server()).toBe('https://old');
    now = 61_000;
    await Promise.all([connection.rediscover?.(LATER), connection.rediscover?.(LATER)]);
    expect([connection.server(), calls]).toEqual(['https://moved', 2]);
  });
});
