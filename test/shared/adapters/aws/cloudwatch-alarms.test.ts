import { cloudWatchAlarms } from '../../../../shared/adapters/aws/cloudwatch-alarms';
import { type LoopbackServer, loopbackServer } from '../../../fakes/loopback-server';

let server: LoopbackServer;

beforeAll(async () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
  server = await loopbackServer((_seen, response) => {
    response.writeHead(500, { 'content-type': 'text/plain' });
    response.end('the request is what matters here');
  });
});
afterAll(() => server.close());

test('asks for metric and composite alarms by name, a hundred at a time', async () => {
  const names = Array.from({ length: 101 }, (_, i) => `alarm-${i}`);
  await expect(cloudWatchAlarms({ region: 'ap-northeast-2', endpoint: server.url }).read(names)).rejects.toThrow();
  const body = decodeURIComponent(server.seen[0]?.body ?? '');
  expect(body).toContain('MetricAlarm');
  expect(body).toContain('CompositeAlarm');
  expect(body).toContain('alarm-99');
  expect(body).not.toContain('alarm-100');
});
