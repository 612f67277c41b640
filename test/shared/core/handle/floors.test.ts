import { handle } from '../../../../shared/core/handle';
import type { NodeClaimShape } from '../../../../shared/core/karpenter/can-land';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { statusOf } from '../../../../shared/core/status';
import { loadEvent } from '../../../events/load-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { handleInterruptions, INSTANCE, message, record, size as sizeOf } from './service';

const MINUTE = 60_000;
const config = configOf(`
  web:
    max: 8
    leadTime: 5m
    unit: {floor: {cpu: 4}}
    schedules:
      - {name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, addNodes: 6}
      - {name: late, timezone: Asia/Seoul, start: 30 13 * * *, end: 30 14 * * *, addNodes: 6}
`);
const seoul = (time: string) => Date.parse(`2026-11-17T${time}:00+09:00`);
const size = (service: FakeRuntime) => sizeOf(service, 'web');

function node(more: Partial<NodeClaimShape> = {}, labels: Record<string, string> = {}): NodeClaimShape {
  return {
    labels: { 'karpenter.sh/nodepool': 'web', 'karpenter.k8s.aws/instance-cpu': '4', ...labels },
    taints: [],
    deleting: false,
    launched: true,
    ...more,
  };
}

function made(time: string, nodes = 10): FakeRuntime {
  const service = new FakeRuntime(config, seoul(time));
  service.cluster.nodePools = [{ name: 'web', taints: [], nodeClassGroup: 'karpenter.k8s.aws' }];
  service.cluster.nodes = Array.from({ length: nodes }, () => node());
  return service;
}

const heartbeat = (at: number) => loadEvent('heartbeat', { time: new Date(at).toISOString() });
const beat = (service: FakeRuntime) => handle(heartbeat(service.time), service);
const counts = (service: FakeRuntime) => service.cluster.calls.filter((call) => call === 'nodeClaims').length;

async function beatAt(service: FakeRuntime, time: string): Promise<number | undefined> {
  service.time = seoul(time);
  await beat(service).catch(() => undefined);
  return size(service);
}

