import { type Connect, client, configMap, deployment, priorityClass } from './kube-client';

interface Refusal {
  readonly name: string;
  readonly body: object;
  readonly field: string;
  readonly reason?: string;
}

/** What is refused, and how the refusal reads. */
export function validationContract(connect: Connect): void {
  const maps = client(connect, 'configmaps');
  const deployments = client(connect, 'deployments');
  const classes = client(connect, 'priorityclasses');
  const template = deployment('bad').spec.template;

  test.each<Refusal>([
    { name: 'negative replicas', body: deployment('bad', { replicas: -1 }), field: 'spec.replicas' },
    {
      name: 'labels that the selector does not select',
      body: deployment('bad', { template: { ...template, metadata: { labels: { app: 'other' } } } }),
      field: 'spec.template.metadata.labels',
    },
    {
      name: 'no selector',
      body: deployment('bad', { selector: undefined }),
      field: 'spec.selector',
      reason: 'FieldValueRequired',
    },
    {
      name: 'no template',
      body: deployment('bad', { template: undefined }),
      field: 'spec.template.spec.containers',
      reason: 'FieldValueRequired',
    },
    {
      name: 'a container without a name',
      body: deployment('bad', { template: { ...template, spec: { containers: [{ image: 'a' }] } } }),
      field: 'spec.template.spec.containers[0].name',
      reason: 'FieldValueRequired',
    },
    {
      name: 'no surge and nothing unavailable',
      body: deployment('bad', { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
      field: 'spec.strategy.rollingUpdate.maxUnavailable',
    },
    { name: 'a name in capitals', body: deployment('Bad_Name'), field: 'metadata.name' },
    {
      name: 'a label value with a blank',
      body: deployment('bad', {}, { labels: { app: 'not so good' } }),
      field: 'metadata.labels',
    },
  ])(
    'a Deployment with $name is 422 Invalid and names the field',
    async ({ body, field, reason = 'FieldValueInvalid' }) => {
      const { metadata } = body as ReturnType<typeof deployment>;
      const { status, body: answer } = await deployments.create(body);
      expect(status).toBe(422);
      expect(answer).toMatchObject({ kind: 'Status', reason: 'Invalid', code: 422 });
      expect(answer.details).toMatchObject({ name: metadata.name, group: 'apps', kind: 'Deployment' });
      expect(answer.message).toMatch(new RegExp(`^Deployment.apps "${metadata.name}" is invalid: `));
      expect(answer.details.causes).toContainEqual({ reason, field, message: expect.any(String) });
    },
  );

  test('a message tells the value and the rule', async () => {
    const { body } = await deployments.create(deployment('bad', { replicas: -1 }));
    expect(body.message).toBe(
      'Deployment.apps "bad" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    );
  });

  test('the selector of a Deployment is immutable', async () => {
    await deployments.create(deployment('fixed'));
    const labels = { app: 'fixed', more: '1' };
    const change = { spec: { selector: { matchLabels: labels }, template: { metadata: { labels } } } };
    const { status, body } = await deployments.merge('fixed', change);
    expect([status, body.reason]).toEqual([422, 'Invalid']);
    expect(body.message).toContain('field is immutable');
    expect(body.details.causes[0].field).toBe('spec.selector');
  });

  test('an object without a name is 422', async () => {
    const { status, body } = await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} });
    expect([status, body.details.causes[0]]).toMatchObject([
      422,
      { field: 'metadata.name', reason: 'FieldValueRequired' },
    ]);
  });

  describe('a PriorityClass', () => {
    const name = async (end: string) => `${(await connect()).namespace}-${end}`;

    test('preempts lower ones unless it says otherwise', async () => {
      const { status, body } = await classes.create(priorityClass(await name('default'), 5));
      expect([status, body.value, body.preemptionPolicy]).toEqual([201, 5, 'PreemptLowerPriority']);
      await classes.remove(await name('default'));
    });

    test('never changes its value', async () => {
      const own = await name('value');
      await classes.create(priorityClass(own, -10, { preemptionPolicy: 'Never' }));
      const { status, body } = await classes.merge(own, { value: -5 });
      expect([status, body.reason]).toEqual([422, 'Invalid']);
      expect(body.details).toMatchObject({ kind: 'PriorityClass', group: 'scheduling.k8s.io' });
      expect(body.details.causes).toContainEqual({
        reason: 'FieldValueForbidden',
        field: 'value',
        message: 'Forbidden: may not be changed in an update.',
      });
      await classes.remove(own);
    });

    test.each([
      { name: 'above what users may have', value: 1_000_000_001, own: 'high', field: 'value' },
      { name: 'with a name of the system', value: 1, own: 'system-mine', field: 'metadata.name' },
    ])('$name is refused', async ({ own, value, field }) => {
      const { status, body } = await classes.create(priorityClass(own, value));
      expect([status, body.details.causes[0].field]).toEqual([422, field]);
      expect(body.details.causes[0].reason).toBe('FieldValueForbidden');
    });
  });

  test.each([
    { name: 'text where a number belongs', body: deployment('bad', { replicas: 'three' }) },
    { name: 'a number where an annotation belongs', body: deployment('bad', {}, { annotations: { a: 1 } }) },
    { name: 'another kind', body: { ...configMap('bad', {}), apiVersion: 'apps/v1', kind: 'ReplicaSet' } },
    { name: 'another version', body: { ...deployment('bad'), apiVersion: 'apps/v2' } },
    { name: 'another namespace', body: deployment('bad', {}, { namespace: 'elsewhere' }) },
  ])('$name is 400 BadRequest', async ({ body }) => {
    const { status, body: answer } = await deployments.create(body);
    expect([status, answer.kind, answer.reason]).toEqual([400, 'Status', 'BadRequest']);
  });

  test('a pod that names no known PriorityClass is 403 Forbidden', async () => {
    const { request, namespace } = await connect();
    const containers = [{ name: 'pause', image: 'registry.k8s.io/pause:3.10' }];
    const spec = { priorityClassName: 'nobody-knows', containers };
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'unknown-class' }, spec };
    const answer = await request('POST', `/api/v1/namespaces/${namespace}/pods`, body);
    expect([answer.status, answer.body.reason]).toEqual([403, 'Forbidden']);
    expect(answer.body.message).toContain('no PriorityClass with name nobody-knows was found');
  });
}
