import { ClusterNotReadyError } from '../../../shared/adapters/aws/describe-cluster';
import { KubeError } from '../../../shared/adapters/kube/kube-error';
import {
  namespace,
  nodePool,
  OWN,
  OWN_NAMES,
  PHYSICAL_ID,
  PROPERTIES,
  useClusterObjects,
} from './cluster-objects-setup';
import { OPEN } from './facts';
import { request, STACK } from './requests';

const setup = useClusterObjects();

const deletion = (more = {}) => request('Delete', PROPERTIES, { PhysicalResourceId: PHYSICAL_ID, ...more });
/** The whole stack goes. */
const ENDING = { stackStatus: async () => 'DELETE_IN_PROGRESS' };
const destroyed = (ports = {}) => setup.handle(deletion(), { ...ENDING, ...ports });

describe('deleting cluster objects', () => {
  test('removes all that it applied, NodePools excepted', async () => {
    await setup.created([...OWN, nodePool('kept')]);
    await destroyed();
    expect(setup.world.names()).toEqual(['NodePool kept']);
  });

  test('takes the rights away before the namespace', async () => {
    await setup.created();
    await destroyed();
    const deleted = setup.world.writes().filter((write) => write.startsWith('DELETE'));
    expect(deleted.findIndex((write) => write.includes('clusterrolebindings'))).toBeLessThan(
      deleted.findIndex((write) => write.endsWith('/namespaces/headroom')),
    );
  });

  test('leaves what another custom resource has taken over, as when a construct moves', async () => {
    await setup.created();
    await setup.handle(request('Create', PROPERTIES, { LogicalResourceId: 'Moved' }));
    await destroyed();
    expect(setup.world.names()).toEqual(OWN_NAMES);
  });

  test('leaves another cluster alone, to which its connection does not lead', async () => {
    await setup.created();
    const event = deletion({ PhysicalResourceId: 'cluster-objects-older-ABCDEF' });
    await expect(setup.handle(event)).resolves.toEqual({ physicalResourceId: 'cluster-objects-older-ABCDEF' });
    expect(setup.world.names()).toEqual(OWN_NAMES);
  });

  test.each([
    { when: 'the config goes over to manual access', status: 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS' },
    { when: 'an update that began with manual access is rolled back', status: 'UPDATE_ROLLBACK_IN_PROGRESS' },
  ])('leaves the objects when $when, but none of the rights of the deploying role', async ({ status }) => {
    await setup.created();
    const asked: string[] = [];
    const stackStatus = async (stackId: string) => {
      asked.push(stackId);
      return status;
    };
    await setup.handle(deletion(), { stackStatus });
    expect(asked).toEqual([STACK]);
    expect(setup.world.names()).toEqual(OWN_NAMES.filter((name) => !name.includes('headstart-deploy')));
    expect(setup.log.lines.join('\n')).toContain('objects left, since the stack stays');
  });

  test('leaves the objects also where the cluster does not answer', async () => {
    await setup.created();
    setup.world.refuse = () => 401;
    const stackStatus = async () => 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS';
    await expect(setup.handle(deletion(), { stackStatus })).resolves.toEqual({ physicalResourceId: PHYSICAL_ID });
  });

  test('neither removes nor leaves anything while the status of the stack cannot be read', async () => {
    await setup.created();
    const stackStatus = async () => Promise.reject(new Error('DescribeStacks: 403'));
    await expect(destroyed({ stackStatus })).rejects.toThrow('DescribeStacks: 403');
    expect(setup.world.names()).toEqual(OWN_NAMES);
  });

  const unreachable = (code: string) => {
    const cause = Object.assign(new Error(`getaddrinfo ${code}`), { code });
    return new KubeError({ method: 'GET', path: '/x' }, 0, 'Unreachable', `https://gone: ${code}`, { cause });
  };
  test.each([
    { name: 'when the cluster is gone', describe: async () => undefined },
    { name: 'when another cluster has the name by now', describe: async () => ({ ...OPEN, id: 'NEWER' }) },
    { name: 'when the cluster is being deleted', describe: async () => ({ ...OPEN, status: 'DELETING' }) },
    {
      name: 'when another cluster of the name is only being created',
      describe: async () => Promise.reject(new ClusterNotReadyError('demo', 'ap-northeast-2', 'CREATING')),
    },
  ])('succeeds at once $name: nobody is asked to connect', async ({ describe }) => {
    const connect = async () => Promise.reject(new Error('not asked'));
    await expect(destroyed({ connect, describe })).resolves.toEqual({ physicalResourceId: PHYSICAL_ID });
    expect(setup.requested).toEqual([]);
    expect(setup.clock.passed()).toBe(0);
  });

  test.each([
    { name: 'goes', later: undefined },
    { name: 'begins to be deleted', later: { ...OPEN, status: 'DELETING' } },
  ])('succeeds when the cluster $name meanwhile', async ({ later }) => {
    let looks = 0;
    const describe = async () => (++looks === 1 ? OPEN : later);
    const connect = async () => Promise.reject(unreachable('ETIMEDOUT'));
    await expect(destroyed({ connect, describe })).resolves.toEqual({ physicalResourceId: PHYSICAL_ID });
  });

  test('fails when something else than RBAC refuses the removal', async () => {
    await setup.created();
    setup.world.refuse = ({ method }) => (method === 'DELETE' ? 403 : undefined);
    await expect(destroyed()).rejects.toThrow(/look for an admission policy that refuses it/);
    expect(setup.world.names()).toEqual(OWN_NAMES);
  });

  test.each([
    { name: 'refuses', refuse: () => 401, message: /access entry is missing/ },
    {
      name: 'does not answer',
      ports: { connect: async () => Promise.reject(unreachable('ETIMEDOUT')) },
      message: /^the functions cannot reach cluster demo at its public endpoint/,
    },
  ])('fails when the cluster is there and $name', async ({ refuse = () => undefined, ports, message }) => {
    setup.world.refuse = refuse;
    await expect(destroyed(ports)).rejects.toThrow(message);
  });

  test.each([
    { name: 'in time to respond', left: 20_000, says: 'still being deleted after 18 s' },
    { name: 'in the end', left: Number.POSITIVE_INFINITY, says: 'namespace is still terminating' },
  ])('stops waiting $name for a namespace that something holds', async ({ left, says }) => {
    await setup.created();
    setup.world.put(namespace(['test/hold']));
    const before = setup.clock.passed();
    await destroyed({ deadline: setup.clock.now() + left });
    expect(setup.clock.passed() - before).toBeLessThanOrEqual(left);
    expect(setup.world.names()).toEqual(['Namespace headroom']);
    expect(setup.log.lines.join('\n')).toContain(says);
  });
});
