import { NOT_CREATED } from '../../../lambdas/deploy/custom-resource';
import { type ClusterObjectsPorts, handleClusterObjects } from '../../../lambdas/deploy/handle-cluster-objects';
import { ClusterNotFoundError } from '../../../shared/adapters/describe-cluster';
import { KubeError } from '../../../shared/adapters/kube-error';
import { clusterObjects, type Manifest } from '../../../shared/core/manifests/cluster-objects';
import { OPEN } from './facts';
import { type KubeWorld, kubeWorld } from './kube-world';
import { fakeClock, memoryLog, request, STACK } from './requests';

const LABELS = { 'app.kubernetes.io/managed-by': 'headstart' };
const OWN = clusterObjects('headroom');
const OWN_NAMES = [
  'ClusterRole headstart-runtime',
  'ClusterRoleBinding headstart-runtime',
  'Namespace headroom',
  'PriorityClass headstart-headroom',
  'Role headroom/headstart-runtime',
  'RoleBinding headroom/headstart-runtime',
];

let world: KubeWorld;
let clock: ReturnType<typeof fakeClock>;
let log: ReturnType<typeof memoryLog>;

beforeEach(async () => {
  world = await kubeWorld();
  clock = fakeClock();
  log = memoryLog();
});
afterEach(() => world.close());

function handle(event: ReturnType<typeof request>, ports: Partial<ClusterObjectsPorts> = {}) {
  return handleClusterObjects(event, {
    connect: async () => world.transport,
    objects: OWN,
    stackStatus: async () => 'UPDATE_COMPLETE',
    describe: async () => OPEN,
    now: clock.now,
    sleep: clock.sleep,
    log,
    ...ports,
  });
}

const created = (objects: readonly Manifest[] = OWN) => handle(request('Create'), { objects });
const updated = (objects: readonly Manifest[]) => handle(request('Update'), { objects });
const deletion = (more = {}) => request('Delete', {}, { PhysicalResourceId: 'cluster-objects-demo', ...more });

function nodePool(name: string, labels: Readonly<Record<string, string>> = LABELS): Manifest {
  const requirements = [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }];
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name };
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name, labels },
    spec: { template: { spec: { nodeClassRef, requirements } } },
  };
}

function nodeClass(name: string, labels: Readonly<Record<string, string>> = LABELS): Manifest {
  return {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name, labels },
    spec: { role: 'nodes' },
  };
}

/** Something that keeps the namespace from ending, or no longer. */
function namespace(finalizers: readonly string[]): Manifest {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'headroom', labels: LABELS, ...{ finalizers } } };
}

