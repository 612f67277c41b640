import { eksConnection } from '../../../../shared/adapters/aws/eks-connection';

const LATER = 1_000_000;
const KEYS = { accessKeyId: 'AKID', secretAccessKey: 'very-secret-key' };

describe('eksConnection', () => {
  const props = { clusterName: 'demo', region: 'ap-northeast-2', credentials: async () => KEYS, now: () => 0 };

  test('asks EKS nothing while the deploy told it the endpoint', async () => {
    const describe = jest.fn();
    const connection = await eksConnection({
      ...props,
      known: { server: 'https://known', caBase64: 'Y2E=' },
      describe,
    });
    expect(connection.server()).toBe('https://known');
    expect(connection.tls().ca?.toString()).toBe('ca');
    expect(describe).not.toHaveBeenCalled();
  });

  test('asks EKS when nothing is known, and once more when the known endpoint is gone', async () => {
    const describe = jest.fn(async () => ({ server: 'https://moved', caBase64: 'bmV3' }));
    expect((await eksConnection({ ...props, describe })).server()).toBe('https://moved');
    const connection = await eksConnection({ ...props, known: { server: 'https://old', caBase64: 'Y2E=' }, describe });
    await connection.rediscover?.(LATER);
    await connection.rediscover?.(LATER);
    expect([connection.server(), describe.mock.calls.length]).toEqual(['https://moved', 2]);
  });
});

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
