import { dryRunCluster } from '../../../../shared/adapters/kube/dry-run-cluster';
import { currentHeadroom } from '../../../../shared/adapters/kube/kube-cluster';
import { KubeError } from '../../../../shared/adapters/kube/kube-error';
import { ConflictError } from '../../../../shared/core/basics/errors';
import type { DeploymentManifest } from '../../../../shared/core/manifests/pause-deployment';
import { answering } from './answering';

describe('what is written of a Deployment', () => {
  const manifest = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'headroom-web', namespace: 'headroom', labels: { a: 'b' }, annotations: { note: 'x' } },
    spec: {
      replicas: 2,
      selector: { matchLabels: {} },
      template: {
        metadata: { labels: {} },
        spec: { containers: [{ name: 'pause', image: 'pause:1' }] },
      },
    },
  } as unknown as DeploymentManifest;
  const path = '/apis/apps/v1/namespaces/headroom/deployments';
  const applied = (resourceVersion: string) => ({ ...manifest, metadata: { ...manifest.metadata, resourceVersion } });

  test('a headroom is created by one apply, onto a version that no existing object has', async () => {
    const { cluster, asked } = answering({ metadata: { resourceVersion: '7' } });
    await cluster.createHeadroom(manifest);
    expect(asked).toEqual([['apply', `${path}/headroom-web`, applied('1'), 'headstart']]);
  });

  test('is deleted only as it was read', async () => {
    const { cluster, asked } = answering({});
    await cluster.deleteHeadroom({ ...currentHeadroom({}), name: 'headroom-web', uid: 'u1', resourceVersion: '7' });
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
    const current = await pretending.createHeadroom(manifest);
    expect(current).toMatchObject({ name: 'headroom-web', replicas: 2 });
    expect(await pretending.applyHeadroom(manifest, '7')).toEqual(current);
    await pretending.deleteHeadroom(current);
    expect(asked).toEqual([]);
    expect(await pretending.listNodePools()).toEqual([]);
  });
});
