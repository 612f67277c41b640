import { ConflictError } from '../../../../shared/core/basics/errors';
import type { Config } from '../../../../shared/core/config/config';
import { handle, handleAnnounced } from '../../../../shared/core/handle';
import type { BatchResponse } from '../../../../shared/core/respond';
import { statusOf } from '../../../../shared/core/status';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { message, record, tickNow } from './service';

const EVENTS = `
    events:
      - name: campaign
        pattern: {source: [shop.cms], detail-type: [Campaign Scheduled]}
        cancel: {source: [shop.cms], detail-type: [Campaign Cancelled]}
        from: $.detail.start
        to: $.detail.end
        key: $.detail.id
        desiredReplicas: 6
      - {name: import, pattern: {source: [aws.s3]}, hold: 30m, desiredReplicas: 3}
`;
const POOLS = `\n  web:\n    max: 12\n    leadTime: 5m${EVENTS}\n  batch: {max: 5, base: 1}\n`;
const FLOOR = POOLS.replaceAll('desiredReplicas', 'addNodes').replace(
  'leadTime: 5m',
  'leadTime: 5m\n    unit: {floor: {cpu: 4}}',
);

const utc = (time: string) => Date.parse(/^\d\d:/.test(time) ? `2026-11-18T${time}Z` : time);
const made = (time = '08:12:00', config: Config = configOf(POOLS)) => new FakeRuntime(config, utc(time));
const size = (service: FakeRuntime) => service.cluster.headroom('web')?.replicas;
const announced = (service: FakeRuntime) => record(service, 'web').announced;

/** What the rule of an event puts into the queue. */
function announcement(time: string, detail: object = {}, { event = 'campaign', cancel = false, ingested = time } = {}) {
  const at = (text: string) => new Date(utc(text)).toISOString().replace('.000', '');
  return {
    announced: { headroom: 'web', event, cancel },
    ingestedAt: at(ingested),
    event: { version: '0', id: '1', source: 'shop.cms', time: at(time), detail },
  };
}
const campaign = (time: string, start: string, end: string, id = 'spring-sale') =>
  announcement(time, { id, start: new Date(utc(start)).toISOString(), end: new Date(utc(end)).toISOString() });
const cancelled = (time: string, id = 'spring-sale') => announcement(time, { id }, { cancel: true });
const imported = (time: string) => announcement(time, {}, { event: 'import' });

async function send(service: FakeRuntime, ...messages: object[]): Promise<BatchResponse> {
  const Records = messages.map((one, index) => message(one, `m${index}`));
  return (await handleAnnounced(
    { Records },
    { ...service, ports: service.ports, accepts: 'announcement' },
  )) as BatchResponse;
}
async function beat(service: FakeRuntime, time: string): Promise<number | undefined> {
  service.time = utc(time);
  await handle(tickNow('heartbeat', service), service);
  return size(service);
}
const reasons = async (service: FakeRuntime) => (await statusOf(service, service.time))[0]?.reasons;

describe('a campaign that is announced early', () => {
  test('is a window with lead time, one heartbeat more, and a reason that says who announced it', async () => {
    const service = made();
    expect(await send(service, campaign('08:12:00', '09:00:00', '11:00:00'))).toEqual({ batchItemFailures: [] });
    expect(size(service)).toBe(0);
    expect(await beat(service, '08:53:00')).toBe(0);
    expect(await beat(service, '08:54:00')).toBe(6);
    expect(await reasons(service)).toEqual([
      'campaign spring-sale: 6 nodes from 2026-11-18T09:00Z to 2026-11-18T11:00Z (announced 2026-11-18T08:12Z by shop.cms)',
    ]);
    expect(await beat(service, '10:59:00')).toBe(6);
    expect(await beat(service, '11:00:00')).toBe(0);
  });
});

