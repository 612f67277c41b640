import { messageOf } from '../../../shared/core/basics/errors';
import { clusterObjects, type Manifest } from '../../../shared/core/manifests/cluster-object-manifests';
import { golden } from '../../golden/golden';
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

const said = golden(`${__dirname}/cluster-objects.txt`);
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

  test('waits for the second of two API servers to know the rights', async () => {
    let asked = 0;
    setup.world.refuse = () => (++asked % 2 === 0 && setup.clock.passed() < 60_000 ? 403 : undefined);
    await setup.created();
    expect(setup.world.names()).toEqual(OWN_NAMES);
  });

  test.each([
    { name: 'after two minutes', left: Number.POSITIVE_INFINITY, atMost: 120_000 },
    { name: 'in time to respond', left: 30_000, atMost: 30_000 },
    { name: 'and names CONFIG_MAP mode as the cause', left: 30_000, atMost: 30_000, mode: 'CONFIG_MAP' },
  ])('gives up $name', async ({ name, left, atMost, mode = OPEN.authenticationMode }) => {
    setup.world.refuse = () => 401;
    const ports = { deadline: setup.clock.now() + left, describe: async () => ({ ...OPEN, authenticationMode: mode }) };
    const failure = setup.handle(request('Create', PROPERTIES), ports).then(JSON.stringify, messageOf);
    // Whichever of the reads was answered last.
    said(`gives up ${name}`, (await failure).replace(/GET \S+/, 'GET <path>'));
    expect(setup.clock.passed()).toBeGreaterThan(atMost - 20_000);
    expect(setup.clock.passed()).toBeLessThanOrEqual(atMost);
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
  const priorityClass = (more: object): Manifest => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'headstart-headroom' },
    ...more,
  });
  const ofHelm = { 'app.kubernetes.io/managed-by': 'Helm' };
  test.each([
    { name: 'a NodePool', foreign: [nodePool('default', {})] },
    { name: 'an EC2NodeClass', foreign: [nodeClass('default', ofHelm)] },
    { name: 'a PriorityClass', foreign: [priorityClass({ value: 5 })] },
    {
      name: 'a namespace, which is never handed over',
      foreign: [{ ...namespace([]), metadata: { name: 'headroom' } }],
    },
    { name: 'two, all at once', foreign: [nodeClass('default', {}), nodePool('default', {})] },
  ])('is not adopted, and nothing is changed: $name', async ({ name, foreign }) => {
    for (const object of foreign) setup.world.put(object);
    const [first] = foreign;
    const before = setup.world.find(first?.kind ?? '', first?.metadata.name ?? '');
    const failure = setup.created([...OWN, nodeClass('default'), nodePool('default')]);
    said(`refuses to adopt ${name}`, await failure.then(JSON.stringify, messageOf));
    expect(setup.world.find(first?.kind ?? '', first?.metadata.name ?? '')).toEqual(before);
    expect(setup.world.writes()).toEqual([]);
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

  test.each([
    { name: 'NodePools where it applies none: they belong to another stack', foreign: nodePool('theirs') },
    { name: 'a NodePool without our label', foreign: nodePool('theirs', {}) },
  ])('prints nothing about $name', async ({ foreign }) => {
    setup.world.put(foreign);
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
    const failure = setup.created([...OWN, nodePool('service')]);
    said('a cluster without Karpenter', await failure.then(JSON.stringify, messageOf));
    expect(setup.world.writes()).toEqual([]);
  });
});
