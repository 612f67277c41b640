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

  test('gets a verdict, and rings as late without its nodes', async () => {
    const service = made();
    await send(service, campaign('08:12:00', '09:00:00', '11:00:00'));
    await beat(service, '08:54:00');
    await beat(service, '09:02:00');
    expect(service.figures[0]).toMatchObject({ late: 6, lateBySeconds: 120 });
    service.cluster.edit('web', () => ({ ready: 6 }));
    await beat(service, '09:03:00');
    expect(Object.values(record(service, 'web').requests ?? {})).toMatchObject([{ ready: utc('09:03:00') }]);
  });
});

describe('a peak that is announced too late for its lead time', () => {
  test.each([
    { name: 'a campaign', sent: campaign('08:56:00', '09:00:00', '11:00:00'), wanted: 6, why: /too late for its lead/ },
    {
      name: 'an event without from',
      sent: imported('08:56:00'),
      wanted: 3,
      why: /^import: 3 nodes from .* too late for/,
    },
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

  test('hold as long as the last of them says, and are never larger', async () => {
    const service = made('09:00:31');
    await send(service, imported('09:00:20'), imported('09:00:25'));
    expect([size(service), announced(service)]).toEqual([
      3,
      { 'import *': { at: utc('09:00:25'), from: utc('09:00:25'), to: utc('09:31:00') } },
    ]);
    service.time = utc('09:20:00');
    await send(service, imported('09:19:30'));
    expect(await beat(service, '09:49:00')).toBe(3);
    expect(await beat(service, '09:50:00')).toBe(0);
    expect(announced(service)).toBeUndefined();
  });

  test('a cancellation that comes first holds for a day', async () => {
    const service = made('08:00:00');
    await send(service, cancelled('07:30:00'));
    await send(service, campaign('07:29:59', '09:00:00', '11:00:00'));
    expect(await beat(service, '09:30:00')).toBe(0);
    await beat(service, '2026-11-19T07:29:00Z');
    expect(announced(service)).toEqual({ 'campaign spring-sale': { at: utc('07:30:00') } });
    await beat(service, '2026-11-19T07:36:00Z');
    expect(announced(service)).toBeUndefined();
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

describe('times that are not believed', () => {
  test.each([
    { name: 'the event time', event: '08:10:00', ingested: '08:11:00', stands: '08:10:00' },
    { name: 'a minute ahead', event: '08:12:00', ingested: '08:11:00', stands: '08:12:00' },
    { name: 'the ingestion, if further ahead', event: '08:12:01', ingested: '08:11:00', stands: '08:11:00' },
  ])('a message is of $name', async ({ event, ingested, stands }) => {
    const service = made();
    await send(service, announcement(event, {}, { event: 'import', ingested }));
    expect(announced(service)?.['import *']?.at).toBe(utc(stands));
  });
});

describe('an event that is rejected', () => {
  const detail = (change: object) =>
    announcement('08:12:00', { id: 'a', start: '2026-11-18T09:00:00Z', end: '2026-11-18T11:00:00Z', ...change });
  test.each([
    {
      name: 'no start',
      sent: detail({ start: undefined }),
      reason: /a time with its zone.* at \$\.detail\.start, got nothing/,
    },
    {
      name: 'a time without a zone',
      sent: detail({ start: '2026-11-18T09:00' }),
      reason: /\$\.detail\.start, got "2026/,
    },
    { name: 'a number as a time', sent: detail({ end: 1 }), reason: /at \$\.detail\.end, got 1/ },
    {
      name: 'an end before its start',
      sent: detail({ end: '2026-11-18T08:00:00Z' }),
      reason: /a time after \$\.detail\.start at \$\.detail\.end/,
    },
    {
      name: 'a start in 32 days',
      sent: detail({ start: '2026-12-20T09:00:00Z', end: '2026-12-20T10:00:00Z' }),
      reason: /within 31 days at \$\.detail\.start/,
    },
    {
      name: 'more than 7 days',
      sent: detail({ end: '2026-11-25T09:00:01Z' }),
      reason: /within 7 days after .* at \$\.detail\.end/,
    },
    { name: 'no key', sent: detail({ id: undefined }), reason: /text or a number at \$\.detail\.id, got nothing/ },
    { name: 'an object as key', sent: detail({ id: {} }), reason: /at \$\.detail\.id, got {}/ },
    {
      name: 'an inherited property',
      sent: { ...detail({}), event: { time: '2026-11-18T08:12:00Z', detail: 'x' } },
      reason: /\$\.detail/,
    },
    { name: 'older than a day', sent: imported('2026-11-17T08:11:59Z'), reason: /more than 24 hours old/ },
    { name: 'no message of ours', sent: { source: 'shop.cms' }, reason: /no object at announced/ },
  ])('is logged by its field, counted, not retried, and leaves the others alone: $name', async ({ sent, reason }) => {
    const service = made();
    expect(await send(service, sent, imported('08:12:00'))).toEqual({ batchItemFailures: [] });
    expect(service.logged.filter(({ level }) => level === 'error')).toEqual([
      {
        level: 'error',
        message: 'event rejected',
        fields: expect.objectContaining({ reason: expect.stringMatching(reason) }),
      },
    ]);
    expect(service.counted.rejectedEvents).toBe(1);
    expect(Object.keys(announced(service) ?? {})).toEqual(['import *']);
  });

  test('an event that the config does not name is foreign and changes nothing', async () => {
    const service = made();
    expect(await send(service, announcement('08:12:00', {}, { event: 'gone' }))).toEqual({ batchItemFailures: [] });
    expect([service.counted.foreignEvents, service.cluster.calls]).toEqual([1, []]);
  });

  test('one that is over already counts nothing', async () => {
    const service = made('12:00:00');
    await send(service, campaign('08:12:00', '09:00:00', '11:00:00'));
    expect(size(service)).toBe(0);
  });
});

test('keys of people stay readable, others are hashed', async () => {
  const service = made();
  const keys = ['spring/2026:a@b', 'mit Leerzeichen', 'x'.repeat(41), 7];
  for (const id of keys)
    await send(service, announcement('08:12:00', { id, start: '2026-11-18T09:00:00Z', end: '2026-11-18T10:00:00Z' }));
  expect(Object.keys(announced(service) ?? {})).toEqual([
    'campaign 7',
    expect.stringMatching(/^campaign \w{12}$/),
    'campaign spring/2026:a@b',
    expect.stringMatching(/^campaign \w{12}$/),
  ]);
});

describe('the config', () => {
  test('has the size: a deploy changes it, and an event that it no longer names counts nothing', async () => {
    const before = made('10:00:00');
    await send(before, campaign('08:12:00', '09:00:00', '11:00:00'));
    expect(size(before)).toBe(6);
    const later = (pools: string) =>
      Object.assign(new FakeRuntime(configOf(pools), utc('10:01:00')), { cluster: before.cluster });
    expect(await beat(later(POOLS.replace('desiredReplicas: 6', 'desiredReplicas: 9')), '10:01:00')).toBe(9);
    expect(await beat(later(POOLS.replace('name: campaign', 'name: other')), '10:02:00')).toBe(0);
    expect(await beat(later(POOLS), '10:03:00')).toBe(6);
  });

  test('with live schedules too: both count, the highest wins', async () => {
    const service = made('10:00:00', configOf(POOLS, '', ', liveSchedules: true'));
    await send(service, campaign('08:12:00', '09:00:00', '11:00:00'));
    const text =
      'nodePools: {web: {base: 2, schedules: [{name: rush, timezone: UTC, from: "2026-11-18T10:30", to: "2026-11-18T12:00", desiredReplicas: 7}]}}';
    service.cluster.configMap = {
      data: { a: text },
      binaryKeys: [],
      edit: { by: 'kubectl', at: '2026-11-18T08:00:00Z' },
    };
    expect(await beat(service, '10:01:00')).toBe(6);
    expect(await beat(service, '10:40:00')).toBe(7);
    expect(await beat(service, '12:00:00')).toBe(2);
  });
});

describe('more peaks than are kept', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      campaign('08:12:00', `${10 + index}:00:00`.replace(/^(2[4-9])/, '23'), '23:59:00', `c${index}`),
    );

  test('the one that begins last is an error with its key, whenever it comes', async () => {
    for (const messages of [many(13), many(13).reverse()]) {
      const service = made();
      await send(service, ...messages);
      expect(service.logged.find(({ message }) => message === 'announced peaks dropped')?.fields).toMatchObject({
        headroom: 'web',
        peaks: ['campaign c12'],
      });
      expect(service.counted.rejectedEvents).toBe(1);
      expect(Object.keys(announced(service) ?? {})).toHaveLength(12);
      await beat(service, '08:13:00');
      expect(service.counted.rejectedEvents).toBe(1);
    }
  });

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

  test('twelve cancelled ones take no place from those that stand', async () => {
    const service = made();
    await send(service, ...many(12), ...Array.from({ length: 12 }, (_, index) => cancelled('08:11:00', `x${index}`)));
    expect(service.counted.rejectedEvents).toBeUndefined();
    expect(Object.keys(announced(service) ?? {})).toHaveLength(24);
  });
});

describe('a peak that adds nodes to a floor', () => {
  const floor = (time: string, nodes: number) => {
    const service = made(time, configOf(FLOOR));
    service.cluster.nodes = Array.from({ length: nodes }, () => ({
      labels: { 'karpenter.sh/nodepool': 'web', 'karpenter.k8s.aws/instance-cpu': '4' },
      taints: [],
      deleting: false,
    })) as never;
    return service;
  };

  test('counts once, however often it is made longer, moved or announced again', async () => {
    const service = floor('09:00:10', 4);
    await send(service, imported('09:00:05'));
    expect(size(service)).toBe(7);
    for (const second of [20, 30, 40]) {
      service.time = utc(`09:00:${second}`);
      service.cluster.nodes = [...service.cluster.nodes, ...service.cluster.nodes.slice(0, 1)];
      await send(service, imported(`09:00:${second}`));
      expect(size(service)).toBe(7);
    }
    expect(Object.keys(record(service, 'web').counts ?? {})).toEqual(['event:import *@2026-11-18T09:00:40.000Z']);
  });

  test('taken back, its count stands until its end: what follows does not add up', async () => {
    const service = floor('09:00:10', 4);
    await send(service, campaign('09:00:00', '09:00:00', '11:00:00'));
    expect(size(service)).toBe(10);
    service.cluster.nodes = Array.from({ length: 10 }, () => service.cluster.nodes[0]) as never;
    service.time = utc('09:30:00');
    await send(service, cancelled('09:30:00'), campaign('09:30:00', '09:30:00', '12:00:00', 'other'));
    expect(size(service)).toBe(10);
  });
});

test('of equal peaks the same one is the reason before and after it is written', async () => {
  const service = made('10:00:00');
  await send(
    service,
    campaign('08:12:00', '09:00:00', '11:00:00', 'b'),
    campaign('08:12:00', '09:30:00', '11:00:00', 'a'),
  );
  const { writes } = service.cluster;
  await beat(service, '10:01:00');
  expect(service.cluster.writes).toBe(writes);
});

describe('a message that is dated ahead', () => {
  const from2099 = () => announcement('2099-01-01T00:00:00Z', { id: 'spring-sale' }, { cancel: true });

  test('is rejected and rings, and a later announcement applies', async () => {
    const service = made();
    await send(service, from2099());
    expect(service.counted).toMatchObject({ rejectedEvents: 1 });
    await send(service, campaign('08:12:00', '08:10:00', '09:00:00'));
    expect(size(service)).toBe(6);
  });

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
