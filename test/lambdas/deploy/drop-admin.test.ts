import { handleDropAdmin } from '../../../lambdas/deploy/handlers/handle-drop-admin';
import { fakeClock, memoryLog, request } from './requests';

const ROLE = 'arn:aws:iam::123456789012:role/headstart/id-1/abc/Helm';
const POLICY = 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy';
const PROPERTIES = { deployer: ROLE, adminPolicy: POLICY };
const refused = Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });

function world(fails: (call: number) => Error | undefined = () => undefined) {
  const dropped: unknown[] = [];
  const clock = fakeClock();
  const dropAdmin = async (policy: unknown) => {
    dropped.push(policy);
    const error = fails(dropped.length);
    if (error) throw error;
  };
  const ports = { ...clock, log: memoryLog(), deadline: Number.POSITIVE_INFINITY, dropAdmin };
  const handle = (type: 'Create' | 'Update' | 'Delete') => handleDropAdmin(request(type, PROPERTIES), ports);
  return { dropped, handle, passed: clock.passed };
}

test.each(['Create', 'Update'] as const)('a %s takes the admin policy off that one role', async (type) => {
  const { handle, dropped } = world();
  await expect(handle(type)).resolves.toEqual({ physicalResourceId: 'drop-admin-demo' });
  expect(dropped).toEqual([{ clusterName: 'demo', region: 'ap-northeast-2', principalArn: ROLE, policyArn: POLICY }]);
});

test('a delete does nothing: the access entry goes by itself', async () => {
  const { handle, dropped } = world();
  await expect(handle('Delete')).resolves.toEqual({ physicalResourceId: 'thing' });
  expect(dropped).toEqual([]);
});

test('a policy that cannot be taken off fails the deploy', async () => {
  const { handle, passed } = world(() => refused);
  await expect(handle('Create')).rejects.toThrow('not authorized');
  expect(passed()).toBeLessThanOrEqual(120_000);
});
