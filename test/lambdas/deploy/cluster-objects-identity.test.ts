import { loopbackConnection } from '../../../shared/adapters/kube/connection';
import { kubeTransport, type TransportOptions } from '../../../shared/adapters/kube/kube-transport';
import { clusterObjects } from '../../../shared/core/manifests/cluster-object-manifests';
import {
  DEPLOYER,
  HEADROOM_OWNER,
  LABELS,
  nodePool,
  OWN,
  OWN_NAMES,
  PHYSICAL_ID,
  PROPERTIES,
  useClusterObjects,
} from './cluster-objects-setup';
import { OPEN } from './facts';
import { awsError, request } from './requests';

const setup = useClusterObjects();
const AFRESH =
  'run npx cdk deploy --all -c again=$(date +%s), or npx headstart export --again and deploy that: everything is applied again, with a new role';

const update = (properties = {}, old = {}) =>
  request(
    'Update',
    { ...PROPERTIES, ...properties },
    { PhysicalResourceId: PHYSICAL_ID, OldResourceProperties: { ...PROPERTIES, ...old } },
  );

describe('the deploying role', () => {
  test('is admin until the objects are applied, and then loses the one policy of its own access entry', async () => {
    const dropped: unknown[] = [];
    const dropAdmin = async (policy: unknown) => {
      dropped.push(policy, setup.world.names());
    };
    await setup.handle(request('Create', PROPERTIES), { dropAdmin });
    const { deployer: principalArn, adminPolicy: policyArn } = PROPERTIES;
    expect(dropped).toEqual([{ clusterName: 'demo', region: 'ap-northeast-2', principalArn, policyArn }, OWN_NAMES]);
  });

  test('stays admin after a failure, so that CloudFormation can take everything away', async () => {
    setup.world.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'headroom' } });
    await expect(setup.created()).rejects.toThrow("not Headstart's");
    expect(setup.dropped).toEqual([]);
  });

  const refused = awsError('AccessDeniedException', 'not authorized: eks:DisassociateAccessPolicy');
  const CREATING = { stackStatus: async () => 'CREATE_IN_PROGRESS' };
  const cannotDrop = async () => Promise.reject(refused);

  test('that cannot lose it fails the first deploy, and the objects go: nobody is admin at rest', async () => {
    const ports = { ...CREATING, dropAdmin: cannotDrop };
    await expect(setup.handle(request('Create', PROPERTIES), ports)).rejects.toThrow(
      `the deploying role may still be cluster admin: ${refused.message}; the rollback deletes it`,
    );
    expect(setup.requested).toEqual(['apply', 'remove']);
    expect(setup.world.names()).toEqual([]);
    expect(setup.clock.passed()).toBeLessThanOrEqual(240_000);
  });

  test('that cannot lose it leaves the objects where the stack had been without them: they may have been applied by hand', async () => {
    for (const object of OWN) setup.world.put(object);
    await expect(setup.handle(request('Create', PROPERTIES), { dropAdmin: cannotDrop })).rejects.toThrow(
      refused.message,
    );
    expect(setup.requested).toEqual(['apply', 'leave']);
    expect(setup.world.names()).toEqual(OWN_NAMES.filter((name) => !name.includes('headstart-deploy')));
  });

  test('that cannot lose it fails an update that applied, without taking the objects away', async () => {
    await setup.created();
    await expect(setup.handle(update({ deployer: 'arn:new' }), { dropAdmin: cannotDrop })).rejects.toThrow(
      refused.message,
    );
    expect(setup.world.names()).toEqual(OWN_NAMES);
  });

  test('that has nothing to apply does not fail the deploy when the policy cannot be taken off: that is logged, and rings', async () => {
    await setup.created();
    const rung: string[] = [];
    await expect(
      setup.handle(update({ config: 'other' }), { dropAdmin: cannotDrop, ring: (cluster) => rung.push(cluster) }),
    ).resolves.toMatchObject({ data: { Changed: 'nothing' } });
    expect(rung).toEqual(['demo']);
    expect(setup.log.lines.join('\n')).toContain('may still be cluster admin');
  });

  test('does not fail when a request that has already succeeded is delivered again: it is admin no more', async () => {
    await setup.created();
    setup.world.refuse = ({ method }) => (method === 'PATCH' ? 403 : undefined);
    await expect(setup.created()).resolves.toMatchObject({ physicalResourceId: PHYSICAL_ID });
    expect(setup.requested).toEqual(['apply', 'apply', 'check']);
  });

  test('still fails when it was never let in', async () => {
    setup.world.refuse = () => 403;
    await expect(setup.created()).rejects.toThrow(/^cluster demo refuses this to the function's role/);
  });

  test('only looks when it is not new, and writes nothing', async () => {
    await setup.created();
    const before = setup.world.writes().length;
    await expect(setup.handle(update({ config: 'other' }))).resolves.toEqual({
      physicalResourceId: PHYSICAL_ID,
      data: { LeftToDelete: 'nothing', Changed: 'nothing' },
    });
    expect(setup.requested).toEqual(['apply', 'check']);
    expect(setup.world.writes()).toHaveLength(before);
    // CloudFormation may have put the policy back, as when the stack's tags changed.
    expect(setup.dropped).toEqual([DEPLOYER, DEPLOYER]);
  });

  test('applies when it is new, as for other objects or another value of again', async () => {
    await setup.created();
    await setup.handle(update({ deployer: 'arn:new' }), { objects: clusterObjects('headroom') });
    expect(setup.requested).toEqual(['apply', 'apply']);
    expect(setup.dropped).toEqual([DEPLOYER, 'arn:new']);
  });

  test('says what somebody removed, and the command that repairs it', async () => {
    await setup.created();
    await setup.world.transport.delete(
      '/apis/rbac.authorization.k8s.io/v1/namespaces/headroom/rolebindings/headstart-runtime',
    );
    await expect(setup.handle(update())).rejects.toThrow(
      `somebody removed RoleBinding headroom/headstart-runtime from the cluster; ${AFRESH}`,
    );
  });

  test('says what somebody changed, without failing the deploy', async () => {
    await setup.created();
    const [namespace] = OWN;
    const labels = { ...LABELS, 'pod-security.kubernetes.io/enforce': 'privileged' };
    setup.world.put({ ...namespace, apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'headroom', labels } });
    await expect(setup.handle(update())).resolves.toMatchObject({
      data: {
        Changed: `Namespace headroom (metadata.labels.pod-security.kubernetes.io/enforce); ${AFRESH}`,
      },
    });
  });
});

