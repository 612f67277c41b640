import { type Connect, client, configMap, deployment } from './kube-client';

/** Replacing, patching and scaling. */
export function updateContract(connect: Connect): void {
  const maps = client(connect, 'configmaps');
  const deployments = client(connect, 'deployments');

  test('a replace moves the version on and keeps the identity', async () => {
    const { body: old } = await maps.create(configMap('replaced', { a: '1' }));
    const { status, body } = await maps.replace('replaced', { ...old, data: { b: '2' } });
    expect([status, body.data]).toEqual([200, { b: '2' }]);
    expect(body.metadata.uid).toBe(old.metadata.uid);
    expect(body.metadata.resourceVersion).not.toBe(old.metadata.resourceVersion);
  });

  test('a replace with an old version is 409 Conflict', async () => {
    const { body: old } = await maps.create(configMap('stale', { a: '1' }));
    await maps.replace('stale', { ...old, data: { a: '2' } });
    const { status, body } = await maps.replace('stale', { ...old, data: { a: '3' } });
    expect(status).toBe(409);
    expect(body).toMatchObject({ reason: 'Conflict', details: { name: 'stale', kind: 'configmaps' }, code: 409 });
    expect(body.message).toContain('the object has been modified; please apply your changes to the latest version');
    expect((await maps.get('stale')).body.data).toEqual({ a: '2' });
  });

  test('a replace of what is not there is 404', async () => {
    expect((await maps.replace('never', configMap('never', {}))).status).toBe(404);
  });

  test('a replace under another name is 400', async () => {
    await maps.create(configMap('named', {}));
    const { status, body } = await maps.replace('named', configMap('other', {}));
    expect([status, body.reason]).toEqual([400, 'BadRequest']);
  });

  test('a merge patch adds, changes and removes annotations, as kubectl annotate does', async () => {
    await maps.create(configMap('annotated', {}, { annotations: { keep: '1', change: '1', drop: '1' } }));
    const annotations = { change: '2', drop: null, add: '1' };
    const { status, body } = await maps.merge('annotated', { metadata: { annotations } });
    expect([status, body.metadata.annotations]).toEqual([200, { keep: '1', change: '2', add: '1' }]);
  });

  test('a merge patch with an old version is 409 Conflict', async () => {
    const { body: old } = await maps.create(configMap('patched', {}));
    await maps.merge('patched', { data: { a: '1' } });
    const { resourceVersion } = old.metadata;
    const { status, body } = await maps.merge('patched', { metadata: { resourceVersion }, data: { a: '2' } });
    expect([status, body.reason]).toEqual([409, 'Conflict']);
  });

  test('a patch that changes nothing keeps the version', async () => {
    const { body: old } = await maps.create(configMap('same', { a: '1' }));
    const { body } = await maps.merge('same', { data: { a: '1' } });
    expect(body.metadata.resourceVersion).toBe(old.metadata.resourceVersion);
  });

  test('a strategic merge patch finds the container by its name', async () => {
    await deployments.create(deployment('strategic'));
    const containers = [{ name: 'pause', image: 'registry.k8s.io/pause:3.11' }];
    const { status, body } = await deployments.strategic('strategic', { spec: { template: { spec: { containers } } } });
    expect(status).toBe(200);
    const [container] = body.spec.template.spec.containers;
    expect(container).toMatchObject({
      name: 'pause',
      image: 'registry.k8s.io/pause:3.11',
      imagePullPolicy: 'IfNotPresent',
    });
  });

  test('a patch in an unknown format is 415', async () => {
    await maps.create(configMap('format', {}));
    const { status, body } = await maps.send('PATCH', '/format', { data: {} }, 'application/json');
    expect([status, body.reason]).toEqual([415, 'UnsupportedMediaType']);
  });

  test('a change of the spec or of the annotations makes a new generation of a Deployment, one of the labels does not', async () => {
    await deployments.create(deployment('generation'));
    const labelled = await deployments.merge('generation', { metadata: { labels: { a: '1' } } });
    expect(labelled.body.metadata.generation).toBe(1);
    const annotated = await deployments.merge('generation', { metadata: { annotations: { a: '1' } } });
    expect(annotated.body.metadata.generation).toBe(2);
    const changed = await deployments.merge('generation', { spec: { revisionHistoryLimit: 2 } });
    expect(changed.body.metadata.generation).toBe(3);
  });

  describe('the scale subresource', () => {
    test('shows the replicas and the selector', async () => {
      const { body: created } = await deployments.create(deployment('scale-read'));
      const { status, body } = await deployments.get('scale-read/scale');
      expect(status).toBe(200);
      expect(body).toMatchObject({
        kind: 'Scale',
        apiVersion: 'autoscaling/v1',
        metadata: { name: 'scale-read', uid: created.metadata.uid },
        status: { replicas: 0, selector: 'app=scale-read' },
      });
      expect(body.spec.replicas ?? 0).toBe(0);
    });

    test('a merge patch changes the replicas, as kubectl scale does', async () => {
      await deployments.create(deployment('scale-patch', { paused: true }));
      const { status, body } = await deployments.send(
        'PATCH',
        '/scale-patch/scale',
        { spec: { replicas: 3 } },
        'application/merge-patch+json',
      );
      expect([status, body.spec.replicas]).toEqual([200, 3]);
      expect((await deployments.get('scale-patch')).body.spec.replicas).toBe(3);
      await deployments.remove('scale-patch');
    });

    test('a PUT with an old version is 409 Conflict', async () => {
      await deployments.create(deployment('scale-put'));
      const { body: scale } = await deployments.get('scale-put/scale');
      await deployments.merge('scale-put', { metadata: { annotations: { a: '1' } } });
      const { status, body } = await deployments.send('PUT', '/scale-put/scale', { ...scale, spec: { replicas: 2 } });
      expect([status, body.reason]).toEqual([409, 'Conflict']);
    });

    test('refuses a negative number with 422', async () => {
      await deployments.create(deployment('scale-negative'));
      const { status, body } = await deployments.send(
        'PATCH',
        '/scale-negative/scale',
        { spec: { replicas: -1 } },
        'application/merge-patch+json',
      );
      expect([status, body.reason]).toEqual([422, 'Invalid']);
    });

    test('is 404 for a Deployment that is not there', async () => {
      expect((await deployments.get('nobody/scale')).status).toBe(404);
    });
  });
}