describe('creating', () => {
  test('applies everything and names the resource after the cluster', async () => {
    await expect(created()).resolves.toEqual({
      physicalResourceId: 'cluster-objects-demo',
      data: { LeftToDelete: 'nothing' },
    });
    expect(world.names()).toEqual(OWN_NAMES);
  });

  test('enforces Pod Security on the namespace', async () => {
    await created();
    expect(world.find('Namespace', 'headroom')?.metadata.labels).toMatchObject({
      ...LABELS,
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
  });

  test('a second time changes nothing', async () => {
    await created();
    const before = world.find('ClusterRole', 'headstart-runtime');
    await created();
    expect(world.find('ClusterRole', 'headstart-runtime')).toEqual(before);
  });

  test.each([{ status: 401 }, { status: 403 }])(
    'waits until a new access entry is known: $status at first',
    async ({ status }) => {
      world.refuse = () => (clock.passed() < 45_000 ? status : undefined);
      await created();
      expect(world.names()).toEqual(OWN_NAMES);
    },
  );

  test('waits also when one API server of two does not know the entry yet', async () => {
    let asked = 0;
    world.refuse = () => (++asked % 2 === 0 && clock.passed() < 60_000 ? 403 : undefined);
    await created();
    expect(world.names()).toEqual(OWN_NAMES);
  });

  test('gives up after two minutes and says what to look at', async () => {
    world.refuse = () => 401;
    await expect(created()).rejects.toThrow(
      /^cluster demo does not know the function's role; its access entry is missing or was removed: compare aws eks list-access-entries --cluster-name demo --region ap-northeast-2 \(GET .*: 401 /,
    );
    expect(clock.passed()).toBeGreaterThan(100_000);
    expect(clock.passed()).toBeLessThanOrEqual(120_000);
  });

  test('names CONFIG_MAP mode as the cause where it is', async () => {
    world.refuse = () => 401;
    const describe = async () => ({ ...OPEN, authenticationMode: 'CONFIG_MAP' });
    await expect(handle(request('Create'), { describe })).rejects.toThrow(/CONFIG_MAP.*update-cluster-config/);
  });

  test('waits for a namespace of the last deploy that still ends', async () => {
    await created();
    world.put(namespace(['test/hold']));
    await world.transport.delete('/api/v1/namespaces/headroom');
    world.refuse = ({ method, path }) => {
      if (method === 'GET' && path === '/api/v1/namespaces/headroom' && clock.passed() > 6_000)
        world.put(namespace([]));
      return undefined;
    };
    await created();
    expect(clock.passed()).toBeGreaterThan(6_000);
    expect(world.names()).toEqual(OWN_NAMES);
  });
});

describe('what belongs to others', () => {
  test.each([
    { name: 'NodePool', foreign: nodePool('default', {}) },
    { name: 'EC2NodeClass', foreign: nodeClass('default', { 'app.kubernetes.io/managed-by': 'Helm' }) },
    { name: 'Namespace', foreign: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'headroom' } } },
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
    world.put(foreign);
    const before = world.find(name, foreign.metadata.name);
    const objects = [...OWN, nodeClass('default'), nodePool('default')];
    await expect(created(objects)).rejects.toThrow(
      `not Headstart's, and nothing was changed: ${name} ${foreign.metadata.name}; choose another name in the config, or hand over what is there: kubectl label ${name.toLowerCase()} ${foreign.metadata.name} --overwrite app.kubernetes.io/managed-by=headstart`,
    );
    expect(world.find(name, foreign.metadata.name)).toEqual(before);
    expect(world.writes()).toEqual([]);
  });

  test('all of them are named at once', async () => {
    world.put(nodePool('a', {}));
    world.put(nodePool('b', {}));
    await expect(created([...OWN, nodePool('a'), nodePool('b')])).rejects.toThrow(/: NodePool a, NodePool b; /);
  });

  test('what a person handed over by the label is adopted', async () => {
    world.put(nodePool('default'));
    await created([...OWN, nodeClass('default'), nodePool('default')]);
    expect(world.find('NodePool', 'default')?.metadata.annotations).toHaveProperty(['headstart.dev/applied-by']);
  });
});

describe('updating', () => {
  test('prunes what it applied and no longer asks for', async () => {
    await created();
    await updated(clusterObjects('other'));
    expect(world.names()).toEqual([
      'ClusterRole headstart-runtime',
      'ClusterRoleBinding headstart-runtime',
      'Namespace other',
      'PriorityClass headstart-headroom',
      'Role other/headstart-runtime',
      'RoleBinding other/headstart-runtime',
    ]);
  });

  test('leaves objects with our label that it did not apply', async () => {
    await created();
    const role = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'mine', labels: LABELS },
    };
    world.put({ ...role, rules: [] });
    await updated(OWN);
    expect(world.names()).toContain('ClusterRole mine');
  });

  test('a PriorityClass of ours with another value is made anew, since the value never changes', async () => {
    const older = OWN.map((manifest) => (manifest.kind === 'PriorityClass' ? { ...manifest, value: -20 } : manifest));
    await created(older);
    await updated(OWN);
    expect(world.find('PriorityClass', 'headstart-headroom')).toMatchObject({ value: -10, preemptionPolicy: 'Never' });
  });

  test('never deletes a NodePool or EC2NodeClass, and prints the commands that would', async () => {
    await created([...OWN, nodeClass('old'), nodePool('old'), nodePool('old-spot'), nodePool('kept')]);
    const { data } = await updated([...OWN, nodePool('kept')]);
    expect(data).toEqual({
      LeftToDelete: 'kubectl delete nodepool old old-spot && kubectl delete ec2nodeclass old',
    });
    expect(world.names()).toEqual(expect.arrayContaining(['NodePool old', 'NodePool old-spot', 'EC2NodeClass old']));
  });

  test('prints them also when the last pool block is gone', async () => {
    await created([...OWN, nodePool('old')]);
    await expect(updated(OWN)).resolves.toMatchObject({ data: { LeftToDelete: 'kubectl delete nodepool old' } });
  });

  test('a NodePool without our label is never among them', async () => {
    world.put(nodePool('theirs', {}));
    await expect(created()).resolves.toMatchObject({ data: { LeftToDelete: 'nothing' } });
  });
});

describe('a cluster without Karpenter', () => {
  beforeEach(() => {
    world.refuse = ({ path }) => (path.includes('karpenter') ? 404 : undefined);
  });

  test('takes everything else', async () => {
    await expect(created()).resolves.toMatchObject({ data: { LeftToDelete: 'nothing' } });
  });

  test('refuses pool blocks before anything is changed, and says what comes first', async () => {
    await expect(created([...OWN, nodePool('service')])).rejects.toThrow(
      'the cluster does not serve NodePool and EC2NodeClass, and the config asks for NodePool service; install Karpenter 1.0 or newer first: deploy without pool blocks, install it, then deploy with them',
    );
    expect(world.writes()).toEqual([]);
  });
});

