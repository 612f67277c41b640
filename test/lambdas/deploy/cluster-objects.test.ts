import { clusterObjects, type Manifest } from '../../../shared/core/manifests/cluster-object-manifests';
import {
  LABELS,
  namesIn,
  namespace,
  nodeClass,
  nodePool,
  OWN,
  OWN_NAMES,
  PHYSICAL_ID,
  PROPERTIES,
  useClusterObjects,
} from './cluster-objects-setup';
import { OPEN } from './facts';
import { request } from './requests';

const setup = useClusterObjects();

/** Other objects come with a new role. */
const updated = (objects: readonly Manifest[]) =>
  setup.handle(request('Update', { ...PROPERTIES, deployer: 'arn:new' }, { OldResourceProperties: PROPERTIES }), {
    objects,
  });

describe('creating', () => {
  test('applies everything and names the resource after the cluster', async () => {
    await expect(setup.created()).resolves.toEqual({
      physicalResourceId: PHYSICAL_ID,
      data: { LeftToDelete: 'nothing', Changed: 'nothing' },
    });
    expect(setup.world.names()).toEqual(OWN_NAMES);
  });

  test('enforces Pod Security on the namespace', async () => {
    await setup.created();
    expect(setup.world.find('Namespace', 'headroom')?.metadata.labels).toMatchObject({
      ...LABELS,
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
  });

  test('a second time changes nothing', async () => {
    await setup.created();
    const before = setup.world.find('ClusterRole', 'headstart-runtime-headroom');
    await setup.created();
    expect(setup.world.find('ClusterRole', 'headstart-runtime-headroom')).toEqual(before);
  });

  test.each([{ status: 401 }, { status: 403 }])(
    'waits until a new access entry is known: $status at first',
    async ({ status }) => {
      setup.world.refuse = () => (setup.clock.passed() < 45_000 ? status : undefined);
      await setup.created();
      expect(setup.world.names()).toEqual(OWN_NAMES);
    },
  );

  test('waits also when one API server of two does not know the entry yet', async () => {
    let asked = 0;
    setup.world.refuse = () => (++asked % 2 === 0 && setup.clock.passed() < 60_000 ? 403 : undefined);
    await setup.created();
    expect(setup.world.names()).toEqual(OWN_NAMES);
  });

  test('gives up in time to respond', async () => {
    setup.world.refuse = () => 401;
    await expect(setup.handle(request('Create', PROPERTIES), { deadline: setup.clock.now() + 30_000 })).rejects.toThrow(
      /access entry/,
    );
    expect(setup.clock.passed()).toBeLessThanOrEqual(30_000);
  });

  test('gives up after two minutes and says what to look at', async () => {
    setup.world.refuse = () => 401;
    await expect(setup.created()).rejects.toThrow(
      /^cluster demo does not know the function's role; its access entry is missing or was removed: compare aws eks list-access-entries --cluster-name demo --region ap-northeast-2 \(GET .*: 401 /,
    );
    expect(setup.clock.passed()).toBeGreaterThan(100_000);
    expect(setup.clock.passed()).toBeLessThanOrEqual(120_000);
  });

  test('names CONFIG_MAP mode as the cause where it is', async () => {
    setup.world.refuse = () => 401;
    const describe = async () => ({ ...OPEN, authenticationMode: 'CONFIG_MAP' });
    await expect(setup.handle(request('Create', PROPERTIES), { describe })).rejects.toThrow(
      /CONFIG_MAP.*update-cluster-config/,
    );
  });

  test('waits for a namespace of the last deploy that still ends', async () => {
    await setup.created();
    setup.world.put(namespace(['test/hold']));
    await setup.world.transport.delete('/api/v1/namespaces/headroom');
    setup.world.refuse = ({ method, path }) => {
      if (method === 'GET' && path === '/api/v1/namespaces/headroom' && setup.clock.passed() > 6_000)
        setup.world.put(namespace([]));
      return undefined;
    };
    await setup.created();
    expect(setup.clock.passed()).toBeGreaterThan(6_000);
    expect(setup.world.names()).toEqual(OWN_NAMES);
  });
});

describe('what belongs to others', () => {
  test.each([
    { name: 'NodePool', foreign: nodePool('default', {}) },
    { name: 'EC2NodeClass', foreign: nodeClass('default', { 'app.kubernetes.io/managed-by': 'Helm' }) },
    {
      name: 'PriorityClass',
      foreign: {
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name: 'headstart-headroom' },
        value: 5,
      },
    },
  ])('an existing $name is not adopted, and nothing is changed', async ({ name, foreign }) => {
    setup.world.put(foreign);
    const before = setup.world.find(name, foreign.metadata.name);
    const objects = [...OWN, nodeClass('default'), nodePool('default')];
    await expect(setup.created(objects)).rejects.toThrow(
      `not Headstart's, and nothing was changed: ${name} ${foreign.metadata.name}; choose another name in the config, or hand over what is there: kubectl label ${name.toLowerCase()} ${foreign.metadata.name} --overwrite app.kubernetes.io/managed-by=headstart`,
    );
    expect(setup.world.find(name, foreign.metadata.name)).toEqual(before);
    expect(setup.world.writes()).toEqual([]);
  });

  test('an existing namespace is never taken over, and nobody is told how to', async () => {
    setup.world.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'headroom' } });
    const refusal = setup.created();
    await expect(refusal).rejects.toThrow(
      "not Headstart's, and nothing was changed: Namespace headroom; write another name in cluster.namespace",
    );
    await expect(refusal).rejects.not.toThrow(/kubectl label/);
    expect(setup.world.writes()).toEqual([]);
  });

  test('all of them are named at once', async () => {
    setup.world.put(nodePool('a', {}));
    setup.world.put(nodePool('b', {}));
    await expect(setup.created([...OWN, nodePool('a'), nodePool('b')])).rejects.toThrow(/: NodePool a, NodePool b; /);
  });

  test('what a person handed over by the label is adopted', async () => {
    setup.world.put(nodePool('default'));
    await setup.created([...OWN, nodeClass('default'), nodePool('default')]);
    expect(setup.world.find('NodePool', 'default')?.metadata.annotations).toHaveProperty(['headstart.dev/applied-by']);
  });
});

