import { NOT_CREATED } from '../../../lambdas/deploy/custom-resource';
import { ClusterNotFoundError } from '../../../shared/adapters/cluster-not-found';
import { KubeError } from '../../../shared/adapters/kube-error';
import { namespace, nodePool, OWN, OWN_NAMES, useClusterObjects } from './cluster-objects-setup';
import { request, STACK } from './requests';

const setup = useClusterObjects();

const deletion = (more = {}) => request('Delete', {}, { PhysicalResourceId: 'cluster-objects-demo', ...more });

describe('deleting cluster objects', () => {
  test('removes all that it applied, NodePools excepted', async () => {
    await setup.created([...OWN, nodePool('kept')]);
    await setup.handle(deletion());
    expect(setup.world.names()).toEqual(['NodePool kept']);
  });

  test('takes the rights away before the namespace', async () => {
    await setup.created();
    await setup.handle(deletion());
    const deleted = setup.world.writes().filter((write) => write.startsWith('DELETE'));
    expect(deleted.findIndex((write) => write.includes('clusterrolebindings'))).toBeLessThan(
      deleted.findIndex((write) => write.endsWith('/namespaces/headroom')),
    );
  });

  test('leaves what another custom resource has taken over, as when a construct moves', async () => {
    await setup.created();
    await setup.handle(request('Create', {}, { LogicalResourceId: 'Moved' }));
    await setup.handle(deletion());
    expect(setup.world.names()).toEqual(OWN_NAMES);
  });

  test('leaves another cluster alone, to which its connection does not lead', async () => {
    await setup.created();
    const event = deletion({ PhysicalResourceId: 'cluster-objects-older' });
    await expect(setup.handle(event)).resolves.toEqual({ physicalResourceId: 'cluster-objects-older' });
    expect(setup.world.names()).toEqual(OWN_NAMES);
  });

  test('removes what a failed creation left behind', async () => {
    await setup.created();
    await setup.handle(deletion({ PhysicalResourceId: NOT_CREATED }));
    expect(setup.world.names()).toEqual([]);
  });

  test.each([{ PhysicalResourceId: 'cluster-objects-demo' }, { PhysicalResourceId: NOT_CREATED }])(
    'leaves $PhysicalResourceId while an update is rolled back: a person may have applied the objects before it',
    async ({ PhysicalResourceId }) => {
      for (const object of OWN) setup.world.put(object);
      await setup.created();
      const asked: string[] = [];
      const stackStatus = async (stackId: string) => {
        asked.push(stackId);
        return 'UPDATE_ROLLBACK_IN_PROGRESS';
      };
      await setup.handle(deletion({ PhysicalResourceId }), { stackStatus });
      expect(asked).toEqual([STACK]);
      expect(setup.world.names()).toEqual(OWN_NAMES);
      expect(setup.log.lines.join('\n')).toContain('objects left, since an update is rolled back');
    },
  );

  test('removes the objects when the status of the stack cannot be read', async () => {
    await setup.created();
    await setup.handle(deletion(), { stackStatus: async () => Promise.reject(new Error('AccessDenied')) });
    expect(setup.world.names()).toEqual([]);
    expect(setup.log.lines.join('\n')).toContain('status of the stack unknown');
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
    await expect(setup.handle(deletion(), { connect, describe })).resolves.toEqual({
      physicalResourceId: 'cluster-objects-demo',
    });
  });

  test('fails when the cluster is there and refuses', async () => {
    setup.world.refuse = () => 401;
    await expect(setup.handle(deletion())).rejects.toThrow(/access entry is missing/);
  });

  test('fails when the cluster is there and does not answer', async () => {
    const connect = async () => Promise.reject(unreachable('ETIMEDOUT'));
    await expect(setup.handle(deletion(), { connect })).rejects.toThrow(
      /^the functions cannot reach cluster demo at its public endpoint/,
    );
  });

  test('stops waiting for a namespace in time to respond', async () => {
    await setup.created();
    setup.world.put(namespace(['test/hold']));
    const before = setup.clock.passed();
    await setup.handle(deletion(), { deadline: setup.clock.now() + 20_000 });
    expect(setup.clock.passed() - before).toBeLessThanOrEqual(20_000);
    expect(setup.log.lines.join('\n')).toContain('still being deleted after 18 s');
  });

  test('does not wait for ever for a namespace that something holds', async () => {
    await setup.created();
    setup.world.put(namespace(['test/hold']));
    await setup.handle(deletion());
    expect(setup.world.names()).toEqual(['Namespace headroom']);
    expect(setup.log.lines.join('\n')).toContain('namespace still ends');
  });
});