describe('deleting', () => {
  test('removes all that it applied, NodePools excepted', async () => {
    await created([...OWN, nodePool('kept')]);
    await handle(deletion());
    expect(world.names()).toEqual(['NodePool kept']);
  });

  test('takes the rights away before the namespace', async () => {
    await created();
    await handle(deletion());
    const deleted = world.writes().filter((write) => write.startsWith('DELETE'));
    expect(deleted.findIndex((write) => write.includes('clusterrolebindings'))).toBeLessThan(
      deleted.findIndex((write) => write.endsWith('/namespaces/headroom')),
    );
  });

  test('leaves what another custom resource has taken over, as when a construct moves', async () => {
    await created();
    await handle(request('Create', {}, { LogicalResourceId: 'Moved' }));
    await handle(deletion());
    expect(world.names()).toEqual(OWN_NAMES);
  });

  test('leaves another cluster alone, to which its connection does not lead', async () => {
    await created();
    const event = deletion({ PhysicalResourceId: 'cluster-objects-older' });
    await expect(handle(event)).resolves.toEqual({ physicalResourceId: 'cluster-objects-older' });
    expect(world.names()).toEqual(OWN_NAMES);
  });

  test('removes what a failed creation left behind', async () => {
    await created();
    await handle(deletion({ PhysicalResourceId: NOT_CREATED }));
    expect(world.names()).toEqual([]);
  });

  test.each([{ PhysicalResourceId: 'cluster-objects-demo' }, { PhysicalResourceId: NOT_CREATED }])(
    'leaves $PhysicalResourceId while an update is rolled back: a person may have applied the objects before it',
    async ({ PhysicalResourceId }) => {
      for (const object of OWN) world.put(object);
      await created();
      const asked: string[] = [];
      const stackStatus = async (stackId: string) => {
        asked.push(stackId);
        return 'UPDATE_ROLLBACK_IN_PROGRESS';
      };
      await handle(deletion({ PhysicalResourceId }), { stackStatus });
      expect(asked).toEqual([STACK]);
      expect(world.names()).toEqual(OWN_NAMES);
      expect(log.lines.join('\n')).toContain('objects left, since an update is rolled back');
    },
  );

  test('removes the objects when the status of the stack cannot be read', async () => {
    await created();
    await handle(deletion(), { stackStatus: async () => Promise.reject(new Error('AccessDenied')) });
    expect(world.names()).toEqual([]);
    expect(log.lines.join('\n')).toContain('status of the stack unknown');
  });

  const unreachable = (code: string) => {
    const cause = Object.assign(new Error(`getaddrinfo ${code}`), { code });
    return new KubeError({ method: 'GET', path: '/x' }, 0, 'Unreachable', `https://gone: ${code}`, { cause });
  };
  test.each([
    {
      name: 'EKS says so',
      connect: async () => Promise.reject(unreachable('ETIMEDOUT')),
      describe: async () => undefined,
    },
    {
      name: 'the connection finds out',
      connect: async () => Promise.reject(new ClusterNotFoundError('demo', 'ap-northeast-2')),
      describe: async () => Promise.reject(new Error('not asked')),
    },
    {
      name: 'not even its name is left and EKS cannot be asked',
      connect: async () => Promise.reject(unreachable('ENOTFOUND')),
      describe: async () => Promise.reject(new Error('no way to EKS')),
    },
  ])('succeeds when the cluster is gone: $name', async ({ connect, describe }) => {
    await expect(handle(deletion(), { connect, describe })).resolves.toEqual({
      physicalResourceId: 'cluster-objects-demo',
    });
  });

  test('fails when the cluster is there and refuses', async () => {
    world.refuse = () => 401;
    await expect(handle(deletion())).rejects.toThrow(/access entry is missing/);
  });

  test('fails when the cluster is there and does not answer', async () => {
    const connect = async () => Promise.reject(unreachable('ETIMEDOUT'));
    await expect(handle(deletion(), { connect })).rejects.toThrow(
      /^the functions cannot reach cluster demo at its public endpoint/,
    );
  });

  test('does not wait for ever for a namespace that something holds', async () => {
    await created();
    world.put(namespace(['test/hold']));
    await handle(deletion());
    expect(world.names()).toEqual(['Namespace headroom']);
    expect(log.lines.join('\n')).toContain('namespace still ends');
  });
});