describe('updating', () => {
  test('prunes what it applied and no longer asks for', async () => {
    await setup.created();
    await updated(clusterObjects('other'));
    expect(setup.world.names()).toEqual(namesIn('other'));
  });

  test('leaves objects with our label that it did not apply', async () => {
    await setup.created();
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'mine', labels: LABELS },
    };
    setup.world.put({ ...role, rules: [] });
    await updated(OWN);
    expect(setup.world.names()).toContain('ClusterRole mine');
  });

  test('a PriorityClass of ours with another value is made anew, since the value never changes', async () => {
    const older = OWN.map((manifest) => (manifest.kind === 'PriorityClass' ? { ...manifest, value: -20 } : manifest));
    await setup.created(older);
    await updated(OWN);
    expect(setup.world.find('PriorityClass', 'headstart-headroom')).toMatchObject({
      value: -10,
      preemptionPolicy: 'Never',
    });
  });

  test('never deletes a NodePool or EC2NodeClass, and prints the commands that would', async () => {
    await setup.created([...OWN, nodeClass('old'), nodePool('old'), nodePool('old-spot'), nodePool('kept')]);
    const { data } = await updated([...OWN, nodePool('kept')]);
    expect(data).toMatchObject({
      LeftToDelete: 'kubectl delete nodepool old old-spot && kubectl delete ec2nodeclass old',
    });
    expect(setup.world.names()).toEqual(
      expect.arrayContaining(['NodePool old', 'NodePool old-spot', 'EC2NodeClass old']),
    );
  });

  test('prints as many of them as a response of CloudFormation holds, none of their names in part', async () => {
    const names = Array.from({ length: 200 }, (_, i) => `pool-${'x'.repeat(50)}-${100 + i}`);
    await setup.created([...OWN, ...names.map((name) => nodePool(name)), nodePool('kept')]);
    const { data } = await updated([...OWN, nodePool('kept')]);
    const text = data?.LeftToDelete ?? '';
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text).toMatch(/^kubectl delete nodepool pool-x+-100 .+ \.\.\.$/);
    const printed = text.match(/pool-x+\S*/g) ?? [];
    expect(printed.length).toBeGreaterThan(10);
    expect(names).toEqual(expect.arrayContaining(printed));
  });

  test('prints nothing about NodePools where it applies none: they belong to another stack', async () => {
    setup.world.put(nodePool('theirs'));
    await expect(setup.created()).resolves.toMatchObject({ data: { LeftToDelete: 'nothing' } });
  });

  test('a NodePool without our label is never among them', async () => {
    setup.world.put(nodePool('theirs', {}));
    await expect(setup.created()).resolves.toMatchObject({ data: { LeftToDelete: 'nothing' } });
  });
});

describe('a cluster without Karpenter', () => {
  beforeEach(() => {
    setup.world.refuse = ({ path }) => (path.includes('karpenter') ? 404 : undefined);
  });

  test('takes everything else', async () => {
    await expect(setup.created()).resolves.toMatchObject({ data: { LeftToDelete: 'nothing' } });
  });

  test('refuses pool blocks before anything is changed, and says what comes first', async () => {
    await expect(setup.created([...OWN, nodePool('service')])).rejects.toThrow(
      'the cluster does not serve NodePool and EC2NodeClass, and the config asks for NodePool service; install Karpenter 1.0 or newer first: deploy without pool blocks, install it, then deploy with them',
    );
    expect(setup.world.writes()).toEqual([]);
  });
});