describe('a cluster that was deleted and created again under its name', () => {
  const describe = async () => ({ ...OPEN, id: 'NEWER' });

  test('fails a deploy at once, with the command that repairs it', async () => {
    await expect(setup.handle(update(), { describe })).rejects.toThrow(
      `cluster demo was deleted and created again since this stack was deployed to it; ${AFRESH}`,
    );
    expect(setup.requested).toEqual([]);
    expect(setup.clock.passed()).toBe(0);
  });
});

describe('a wrong subnet, from which no packet comes back,', () => {
  test('ends within three minutes, with the reason', async () => {
    const { now, sleep } = setup.clock;
    const silent: TransportOptions['send'] = async (_connection, _request, { timeoutMs }) => {
      await sleep(timeoutMs);
      throw new Error(`no response within ${timeoutMs} ms`);
    };
    const connection = loopbackConnection('http://127.0.0.1:9');
    const connect = async () => kubeTransport(connection, { now, sleep, send: silent });
    await expect(setup.handle(request('Create', { ...PROPERTIES, placed: 'true' }), { connect })).rejects.toThrow(
      /^the functions in cluster\.vpc cannot reach cluster demo; security group sg-0c2d must admit port 443/,
    );
    expect(setup.clock.passed()).toBeLessThan(180_000);
  });
});

describe('a failed creation', () => {
  test('takes back what it made, and leaves what was there', async () => {
    const [, priorityClass] = OWN;
    if (priorityClass) setup.world.put(priorityClass);
    setup.world.refuse = ({ method, path }) =>
      method === 'PATCH' && path.endsWith('bindings/headstart-runtime-headroom') ? 500 : undefined;
    await expect(setup.created()).rejects.toThrow(/500/);
    expect(setup.world.names()).toEqual(['PriorityClass headstart-headroom']);
  });

  test('never takes back a NodePool: deleting one drains nodes', async () => {
    setup.world.refuse = ({ method, path }) =>
      method === 'PATCH' && path.includes('clusterrolebindings') ? 500 : undefined;
    await expect(setup.created([nodePool('service')])).rejects.toThrow(/500/);
    expect(setup.world.names()).toEqual(['NodePool service']);
  });
});

describe('a namespace that no deploy created', () => {
  const deployment = (name: string, owner: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'headroom', labels: LABELS, annotations: { 'headstart.dev/owner': owner } },
    spec: {
      selector: { matchLabels: { a: name } },
      template: { metadata: { labels: { a: name } }, spec: { containers: [{ name: 'a', image: 'a' }] } },
    },
  });
  const destroyed = () =>
    setup.handle(request('Delete', PROPERTIES, { PhysicalResourceId: PHYSICAL_ID }), {
      stackStatus: async () => 'DELETE_IN_PROGRESS',
    });

  test('outlives the stack, without what is ours in it', async () => {
    // As kubectl applied them, with manual access.
    for (const object of OWN) setup.world.put(object);
    await setup.created();
    setup.world.put(deployment('headroom-default', HEADROOM_OWNER));
    setup.world.put(deployment('headroom-theirs', 'another/stack'));
    await destroyed();
    expect(setup.world.names()).toEqual(['Deployment headroom/headroom-theirs', 'Namespace headroom']);
  });

  test('stays also when the config goes over to another one', async () => {
    for (const object of OWN) setup.world.put(object);
    await setup.created();
    await setup.handle(update({ deployer: 'arn:new' }), { objects: clusterObjects('other') });
    const left = setup.world.names().filter((name) => name.includes('headroom'));
    expect(left).toEqual(['Namespace headroom']);
  });
});
