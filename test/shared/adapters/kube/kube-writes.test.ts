import { dryRunCluster } from '../../../../shared/adapters/kube/dry-run-cluster';
import { liveHeadroom } from '../../../../shared/adapters/kube/kube-cluster';
import { KubeError } from '../../../../shared/adapters/kube/kube-error';
import { ConflictError } from '../../../../shared/core/basics/errors';
import type { DeploymentManifest } from '../../../../shared/core/manifests/pause-deployment';
import { answering } from './answering';

describe('what is written of a Deployment', () => {
  const container = { name: 'pause', image: 'pause:1', securityContext: { a: 1 }, resources: { requests: {} } };
  const manifest = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'headroom-web', namespace: 'headroom', labels: { a: 'b' }, annotations: { note: 'x' } },
    spec: {
      replicas: 2,
      selector: { matchLabels: {} },
      template: {
        metadata: { labels: {} },
        spec: { containers: [container], securityContext: { b: 2 }, tolerations: [] },
      },
    },
  } as unknown as DeploymentManifest;
  const path = '/apis/apps/v1/namespaces/headroom/deployments';
  const applied = (resourceVersion: string) => ({ ...manifest, metadata: { ...manifest.metadata, resourceVersion } });

  test.each([
    { name: 'of nobody', annotations: { note: 'x' }, owner: '' },
    { name: 'of a stack', annotations: { note: 'x', 'headstart.dev/owner': 'stack' }, owner: 'stack' },
  ])(
    'a headroom $name is created with what an apply may own later, and then applied',
    async ({ annotations, owner }) => {
      const { cluster, asked } = answering({ metadata: { resourceVersion: '7' } });
      const one = { ...manifest, metadata: { ...manifest.metadata, annotations } } as unknown as DeploymentManifest;
      await cluster.createHeadroom(one);
      const { resources: _applied, ...skeleton } = container;
      expect(asked).toEqual([
        [
          'create',
          `${path}?fieldManager=headstart`,
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { ...one.metadata, annotations: { 'headstart.dev/owner': owner } },
            spec: {
              replicas: 0,
              selector: { matchLabels: {} },
              template: {
                metadata: { labels: {} },
                spec: { containers: [skeleton], securityContext: { b: 2 } },
              },
            },
          },
        ],
        ['apply', `${path}/headroom-web`, { ...one, metadata: { ...one.metadata, resourceVersion: '7' } }, 'headstart'],
      ]);
    },
  );

  test('a create that answers without a version is applied onto none', async () => {
    const { cluster, asked } = answering({});
    await cluster.createHeadroom(manifest);
    expect(asked[1]?.[2]).toEqual(applied(''));
  });

  test('is deleted only as it was read', async () => {
    const { cluster, asked } = answering({});
    await cluster.deleteHeadroom({ ...liveHeadroom({}), name: 'headroom-web', uid: 'u1', resourceVersion: '7' });
    expect(asked).toEqual([['delete', `${path}/headroom-web`, { uid: 'u1', resourceVersion: '7' }]]);
  });

  const failed = (status: number) => new KubeError({ method: 'PATCH', path: '/x' }, status, 'Reason', 'why');

  test('a conflict says which request met it; any other failure is thrown as it is', async () => {
    const conflict = failed(409);
    await expect(answering(conflict).cluster.applyHeadroom(manifest, '7')).rejects.toMatchObject({
      constructor: ConflictError,
      message: 'PATCH /x: 409 Reason: why',
      cause: conflict,
    });
    for (const other of [failed(403), Object.assign(new Error('odd'), { status: 409 })])
      await expect(answering(other).cluster.applyHeadroom(manifest, '7')).rejects.toBe(other);
  });

  test('a dry run reads, and answers as if it had written', async () => {
    const { cluster, asked } = answering({ items: [] });
    const pretending = dryRunCluster(cluster);
    const live = await pretending.createHeadroom(manifest);
    expect(live).toMatchObject({ name: 'headroom-web', replicas: 2 });
    expect(await pretending.applyHeadroom(manifest, '7')).toEqual(live);
    await pretending.deleteHeadroom(live);
    expect(asked).toEqual([]);
    expect(await pretending.listNodePools()).toEqual([]);
  });
});
