import { eksConnection } from '../../../shared/adapters/eks-connection';
import { emfMetrics } from '../../../shared/adapters/emf-metrics';
import { jsonLog } from '../../../shared/adapters/json-log';
import { liveHeadroom } from '../../../shared/adapters/kube-cluster';

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
    await connection.rediscover?.();
    await connection.rediscover?.();
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
    await connection.rediscover?.();
    expect(connection.server()).toBe('https://old');
    now = 61_000;
    await Promise.all([connection.rediscover?.(), connection.rediscover?.()]);
    expect([connection.server(), calls]).toEqual(['https://moved', 2]);
  });
});

describe('emfMetrics', () => {
  test('writes three figures and the late one for each NodePool in one line', () => {
    const lines: string[] = [];
    emfMetrics(
      'demo',
      () => 7,
      (line) => lines.push(line),
    ).headroom([{ nodePool: 'web', desired: 6, ready: 4, shortfall: 2, late: 0 }]);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        _aws: {
          Timestamp: 7,
          CloudWatchMetrics: [
            {
              Namespace: 'Headstart',
              Dimensions: [['Cluster', 'NodePool']],
              Metrics: ['DesiredHeadroom', 'ReadyHeadroom', 'HeadroomShortfall', 'LateHeadroom'].map((Name) => ({
                Name,
                Unit: 'Count',
              })),
            },
          ],
        },
        Cluster: 'demo',
        NodePool: 'web',
        DesiredHeadroom: 6,
        ReadyHeadroom: 4,
        HeadroomShortfall: 2,
        LateHeadroom: 0,
      },
    ]);
  });

  test('counts rejected events and errors for the cluster', () => {
    const lines: string[] = [];
    emfMetrics(
      'demo',
      () => 7,
      (line) => lines.push(line),
    ).count('rejectedEvents', 2);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ Cluster: 'demo', RejectedEvents: 2 });
  });
});

test('jsonLog writes one line, with the message of an error', () => {
  const lines: string[] = [];
  jsonLog((line) => lines.push(line)).error('event failed', { error: new Error('boom') });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'error',
    message: 'event failed',
    error: { message: 'boom' },
  });
});

test('liveHeadroom tells who else owns the size', () => {
  const live = liveHeadroom({
    metadata: {
      name: 'headroom-web',
      managedFields: [
        { manager: 'headstart', fieldsV1: { 'f:spec': { 'f:template': {} } } },
        { manager: 'kubectl', subresource: 'scale', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
      ],
    },
    spec: { replicas: 3, selector: {}, template: {} },
  });
  expect(live).toMatchObject({ scaledBy: 'kubectl', replicas: 3, ready: 0 });
});
