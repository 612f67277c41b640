import type { Config } from '../../../../shared/core/config/config';
import { handle, handleAnnounced } from '../../../../shared/core/handle';
import { nodePoolManifests } from '../../../../shared/core/karpenter/node-pools';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { statusOf } from '../../../../shared/core/status';
import { loadEvent } from '../../../events/load-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { handleInterruptions, INSTANCE, message, record, size, tickNow } from './service';

const LUNCH = 'schedules: [{name: lunch, timezone: UTC, start: 30 11 * * *, end: 30 13 * * *, addNodes: 5}]';
const DEEP = 'alarms: [{alarmName: queue-deep, addNodes: 2}]';
/** A floor at lunch and slices on an alarm, on one NodePool; jobs has no entry with its own name. */
const config = configOf(`
  web: {max: 9, leadTime: 5m, unit: {floor: {cpu: 4}}, ${LUNCH}, ${DEEP}, interruptions: {on: [spot]}}
  burst: {nodePool: web, max: 20, unit: {slice: {cpu: 500m}}, alarms: [{alarmName: p95-high, add: 4}], interruptions: {surge: 2, on: [spot, rebalance]}}
  quiet: {nodePool: web, max: 3, base: 1}
  jobs-a: {nodePool: jobs, max: 5, base: 2}
  jobs-b: {nodePool: jobs, max: 5, base: 1}
`);
/** The floor after a deploy that moved it to another NodePool. */
const moved = configOf(`
  web: {nodePool: web2, max: 9, leadTime: 5m, unit: {floor: {cpu: 4}}, ${LUNCH}, ${DEEP}, interruptions: {on: [spot]}}
`);
const utc = (time: string) => Date.parse(`2026-11-17T${time}:00Z`);

function node(nodePool: string, cpu = 4) {
  const labels = { 'karpenter.sh/nodepool': nodePool, 'karpenter.k8s.aws/instance-cpu': String(cpu) };
  return { labels, taints: [], deleting: false, launched: true };
}

function made(time: string, of: Config = config): FakeRuntime {
  const service = new FakeRuntime(of, utc(time));
  service.cluster.nodePools = ['web', 'web2', 'jobs'].map((name) => ({
    name,
    taints: [{ key: name, effect: 'NoSchedule' }],
    nodeClassGroup: 'karpenter.k8s.aws',
  }));
  service.cluster.nodes = [...Array.from({ length: 10 }, () => node('web')), node('web2'), node('jobs')];
  service.cluster.nodeClaims = [{ instanceId: INSTANCE, nodePool: 'web', deleting: false }];
  return service;
}

const sizes = (service: FakeRuntime) =>
  ['web', 'burst', 'quiet', 'jobs-a', 'jobs-b'].map((name) => size(service, name));

async function beat(service: FakeRuntime, time?: string): Promise<void> {
  if (time !== undefined) service.time = utc(time);
  await handle(tickNow('heartbeat', service), service);
}

interface Seen {
  readonly metadata: { readonly labels: object };
  readonly spec: {
    readonly selector: object;
    readonly template: { readonly spec: { readonly nodeSelector: object; readonly tolerations: object } };
  };
}

function seen(service: FakeRuntime, name: string): Seen {
  const found = service.cluster.headroom(name);
  if (!found) throw new Error(`no headroom ${name}`);
  return found.object as Seen;
}

describe('several headrooms on one NodePool', () => {
  test('have a Deployment, labels and a selector each, and the nodes of the one NodePool', async () => {
    const service = made('10:00');
    await beat(service);
    expect(sizes(service)).toEqual([0, 0, 1, 2, 1]);
    for (const { name, nodePool } of config.headrooms) {
      const { metadata, spec } = seen(service, name);
      expect(metadata.labels).toMatchObject({ 'headstart.dev/headroom': name });
      expect(spec.selector).toEqual({ matchLabels: { 'headstart.dev/headroom': name } });
      expect(spec.template.spec.nodeSelector).toEqual({ 'karpenter.sh/nodepool': nodePool });
      expect(spec.template.spec.tolerations).toEqual([{ key: nodePool, operator: 'Exists', effect: 'NoSchedule' }]);
    }
  });

  test('have their own sizes: a floor that counts the nodes of the NodePool, and a boost beside it', async () => {
    const service = made('11:25');
    service.alarmStates.set('p95-high', { state: 'ALARM', at: utc('11:20') });
    await beat(service);
    expect(sizes(service)).toEqual([15, 4, 1, 2, 1]);
    expect(service.figures.map(({ headroom, desired }) => [headroom, desired])).toContainEqual(['burst', 4]);
  });

  test('grow with a notice about a node of the NodePool, each that listens to it by its own rules', async () => {
    const service = made('10:00');
    await handleInterruptions([message(loadEvent('spot-interruption', { time: '2026-11-17T10:00:00Z' }))], service);
    expect(sizes(service)).toEqual([1, 2, 1, 2, 1]);
    service.cluster.nodeClaims = [{ instanceId: INSTANCE, nodePool: 'web', deleting: false }];
    const later = made('10:00');
    await handleInterruptions(
      [message(loadEvent('rebalance-recommendation', { time: '2026-11-17T10:00:00Z' }))],
      later,
    );
    expect(sizes(later)).toEqual([0, 2, 1, 2, 1]);
  });

  test('say that the cluster has no NodePool of that name, each of them', async () => {
    const service = made('10:00');
    service.cluster.nodePools = service.cluster.nodePools.filter(({ name }) => name !== 'jobs');
    await beat(service);
    expect(service.counted.missingNodePools).toBe(2);
    const status = await statusOf(service, service.time);
    expect(status.filter(({ noSuchNodePool }) => noSuchNodePool).map(({ headroom }) => headroom)).toEqual([
      'jobs-a',
      'jobs-b',
    ]);
  });
});

