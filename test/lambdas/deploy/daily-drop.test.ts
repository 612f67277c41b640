import { handleDailyDrop, withDailyDrop } from '../../../lambdas/deploy/handlers/handle-daily-drop';
import { START } from './kube-world';
import { awsError, fakeClock, memoryLog, request } from './requests';

const POLICY = {
  clusterName: 'demo',
  region: 'ap-northeast-2',
  principalArn: 'arn:aws:iam::123456789012:role/headstart/id-1/abc/Change',
  policyArn: 'arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy',
};
const HOUR = 3_600_000;

function world(dropOld: () => Promise<string | undefined>) {
  const [asked, rung]: [unknown[], string[]] = [[], []];
  const ports = {
    ...fakeClock(),
    log: memoryLog(),
    ring: (cluster: string) => void rung.push(cluster),
    dropOld: (...args: unknown[]) => {
      asked.push(args);
      return dropOld();
    },
  };
  return { ports, asked, rung, drop: () => handleDailyDrop({ dropAdmin: POLICY }, ports, Number.POSITIVE_INFINITY) };
}

test('the daily call drops only that policy of that role, and only if it is more than an hour old', async () => {
  const { drop, asked, rung, ports } = world(async () => '2026-11-16T00:00:00.000Z');
  await drop();
  expect(asked).toEqual([[POLICY, START - HOUR, Number.POSITIVE_INFINITY]]);
  expect(rung).toEqual([]);
  expect(ports.log.lines).toEqual([expect.stringContaining('was cluster admin outside a deploy')]);
});

test('the daily call is silent if no role is cluster admin', async () => {
  const { drop, rung, ports } = world(async () => undefined);
  await drop();
  expect([...rung, ...ports.log.lines]).toEqual([]);
});

test('the daily call retries for two minutes, then raises the alarm and names the role', async () => {
  const { drop, asked, rung, ports } = world(() => Promise.reject(awsError('ThrottlingException')));
  await drop();
  expect(asked.length).toBeGreaterThan(5);
  expect(ports.passed()).toBeLessThanOrEqual(120_000);
  expect(rung).toEqual(['demo']);
  expect(ports.log.lines.at(-1)).toContain(POLICY.principalArn);
});

test('a function with the daily call still answers CloudFormation', async () => {
  const { ports, asked } = world(async () => undefined);
  const answered: unknown[] = [];
  const handler = withDailyDrop(async (event) => void answered.push(event), ports);
  await handler(request('Create'));
  expect([answered.length, asked.length]).toEqual([1, 0]);
  await handler({ dropAdmin: POLICY });
  expect([answered.length, asked.length]).toEqual([1, 1]);
});