describe('a peak that is announced too late for its lead time', () => {
  test.each([
    { name: 'a campaign', sent: campaign('08:56:00', '09:00:00', '11:00:00'), wanted: 6, why: /too late for its lead/ },
    { name: 'an event without from', sent: imported('08:56:00'), wanted: 3, why: /^import: 3 nodes .* too late for/ },
  ])('is requested at once and never late: $name', async ({ sent, wanted, why }) => {
    const service = made('08:56:01');
    await send(service, sent);
    expect(size(service)).toBe(wanted);
    expect(await reasons(service)).toEqual([expect.stringMatching(why)]);
    await beat(service, '09:10:00');
    expect(record(service, 'web').requests).toBeUndefined();
    expect(service.figures[0]).not.toHaveProperty('late');
  });
});

describe('messages about one peak', () => {
  test('move it, make it longer, and take it back', async () => {
    const service = made('09:30:00');
    await send(service, campaign('09:00:00', '09:00:00', '11:00:00'), campaign('09:10:00', '10:00:00', '12:00:00'));
    expect(size(service)).toBe(0);
    expect(await beat(service, '09:54:00')).toBe(6);
    await send(service, cancelled('09:54:00'));
    expect(size(service)).toBe(0);
    await send(service, campaign('09:55:00', '09:55:00', '11:00:00'));
    expect(size(service)).toBe(6);
  });

  test('a repeated delivery writes nothing', async () => {
    const service = made();
    const sent = campaign('08:12:00', '09:00:00', '11:00:00');
    await send(service, sent);
    const { writes } = service.cluster;
    await send(service, sent, sent);
    expect(service.cluster.writes).toBe(writes);
  });

  test('5,000 events of one key are a handful of writes', async () => {
    const service = made('09:00:10');
    await beat(service, '09:00:10');
    const { writes } = service.cluster;
    const batches = Array.from({ length: 5 }, (_, second) =>
      Array.from({ length: 1_000 }, () => imported(`09:00:0${second}`)),
    );
    for (const batch of batches) await send(service, ...batch);
    expect(service.cluster.writes - writes).toBeLessThanOrEqual(5);
    expect(size(service)).toBe(3);
  });
});

test('an event that is rejected is logged by its field, counted, not retried, and leaves the others alone', async () => {
  const service = made();
  const bad = announcement('08:12:00', { id: 'a', start: '2026-11-18T09:00' });
  expect(await send(service, bad, imported('08:12:00'))).toEqual({ batchItemFailures: [] });
  const reason = expect.stringContaining('at $.detail.start, got "2026-11-18T09:00"');
  expect(service.logged.filter(({ level }) => level === 'error')).toEqual([
    { level: 'error', message: 'event rejected', fields: expect.objectContaining({ reason }) },
  ]);
  expect(service.counted.rejectedEvents).toBe(1);
  expect(Object.keys(announced(service) ?? {})).toEqual(['import *']);
});

test('the config has the size: a deploy changes it, and an event that it no longer names counts nothing', async () => {
  const before = made('10:00:00');
  await send(before, campaign('08:12:00', '09:00:00', '11:00:00'));
  expect(size(before)).toBe(6);
  const later = (pools: string) =>
    Object.assign(new FakeRuntime(configOf(pools), utc('10:01:00')), { cluster: before.cluster });
  expect(await beat(later(POOLS.replace('desiredReplicas: 6', 'desiredReplicas: 9')), '10:01:00')).toBe(9);
  expect(await beat(later(POOLS.replace('name: campaign', 'name: other')), '10:02:00')).toBe(0);
  expect(await beat(later(POOLS), '10:03:00')).toBe(6);
});

