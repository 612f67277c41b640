import { cloudWatchAlarms } from '../../../../shared/adapters/aws/cloudwatch-alarms';
import { loopbackServer } from '../../../fakes/loopback-server';

beforeAll(() => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
});

test('a CloudWatch that accepts and never answers fails in a few seconds', async () => {
  const silent = await loopbackServer(() => {});
  try {
    const alarms = cloudWatchAlarms({ region: 'ap-northeast-2', endpoint: silent.url });
    await expect(alarms.read(['p95-high'])).rejects.toThrow(/timed? ?out|within/i);
  } finally {
    await silent.close();
  }
}, 60_000);

test('a reading ends at the deadline of its invocation, also before its own time-outs', async () => {
  const silent = await loopbackServer(() => {});
  try {
    const alarms = cloudWatchAlarms({ region: 'ap-northeast-2', endpoint: silent.url });
    // Loaded before the clock runs: on a busy machine that alone may take a second.
    await import('../../../../shared/adapters/aws/cloudwatch');
    await expect(alarms.until(Date.now() + 2_000).read(['p95-high'])).rejects.toThrow(/abort/i);
    expect(silent.seen).toHaveLength(1);
  } finally {
    await silent.close();
  }
});