describe('headrooms on a NodePool of the config', () => {
  const twins = configOf(
    `
  web: {max: 5, price: 0.2, unit: {floor: {cpu: 4}}, pool: {role: r, spotTwin: true, taints: [{key: a, effect: NoSchedule}]}, interruptions: {on: [spot]}}
  burst: {nodePool: web, max: 5, interruptions: {on: [spot]}}
  jobs-a: {nodePool: jobs, max: 5}
  jobs-b: {nodePool: jobs, max: 5, price: 0.3}
  cron: {max: 5}
`,
    'defaults: {price: 0.1}\n',
  );

  test('share its pool block, its spot twin and its price, which may come from any entry or from defaults', () => {
    const shared = twins.headrooms.map(({ name, price, twins: its, pool }) => [name, price, its, pool?.spotTwin]);
    expect(shared).toEqual([
      ['web', 0.2, ['web-spot'], true],
      ['burst', 0.2, ['web-spot'], true],
      ['jobs-a', 0.3, undefined, undefined],
      ['jobs-b', 0.3, undefined, undefined],
      ['cron', 0.1, undefined, undefined],
    ]);
  });

  test('have one NodePool, one spot twin and one node class together', () => {
    const made = nodePoolManifests(twins).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(made).toEqual(['EC2NodeClass web', 'NodePool web', 'NodePool web-spot']);
  });

  test('grow with a notice about a node of the spot twin', async () => {
    const service = made('10:00', twins);
    service.cluster.nodeClaims = [{ instanceId: INSTANCE, nodePool: 'web-spot', deleting: false }];
    await handleInterruptions([message(loadEvent('spot-interruption', { time: '2026-11-17T10:00:00Z' }))], service);
    expect(twins.headrooms.map(({ name }) => size(service, name))).toEqual([1, 1, 0, 0, 0]);
  });
});

describe('the name in an override', () => {
  const order = (headroom: string, more: object = { atLeast: 2, for: '30m' }) => ({
    headroom,
    reason: 'r',
    by: 'b',
    ...more,
  });

  test('that is a key is that headroom alone, also where it is a NodePool with others', async () => {
    const service = made('10:00');
    const answer = await handle(order('web'), service);
    expect(answer).toMatchObject({ decisions: [{ headroom: 'web', replicas: 2 }] });
    expect(sizes(service)).toEqual([2, 0, 1, 2, 1]);
  });

  test.each([{ more: undefined }, { more: { release: true } }])(
    'that is only a NodePool lists its headrooms and writes nothing: $more',
    async ({ more }) => {
      const service = made('10:00');
      expect(await handle(order('jobs', more), service)).toMatchObject({
        rejected: 'headroom "jobs" is a NodePool with several headrooms; write one of jobs-a, jobs-b',
      });
      expect(service.cluster.writes).toBe(0);
    },
  );

  test('of an announced peak that is only a NodePool is refused in the same words', async () => {
    const service = made('10:00');
    const event = { source: 'shop', time: '2026-11-17T10:00:00Z' };
    const body = { announced: { headroom: 'jobs', event: 'sale', cancel: false }, ingestedAt: event.time, event };
    expect(await handleAnnounced({ Records: [message(body)] }, service)).toEqual({ batchItemFailures: [] });
    expect(service.logged).toContainEqual(
      expect.objectContaining({
        message: 'event rejected',
        fields: expect.objectContaining({
          reason:
            'announced.headroom is "jobs", which is a NodePool with several headrooms; write one of jobs-a, jobs-b',
        }),
      }),
    );
    expect(service.cluster.writes).toBe(0);
  });
});

