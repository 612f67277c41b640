import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchResponse } from '../../shared/core/respond';
import { heartbeat } from './functions/events';
import { type Installation, install } from './functions/installation';
import type { Cluster } from './harness/cluster';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

/** What the queue delivered in `test/aws/announce.test.ts`, but for white space. */
const body = readFileSync(join(__dirname, '..', 'events', 'announced-campaign.json'), 'utf8').trim();
const { ingestedAt, event } = JSON.parse(body);
const at = Date.parse(ingestedAt);

describeCluster('an announced peak', () => {
  let cluster: Cluster;
  let headstart: Installation;
  const replicas = async () => (await headstart.headroom('default')).spec.replicas;

  beforeAll(async () => {
    cluster = await sharedCluster();
    const campaign = {
      name: 'campaign',
      pattern: { source: ['shop.cms'] },
      key: '$.detail.campaignId',
      from: '$.detail.startsAt',
      to: '$.detail.endsAt',
      desiredReplicas: 6,
    };
    const nodePools = { default: { max: 12, base: 1, leadTime: '10m', events: [campaign] } };
    headstart = await install(cluster, { nodePools });
    await headstart.invoke('reconcile', heartbeat(at), at);
  });
  afterAll(() => headstart?.remove());

  const announce = (messageId: string, time: number) =>
    headstart.invoke<BatchResponse>('announce', { Records: [{ messageId, body }] }, time);

  test('as the emulated EventBridge and SQS delivered it, is written to the cluster and ends when it says', async () => {
    expect(await replicas()).toBe(1);
    await expect(announce('1', at)).resolves.toEqual({ batchItemFailures: [] });
    expect(await replicas()).toBe(6);
    const { generation } = (await headstart.headroom('default')).metadata;
    await announce('2', at + 1_000);
    expect((await headstart.headroom('default')).metadata.generation).toBe(generation);
    // A peak ends on a whole second.
    const end = Math.ceil(Date.parse(event.detail.endsAt) / 1_000) * 1_000;
    await headstart.invoke('reconcile', heartbeat(end - 1_000), end - 1_000);
    expect(await replicas()).toBe(6);
    await headstart.invoke('reconcile', heartbeat(end), end);
    expect(await replicas()).toBe(1);
  });
});