describe('more nodes than there are', () => {
  test('nodes are counted once for each occurrence, and not at all outside', async () => {
    const service = made('11:20');
    expect(await beatAt(service, '11:20')).toBe(0);
    expect(counts(service)).toBe(0);
    expect(await beatAt(service, '11:25')).toBe(16);
    service.cluster.nodes = Array.from({ length: 16 }, () => node());
    service.cluster.edit('web', () => ({ ready: 16 }));
    // Not at heartbeats that look at node starts.
    for (const time of ['11:26', '11:31', '12:01', '13:19']) expect(await beatAt(service, time)).toBe(16);
    expect(counts(service)).toBe(1);
  });

  test('a function whose clock is ahead at the end does not make the others count again', async () => {
    const service = made('13:30');
    await beat(service);
    service.cluster.nodes = Array.from({ length: 16 }, () => node());
    expect(await beatAt(service, '14:30')).toBe(0);
    expect(await beatAt(service, '14:29')).toBe(16);
    expect(counts(service)).toBe(1);
  });

  test('nodes that are too small, of another NodePool or with a taint do not count', async () => {
    const service = made('11:25');
    const taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
    service.cluster.nodes = [
      node(),
      node({}, { 'karpenter.k8s.aws/instance-cpu': '2' }),
      node({}, { 'karpenter.sh/nodepool': 'batch' }),
      node({ taints: [taint] }),
    ];
    await beat(service);
    expect(size(service)).toBe(1 + 6);
  });

  test('a floor of GPU nodes counts those with as many, also on EKS Auto Mode', async () => {
    const gpus = configOf(`
  web:
    max: 8
    unit: {floor: {cpu: 4, gpu: 2}}
    schedules: [{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, addNodes: 2}]
`);
    for (const prefix of ['karpenter.k8s.aws', 'eks.amazonaws.com']) {
      const service = new FakeRuntime(gpus, seoul('11:30'));
      service.cluster.nodePools = [{ name: 'web', taints: [], nodeClassGroup: prefix }];
      const withGpus = (count: string) =>
        node({}, { [`${prefix}/instance-cpu`]: '8', [`${prefix}/instance-gpu-count`]: count });
      service.cluster.nodes = [node(), withGpus('1'), withGpus('2'), withGpus('8')];
      await beat(service);
      expect(size(service)).toBe(2 + 2);
    }
  });

  test('one look at the NodeClaims serves the notice, the count and the reason for a late occurrence', async () => {
    const noticed = configOf(`
  web:
    max: 8
    unit: {floor: {cpu: 4}}
    interruptions: {surge: 1, max: 5}
    schedules: [{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, addNodes: 6}]
`);
    const service = new FakeRuntime(noticed, seoul('11:31'));
    service.cluster.nodes = [node(), node()];
    service.cluster.nodeClaims = [{ instanceId: INSTANCE, nodePool: 'web', deleting: false }];
    service.cluster.starts = [{ nodePool: 'web', id: 'a', createdAt: seoul('11:30'), deleting: false }];
    await handleInterruptions([message(loadEvent('spot-interruption', { time: '2026-11-17T02:31:00Z' }))], service);
    expect(size(service)).toBe(2 + 6 + 1);
    expect(Object.values(record(service, 'web').requests ?? {})[0]?.why).toMatch(/^1 node is still starting/);
    expect(counts(service)).toBe(1);
  });

  test('functions that race agree on the first count', async () => {
    const service = made('11:20');
    await beat(service);
    service.time = seoul('11:25');
    const grown = [1, 2, 3, 4].map(() => {
      service.cluster.nodes = [...service.cluster.nodes, node()];
      return beat(service);
    });
    await Promise.all(grown);
    const first = size(service);
    service.cluster.nodes = Array.from({ length: 30 }, () => node());
    await beat(service);
    expect(size(service)).toBe(first);
  });

  test('functions that race for a Deployment that is not there agree too', async () => {
    const service = made('11:25');
    await Promise.all([beat(service), beat(service), beat(service)]);
    expect(size(service)).toBe(16);
  });

  test('NodeClaims that cannot be read change nothing, count as an error, and are counted by the next heartbeat', async () => {
    const service = made('11:20');
    await handle({ headroom: 'web', atLeast: 5, for: '5m' }, service);
    service.cluster.fault = (call) => (call === 'nodeClaims' ? new Error('etcd is down') : undefined);
    expect(await beatAt(service, '11:25')).toBe(5);
    expect(service.counted.errors).toBe(1);
    expect(service.cluster.headroom('web')?.annotations[ANNOTATIONS.reasons]).toContain('NodeClaims cannot be counted');
    service.cluster.fault = () => undefined;
    expect(await beatAt(service, '11:26')).toBe(16);
  });

  test('while the NodePools cannot be read, nodes are counted by what the live headroom tolerates and requires', async () => {
    const service = made('11:20');
    const taint = { key: 'team', value: 'a', effect: 'NoSchedule' };
    service.cluster.nodePools = [{ name: 'web', taints: [taint], nodeClassGroup: 'eks.amazonaws.com' }];
    service.cluster.nodes = Array.from({ length: 10 }, () =>
      node({ taints: [taint] }, { 'eks.amazonaws.com/instance-cpu': '4' }),
    );
    await beat(service);
    service.cluster.fault = (call) => (call === 'nodePools' ? new Error('503') : undefined);
    service.time = seoul('11:25');
    await expect(beat(service)).rejects.toThrow('reading the NodePools');
    expect(size(service)).toBe(16);
  });

  test('only a deleted Deployment counts again, and says so', async () => {
    const service = made('11:25');
    await beat(service);
    service.cluster.nodes = Array.from({ length: 16 }, () => node());
    const current = service.cluster.headroom('web');
    if (current) await service.cluster.deleteHeadroom(current);
    expect(await beatAt(service, '12:00')).toBe(22);
    expect(service.logged).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: expect.stringContaining('nodes counted after the occurrence began'),
      }),
    );
  });
});

describe('an override for more nodes', () => {
  const MORE = { headroom: 'web', addNodes: 4, for: '30m', by: 'kim', reason: 'sale' };

  test('counts at its own time, whatever stands, and once however often it is delivered', async () => {
    const service = made('10:00');
    const at = new Date(seoul('10:00')).toISOString();
    await expect(handle({ ...MORE, at }, service)).resolves.toMatchObject({
      decisions: [
        {
          replicas: 14,
          reasons: [expect.stringContaining('Override by kim: 10 nodes + 4 = 14 until 2026-11-17T01:30Z (sale)')],
        },
      ],
    });
    service.cluster.nodes = Array.from({ length: 14 }, () => node());
    service.time += MINUTE;
    await expect(handle({ ...MORE, at }, service)).resolves.toMatchObject({ decisions: [{ replicas: 14 }] });
    expect(counts(service)).toBe(1);
    expect(await beatAt(service, '10:30')).toBe(0);
  });

  test('status and the answer tell what comes next as more than there will be', async () => {
    const service = made('10:00');
    await expect(handle({ ...MORE, for: '4h' }, service)).resolves.toMatchObject({
      decisions: [{ next: { at: '2026-11-17T02:25:00.000Z', replicas: 16 } }],
    });
    await handle({ headroom: 'web', release: true }, service);
    const [status] = await statusOf({ ...service, ports: service.ports }, service.time);
    expect(status?.next).toMatchObject({ at: '2026-11-17T02:25:00.000Z', replicas: 0, addNodes: 6 });
  });

  test('ends with the floor when a deploy turns it into room', async () => {
    const service = made('10:01');
    await handle(MORE, service);
    const room = configOf('  web: {max: 8, base: 3}\n');
    await handle(heartbeat(service.time), { ...service, ports: service.ports, config: room });
    expect([size(service), counts(service)]).toEqual([3, 1]);
  });
});
