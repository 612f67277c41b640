import { type Connect, client, configMap, deployment } from './kube-client';

/** Creating, reading, listing and deleting. */
export function objectContract(connect: Connect): void {
  const maps = client(connect, 'configmaps');
  const deployments = client(connect, 'deployments');

  test('a created object has an identity, a version and a time', async () => {
    const { status, body } = await maps.create(configMap('created', { a: '1' }));
    expect(status).toBe(201);
    expect(body).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } });
    const { namespace } = await connect();
    expect(body.metadata).toMatchObject({ name: 'created', namespace, uid: expect.any(String) });
    expect(body.metadata.resourceVersion).toMatch(/^\d+$/);
    expect(body.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(await maps.get('created')).toEqual({ status: 200, body });
  });

  test('a second create of the same name is 409 AlreadyExists', async () => {
    await maps.create(configMap('twice', {}));
    const { status, body } = await maps.create(configMap('twice', {}));
    expect(status).toBe(409);
    expect(body).toMatchObject({
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'AlreadyExists',
      message: 'configmaps "twice" already exists',
      details: { name: 'twice', kind: 'configmaps' },
      code: 409,
    });
  });

  test('a missing object is 404 NotFound and names itself', async () => {
    const { status, body } = await deployments.get('missing');
    expect(status).toBe(404);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'NotFound',
      message: 'deployments.apps "missing" not found',
      details: { name: 'missing', group: 'apps', kind: 'deployments' },
      code: 404,
    });
  });

  test('a create in a namespace that does not exist is 404 and names the namespace', async () => {
    const { request } = await connect();
    const { status, body } = await request('POST', '/api/v1/namespaces/nowhere/configmaps', configMap('a', {}));
    expect([status, body.message]).toEqual([404, 'namespaces "nowhere" not found']);
  });

  test.each([
    { name: 'an unknown resource of a known group', path: '/apis/apps/v1/nothings', reason: 'NotFound' },
    {
      name: 'an unknown subresource',
      path: '/apis/apps/v1/namespaces/default/deployments/x/nothing',
      reason: 'NotFound',
    },
  ])('$name is 404', async ({ path, reason }) => {
    const { status, body } = await (await connect()).request('GET', path);
    expect([status, body.reason]).toEqual([404, reason]);
  });

  test('an unknown group is 404', async () => {
    expect((await (await connect()).request('GET', '/apis/nobody.example/v1/things')).status).toBe(404);
  });

  test('a method that a resource does not have is 405', async () => {
    const { status, body } = await maps.send('PUT', '', configMap('a', {}));
    expect([status, body.reason]).toEqual([405, 'MethodNotAllowed']);
  });

  test('a name can be generated', async () => {
    const { status, body } = await maps.create({ ...configMap('', {}), metadata: { generateName: 'made-' } });
    expect([status, body.metadata.generateName]).toEqual([201, 'made-']);
    expect(body.metadata.name).toMatch(/^made-[a-z0-9]{5}$/);
  });

  describe('lists', () => {
    beforeAll(async () => {
      await maps.create(configMap('red', {}, { labels: { suite: 'lists', color: 'red', size: 's' } }));
      await maps.create(configMap('green', {}, { labels: { suite: 'lists', color: 'green' } }));
      await maps.create(configMap('blue', {}, { labels: { suite: 'lists', color: 'blue', size: 'l' } }));
    });

    test.each([
      { name: 'equality', selector: 'color=red', found: ['red'] },
      { name: 'double equality', selector: 'color==green', found: ['green'] },
      { name: 'inequality, which an absent label satisfies', selector: 'size!=l', found: ['green', 'red'] },
      { name: 'in a set', selector: 'color in (red, blue)', found: ['blue', 'red'] },
      { name: 'not in a set', selector: 'color notin (red,blue)', found: ['green'] },
      { name: 'presence', selector: 'size', found: ['blue', 'red'] },
      { name: 'absence', selector: '!size', found: ['green'] },
      { name: 'two at once', selector: 'size,color!=red', found: ['blue'] },
      { name: 'none that matches', selector: 'color=black', found: [] },
    ])('a label selector selects by $name', async ({ selector, found }) => {
      const { status, body } = await maps.list(`?labelSelector=${encodeURIComponent(`suite=lists,${selector}`)}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: expect.any(Object) });
      expect(body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(found);
    });

    test('the items of a list name neither their version nor their kind', async () => {
      const { body } = await maps.list('?labelSelector=suite%3Dlists');
      expect(body.items).toHaveLength(3);
      expect(body.items.filter((item: object) => 'kind' in item || 'apiVersion' in item)).toEqual([]);
    });

    test('a field selector selects by name', async () => {
      const { body } = await maps.list('?fieldSelector=metadata.name%3Dred');
      expect(body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(['red']);
    });

    test.each([
      { name: 'a label selector that cannot be read', query: '?labelSelector=%3D%3D' },
      { name: 'a field selector that the kind does not have', query: '?fieldSelector=data.a%3D1' },
    ])('$name is 400 BadRequest', async ({ query }) => {
      const { status, body } = await maps.list(query);
      expect([status, body.kind, body.reason]).toEqual([400, 'Status', 'BadRequest']);
    });

    test('comes in pages when a limit is given', async () => {
      const query = '?labelSelector=suite%3Dlists&limit=2';
      const first = await maps.list(query);
      expect(first.body.items).toHaveLength(2);
      const second = await maps.list(`${query}&continue=${encodeURIComponent(first.body.metadata.continue)}`);
      expect(second.body.items).toHaveLength(1);
      expect(second.body.metadata.continue ?? '').toBe('');
    });
  });

  describe('deletes', () => {
    test('an object goes, and the answer says which', async () => {
      const { body: created } = await maps.create(configMap('gone', {}));
      const { status, body } = await maps.remove('gone');
      const details = { name: 'gone', kind: 'configmaps', uid: created.metadata.uid };
      expect([status, body]).toMatchObject([200, { kind: 'Status', status: 'Success', details }]);
      expect((await maps.get('gone')).status).toBe(404);
      expect((await maps.remove('gone')).status).toBe(404);
    });

    test.each([
      { name: 'uid', preconditions: { uid: '00000000-0000-0000-0000-000000000000' }, says: /UID in the precondition/ },
      { name: 'resourceVersion', preconditions: { resourceVersion: '1' }, says: /ResourceVersion in the precondition/ },
    ])('a wrong $name in the preconditions is 409 Conflict and keeps the object', async ({ preconditions, says }) => {
      await maps.create(configMap('kept', {}));
      const { status, body } = await maps.remove('kept', { apiVersion: 'v1', kind: 'DeleteOptions', preconditions });
      expect([status, body.reason]).toEqual([409, 'Conflict']);
      expect(body.message).toMatch(says);
      expect((await maps.get('kept')).status).toBe(200);
    });

    test('the right preconditions let it go', async () => {
      const { body: created } = await maps.create(configMap('agreed', {}));
      const { uid, resourceVersion } = created.metadata;
      const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } };
      expect((await maps.remove('agreed', options)).status).toBe(200);
    });

    test('a finalizer keeps an object until it is taken off', async () => {
      await maps.create(configMap('guarded', {}, { finalizers: ['example.com/guard'] }));
      expect((await maps.remove('guarded')).body.metadata.deletionTimestamp).toEqual(expect.any(String));
      expect((await maps.get('guarded')).status).toBe(200);
      await maps.merge('guarded', { metadata: { finalizers: null } });
      expect((await maps.get('guarded')).status).toBe(404);
    });
  });

  test('a dry run answers as the write would and changes nothing', async () => {
    expect((await maps.create(configMap('dry', { a: '1' }), '?dryRun=All')).status).toBe(201);
    expect((await maps.get('dry')).status).toBe(404);
  });

  test('a Deployment gets the defaults that a client leaves out', async () => {
    const { replicas, ...spec } = deployment('defaults').spec;
    const { body } = await deployments.create({ ...deployment('defaults'), spec });
    expect(body.spec).toMatchObject({
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      template: {
        spec: {
          restartPolicy: 'Always',
          terminationGracePeriodSeconds: 30,
          dnsPolicy: 'ClusterFirst',
          schedulerName: 'default-scheduler',
          securityContext: {},
          containers: [
            {
              name: 'pause',
              imagePullPolicy: 'IfNotPresent',
              resources: {},
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
            },
          ],
        },
      },
    });
    expect(body.metadata.generation).toBe(1);
    await deployments.remove('defaults');
  });

  test('quantities are stored in one form', async () => {
    const given = deployment('quantities');
    const resources = { requests: { cpu: '1000m', memory: '1024Mi' }, limits: { cpu: 1.5, memory: '2048Mi' } };
    const containers = [{ name: 'pause', image: 'registry.k8s.io/pause:3.10', resources }];
    const template = { ...given.spec.template, spec: { containers } };
    const { body } = await deployments.create(deployment('quantities', { template }));
    expect(body.spec.template.spec.containers[0].resources).toEqual({
      requests: { cpu: '1', memory: '1Gi' },
      limits: { cpu: '1500m', memory: '2Gi' },
    });
  });
}