describe('a headroom that a deploy moves to another NodePool', () => {
  async function inLunch(): Promise<FakeRuntime> {
    const service = made('11:25');
    await handleInterruptions([message(loadEvent('spot-interruption', { time: '2026-11-17T11:25:00Z' }))], service);
    await handle({ headroom: 'web', addNodes: 7, for: '2h', reason: 'r', by: 'b' }, service);
    expect(size(service, 'web')).toBe(10 + 8);
    return service;
  }
  const withMove = (service: FakeRuntime): FakeRuntime => Object.assign(service, { config: moved });

  test('counts again on the new one for every open window and override, and drops surges; the override stands', async () => {
    const service = withMove(await inLunch());
    await beat(service, '11:40');
    const { counts = {}, surges, override, nodePool } = record(service, 'web');
    expect(Object.values(counts).map(({ nodes }) => nodes)).toEqual([1]);
    expect([surges, override?.replicas, override?.counted?.nodes, nodePool]).toEqual([{}, 7, 1, 'web2']);
    expect(size(service, 'web')).toBe(1 + 7);
  });

  test('counts again for an alarm that adds nodes', async () => {
    const service = made('11:25');
    service.alarmStates.set('queue-deep', { state: 'ALARM', at: utc('11:20') });
    await beat(service);
    expect(size(service, 'web')).toBe(10 + 5 + 2);
    await beat(withMove(service), '11:40');
    expect([size(service, 'web'), record(service, 'web').alarms['queue-deep']?.counted?.nodes]).toEqual([8, 1]);
  });

  test('counts once: its own nodes do not make it grow', async () => {
    const service = withMove(await inLunch());
    await beat(service, '11:40');
    service.cluster.nodes = [...service.cluster.nodes, ...Array.from({ length: 7 }, () => node('web2'))];
    await beat(service, '11:41');
    expect(size(service, 'web')).toBe(8);
  });

  test('counts again when it is moved back', async () => {
    const service = withMove(await inLunch());
    await beat(service, '11:40');
    Object.assign(service, { config });
    await beat(service, '11:50');
    expect([size(service, 'web'), record(service, 'web').nodePool]).toEqual([10 + 7, undefined]);
  });

  test('keeps the size while nobody can count, and counts afterwards', async () => {
    const service = withMove(await inLunch());
    service.cluster.fault = (call) => (call === 'nodeClaims' ? new Error('down') : undefined);
    await beat(service, '11:40').catch(() => undefined);
    expect(size(service, 'web')).toBe(18);
    service.cluster.fault = () => undefined;
    await beat(service, '11:41');
    expect(size(service, 'web')).toBe(8);
  });

  test('drops what nodes of the old one took to start, and keeps alarms', async () => {
    const service = made('11:25');
    const text = JSON.stringify({
      v: 1,
      alarms: { other: { state: 'ALARM', at: '2026-11-17T11:00:00.000Z' } },
      nodeStarts: { '2026-11-17T10:00:00Z/abcde': 40 },
    });
    await beat(service);
    service.cluster.edit('web', ({ annotations }) => ({ annotations: { ...annotations, [ANNOTATIONS.record]: text } }));
    withMove(service);
    await beat(service, '11:26');
    expect(record(service, 'web').nodeStarts).toBeUndefined();
  });

  test('keeps counts whose record cannot say which NodePool it is about', async () => {
    const service = await inLunch();
    service.cluster.edit('web', ({ annotations }) => {
      const { [ANNOTATIONS.record]: text = '', ...rest } = annotations;
      return { annotations: { ...rest, [ANNOTATIONS.record]: JSON.stringify({ ...JSON.parse(text), nodePool: 5 }) } };
    });
    await beat(service, '11:40');
    expect(Object.values(record(service, 'web').counts ?? {}).map(({ nodes }) => nodes)).toEqual([10]);
  });

  test('counts again also where part of the counts cannot be read', async () => {
    const service = withMove(await inLunch());
    service.cluster.edit('web', ({ annotations }) => {
      const { [ANNOTATIONS.record]: text = '', ...rest } = annotations;
      const { counts, ...parts } = JSON.parse(text);
      return {
        annotations: { ...rest, [ANNOTATIONS.record]: JSON.stringify({ ...parts, counts: { ...counts, broken: 7 } }) },
      };
    });
    await beat(service, '11:40');
    expect(Object.values(record(service, 'web').counts ?? {}).map(({ nodes }) => nodes)).toEqual([1]);
    // Held until somebody releases it.
    expect(size(service, 'web')).toBe(18);
  });

  test('does not take over the taints and zones of the old one while NodePools cannot be read', async () => {
    const service = withMove(await inLunch());
    service.cluster.fault = (call) => (call === 'nodePools' ? new Error('down') : undefined);
    await beat(service, '11:40').catch(() => undefined);
    const { spec } = seen(service, 'web');
    expect([spec.template.spec.nodeSelector, spec.template.spec.tolerations]).toEqual([
      { 'karpenter.sh/nodepool': 'web2' },
      undefined,
    ]);
  });
});
