import { type Connect, client, configMap, deployment, managersOf } from './kube-client';

const HEADSTART = 'fieldManager=headstart&force=true';

/** Server-side apply with field managers. */
export function applyContract(connect: Connect): void {
  const maps = client(connect, 'configmaps');
  const deployments = client(connect, 'deployments');

  test('an apply creates what is missing and records its manager', async () => {
    const { status, body } = await maps.apply('applied', configMap('applied', { a: '1' }), HEADSTART);
    expect([status, body.data]).toEqual([201, { a: '1' }]);
    expect(body.metadata.managedFields).toEqual([
      {
        manager: 'headstart',
        operation: 'Apply',
        apiVersion: 'v1',
        time: expect.any(String),
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:a': {} } },
      },
    ]);
  });

  test('an apply of the same again keeps the version', async () => {
    const { body: first } = await maps.apply('again', configMap('again', { a: '1' }), HEADSTART);
    const { status, body } = await maps.apply('again', configMap('again', { a: '1' }), HEADSTART);
    expect(status).toBe(200);
    expect(body.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  test('what the manager no longer states vanishes', async () => {
    const metadata = { annotations: { keep: '1', drop: '1' }, labels: { drop: '1' } };
    await maps.apply('omitted', configMap('omitted', { a: '1', b: '2' }, metadata), HEADSTART);
    const { body } = await maps.apply(
      'omitted',
      configMap('omitted', { a: '1' }, { annotations: { keep: '1' } }),
      HEADSTART,
    );
    expect(body.data).toEqual({ a: '1' });
    expect(body.metadata.annotations).toEqual({ keep: '1' });
    expect(body.metadata.labels ?? {}).toEqual({});
  });

  test('what another manager owns as well stays', async () => {
    await maps.apply('shared', configMap('shared', { a: '1', b: '2' }), 'fieldManager=other');
    await maps.apply('shared', configMap('shared', { a: '1', b: '2' }), HEADSTART);
    const { body } = await maps.apply('shared', configMap('shared', { a: '1' }), HEADSTART);
    expect(body.data).toEqual({ a: '1', b: '2' });
  });

  test('what others have written beside it stays', async () => {
    await maps.apply('beside', configMap('beside', { a: '1' }), HEADSTART);
    await maps.merge('beside', { data: { theirs: '1' }, metadata: { annotations: { theirs: '1' } } });
    const { body } = await maps.apply('beside', configMap('beside', { a: '2' }), HEADSTART);
    expect(body.data).toEqual({ a: '2', theirs: '1' });
    expect(body.metadata.annotations).toEqual({ theirs: '1' });
  });

  test('a created object belongs to its creator, so that an apply by the same name does not drop its fields', async () => {
    await maps.create(configMap('posted', { a: '1', b: '2' }), '?fieldManager=headstart');
    const { body } = await maps.apply('posted', configMap('posted', { a: '1' }), HEADSTART);
    expect(body.data).toEqual({ a: '1', b: '2' });
    expect(managersOf(body)).toEqual(['headstart Apply', 'headstart Update']);
  });

  test('a value that another manager owns is 409 Conflict and names the manager and the field', async () => {
    await maps.apply('contested', configMap('contested', { a: '1' }), 'fieldManager=first');
    const { status, body } = await maps.apply('contested', configMap('contested', { a: '2' }), 'fieldManager=second');
    expect(status).toBe(409);
    expect(body).toMatchObject({
      kind: 'Status',
      reason: 'Conflict',
      message: 'Apply failed with 1 conflict: conflict with "first": .data.a',
      details: {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "first"', field: '.data.a' }],
      },
      code: 409,
    });
    expect((await maps.get('contested')).body.data).toEqual({ a: '1' });
  });

  test('the same value is no conflict: both own it', async () => {
    await maps.apply('agreed-on', configMap('agreed-on', { a: '1' }), 'fieldManager=first');
    const { status, body } = await maps.apply('agreed-on', configMap('agreed-on', { a: '1' }), 'fieldManager=second');
    expect([status, managersOf(body)]).toEqual([200, ['first Apply', 'second Apply']]);
  });

  test('force takes the field over', async () => {
    await maps.apply('forced', configMap('forced', { a: '1', b: '1' }), 'fieldManager=first');
    const { status, body } = await maps.apply('forced', configMap('forced', { a: '2' }), HEADSTART);
    expect([status, body.data]).toEqual([200, { a: '2', b: '1' }]);
    const fields = Object.fromEntries(
      body.metadata.managedFields.map((one: { manager: string; fieldsV1: unknown }) => [one.manager, one.fieldsV1]),
    );
    expect(fields).toEqual({ first: { 'f:data': { 'f:b': {} } }, headstart: { 'f:data': { 'f:a': {} } } });
  });

  test('an apply with an old version is 409 Conflict even with force', async () => {
    const { body: old } = await maps.apply('versioned', configMap('versioned', { a: '1' }), HEADSTART);
    await maps.merge('versioned', { metadata: { annotations: { a: '1' } } });
    const { resourceVersion } = old.metadata;
    const { status, body } = await maps.apply(
      'versioned',
      configMap('versioned', { a: '2' }, { resourceVersion }),
      HEADSTART,
    );
    expect([status, body.reason]).toEqual([409, 'Conflict']);
    expect(body.message).toContain('the object has been modified');
    expect(body.details.causes).toBeUndefined();
  });

  test('an apply with the current version goes through', async () => {
    const { body: old } = await maps.apply('current', configMap('current', { a: '1' }), HEADSTART);
    const { resourceVersion } = old.metadata;
    const { status } = await maps.apply('current', configMap('current', { a: '2' }, { resourceVersion }), HEADSTART);
    expect(status).toBe(200);
  });

  test('an apply with a version creates an object that is no longer there', async () => {
    const stale = configMap('vanished', { a: '1' }, { resourceVersion: '1' });
    expect((await maps.apply('vanished', stale, HEADSTART)).status).toBe(201);
  });

  test('an apply without a field manager is 422', async () => {
    const { status, body } = await maps.apply('nameless', configMap('nameless', {}), 'force=true');
    expect([status, body.reason]).toEqual([422, 'Invalid']);
    expect(body.details.causes[0]).toMatchObject({ field: 'fieldManager', reason: 'FieldValueRequired' });
  });

  describe('of a Deployment', () => {
    test('keeps what the server fills in', async () => {
      await deployments.apply('filled', deployment('filled'), HEADSTART);
      const { status, body } = await deployments.apply('filled', deployment('filled', { replicas: 0 }), HEADSTART);
      expect([status, body.spec.revisionHistoryLimit, body.metadata.generation]).toEqual([200, 10, 1]);
    });

    test('a container that it no longer states vanishes, and the other one stays', async () => {
      const given = deployment('containers');
      const [pause] = given.spec.template.spec.containers;
      const containers = [pause, { name: 'other', image: 'registry.k8s.io/pause:3.10' }];
      const both = { ...given.spec.template, spec: { containers } };
      await deployments.apply('containers', deployment('containers', { template: both }), HEADSTART);
      const { body } = await deployments.apply('containers', given, HEADSTART);
      expect(body.spec.template.spec.containers.map((one: { name: string }) => one.name)).toEqual(['pause']);
    });

    test('a field with a default falls back to it when it is no longer stated', async () => {
      await deployments.apply('fallback', deployment('fallback', { revisionHistoryLimit: 2 }), HEADSTART);
      const { body } = await deployments.apply('fallback', deployment('fallback'), HEADSTART);
      expect(body.spec.revisionHistoryLimit).toBe(10);
    });

    test('a scale by someone else is a conflict that names the subresource, and force settles it', async () => {
      const spec = { paused: true };
      await deployments.apply('tug', deployment('tug', { ...spec, replicas: 1 }), HEADSTART);
      await deployments.send(
        'PATCH',
        '/tug/scale?fieldManager=kubectl',
        { spec: { replicas: 2 } },
        'application/merge-patch+json',
      );
      const refused = await deployments.apply(
        'tug',
        deployment('tug', { ...spec, replicas: 1 }),
        'fieldManager=headstart',
      );
      expect([refused.status, refused.body.reason]).toEqual([409, 'Conflict']);
      expect(refused.body.message).toContain('conflict with "kubectl" with subresource "scale" using apps/v1');
      expect(refused.body.details.causes[0].field).toBe('.spec.replicas');
      const { status, body } = await deployments.apply('tug', deployment('tug', { ...spec, replicas: 1 }), HEADSTART);
      expect([status, body.spec.replicas]).toEqual([200, 1]);
      await deployments.remove('tug');
    });

    test('an incomplete first apply is 422 and creates nothing', async () => {
      const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'half' }, spec: { replicas: 1 } };
      const refused = await deployments.apply('half', body, HEADSTART);
      expect([refused.status, refused.body.reason]).toEqual([422, 'Invalid']);
      expect((await deployments.get('half')).status).toBe(404);
    });
  });
}