describe('more peaks than are kept', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      campaign('08:12:00', `${10 + index}:00:00`.replace(/^(2[4-9])/, '23'), '23:59:00', `c${index}`),
    );

  test('a dropped peak is logged and counted once although the first write meets a conflict', async () => {
    const service = made();
    await beat(service, '08:11:00');
    let conflicts = 1;
    service.cluster.fault = (call) => {
      if (call !== 'apply' || conflicts === 0) return undefined;
      conflicts -= 1;
      return new ConflictError('headroom-web was modified');
    };
    await send(service, ...many(13));
    expect(conflicts).toBe(0);
    expect(service.logged.filter(({ message }) => message === 'announced peaks dropped')).toHaveLength(1);
    expect(service.counted.rejectedEvents).toBe(1);
  });

  test('a dropped peak is reported although the answer to the write is lost', async () => {
    const service = made();
    await beat(service, '08:11:00');
    service.cluster.fault = (call) => (call === 'apply' ? new Error('timed out') : undefined);
    await send(service, ...many(13)).catch(() => undefined);
    expect(service.counted.rejectedEvents).toBe(1);
  });
});

test('a peak that adds nodes to a floor counts once, however often it is made longer or announced again', async () => {
  const service = made('09:00:10', configOf(FLOOR));
  const node = {
    labels: { 'karpenter.sh/nodepool': 'web', 'karpenter.k8s.aws/instance-cpu': '4' },
    ...{ taints: [], deleting: false, launched: true },
  };
  service.cluster.nodes = Array.from({ length: 4 }, () => node);
  await send(service, imported('09:00:05'));
  expect(size(service)).toBe(7);
  for (const second of [20, 30, 40]) {
    service.time = utc(`09:00:${second}`);
    service.cluster.nodes = [...service.cluster.nodes, node];
    await send(service, imported(`09:00:${second}`));
    expect(size(service)).toBe(7);
  }
  expect(Object.keys(record(service, 'web').counts ?? {})).toEqual(['event:import *@2026-11-18T09:00:40.000Z']);
});

describe('a message that is dated ahead', () => {
  /** As a function whose clock was ahead has stored it. */
  async function holding(ahead: string) {
    const service = made(ahead);
    await send(service, announcement(ahead, { id: 'spring-sale' }, { cancel: true }), imported(ahead));
    service.time = utc('08:12:00');
    return service;
  }

  test('does not apply once it is stored, and is kept by a function whose clock nothing proves', async () => {
    const service = await holding('08:17:01');
    await send(service, campaign('08:12:00', '08:10:00', '09:00:00', 'other'));
    expect(Object.keys(announced(service) ?? {})).toEqual(['campaign other', 'campaign spring-sale', 'import *']);
    expect(await reasons(service)).toEqual([expect.stringMatching(/^campaign other/)]);
  });

  test('is removed by a heartbeat, which says so', async () => {
    const service = await holding('08:17:01');
    expect(await beat(service, '08:12:00')).toBe(0);
    expect(announced(service)).toBeUndefined();
    expect(service.counted).toMatchObject({ rejectedEvents: 2 });
    const dropped = service.logged.filter((line) => line.message === 'announced peaks dropped');
    expect(dropped.map(({ fields }) => fields.peaks)).toEqual([
      ['campaign spring-sale, dated 2026-11-18T08:17:01.000Z', 'import *, dated 2026-11-18T08:17:01.000Z'],
    ]);
  });

  test('makes others of its peak come again until a heartbeat has removed it, so that none is lost', async () => {
    const service = await holding('09:17:00');
    const sale = campaign('08:12:00', '08:10:00', '09:30:00');
    expect(await send(service, sale)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
    const [line] = service.logged.filter(({ message }) => message === 'processing failed');
    expect(line?.fields.reason).toMatch(/"campaign spring-sale" of 2026-11-18T09:17:00.000Z lies ahead/);
    expect(await beat(service, '08:13:00')).toBe(0);
    expect(await send(service, sale)).toEqual({ batchItemFailures: [] });
    expect(await beat(service, '08:14:00')).toBe(6);
  });

  test('still applies if it is no further ahead than clocks differ', async () => {
    const service = await holding('08:17:00');
    expect(await beat(service, '08:12:00')).toBe(3);
    expect(Object.keys(announced(service) ?? {})).toEqual(['campaign spring-sale', 'import *']);
  });
});
