import { handle } from '../../../../shared/core/handle';
import type { NodeClaimShape } from '../../../../shared/core/karpenter/can-land';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { loadEvent } from '../../../events/load-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { record, size as sizeOf } from './service';

const FLOOR = `
  web:
    max: 8
    leadTime: 5m
    unit: {floor: {cpu: 4}}
    schedules:
      - {name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, addNodes: 6}
    alarms: [{alarmName: deep, addNodes: 2, hold: 10m}, {alarmName: slow, addNodes: 3, hold: 10m}]
`;
const config = configOf(FLOOR);
const seoul = (time: string) => Date.parse(`2026-11-17T${time}:00+09:00`);
const size = (service: FakeRuntime) => sizeOf(service, 'web');

/** Whoever owns its nodes: work, or Karpenter for a floor. */
function nodes(count: number): NodeClaimShape[] {
  const labels = { 'karpenter.sh/nodepool': 'web', 'karpenter.k8s.aws/instance-cpu': '4' };
  return Array.from({ length: count }, () => ({ labels, taints: [], deleting: false, launched: true }));
}

function made(count = 10): FakeRuntime {
  const service = new FakeRuntime(config, seoul('09:00'));
  service.cluster.nodes = nodes(count);
  return service;
}

async function beatAt(service: FakeRuntime, time: string, next = service.config): Promise<number | undefined> {
  service.time = seoul(time);
  const heartbeat = loadEvent('heartbeat', { time: new Date(service.time).toISOString() });
  await handle(heartbeat, { ...service, config: next, ports: service.ports }).catch(() => undefined);
  return size(service);
}

/** The alarm goes to ALARM or leaves it, and Karpenter provides what the floor asks for. */
async function rings(service: FakeRuntime, name: string, state: 'ALARM' | 'OK', time: string) {
  service.alarmStates.set(name, { state, at: seoul(time) });
  const wanted = await beatAt(service, time);
  service.cluster.nodes = nodes(Math.max(service.cluster.nodes.length, wanted ?? 0));
  return wanted;
}

const counts = (service: FakeRuntime) => service.cluster.calls.filter((call) => call === 'nodeClaims').length;
const countedFor = (service: FakeRuntime, name: string) => record(service, 'web').alarms[name]?.counted?.nodes;

describe('an alarm with addNodes', () => {
  test('adds to the nodes that there are when it rings, and nothing after its hold', async () => {
    const service = made();
    // Not at heartbeats that look at node starts.
    expect(await rings(service, 'deep', 'ALARM', '09:01')).toBe(12);
    expect(await beatAt(service, '09:21')).toBe(12);
    await rings(service, 'deep', 'OK', '09:32');
    expect([await beatAt(service, '09:41'), await beatAt(service, '09:42')]).toEqual([12, 0]);
    expect(counts(service)).toBe(1);
  });

  test('never adds up while it flaps for a day', async () => {
    const service = made();
    const sizes = new Set<number | undefined>();
    for (let minute = 0; minute < 14 * 60; minute += 15) {
      const at = (plus: number) => new Date(seoul('00:00') + 9 * 3_600_000 + (minute + plus) * 60_000);
      const clock = (plus: number) => at(plus).toISOString().slice(11, 16);
      sizes.add(await rings(service, 'deep', 'ALARM', clock(0)));
      sizes.add(await rings(service, 'deep', 'OK', clock(4)));
    }
    // Lunch adds its six to the same ten.
    expect([...sizes]).toEqual([12, 18]);
  });

  test.each([
    { name: 'within an hour of its hold, when its nodes are still there', again: '10:39', there: 12, size: 12 },
    { name: 'within an hour of its hold, when nodes have gone', again: '10:39', there: 7, size: 9 },
    { name: 'later than that', again: '10:46', there: 12, size: 14 },
  ])('rings again $name', async ({ again, there, size: expected }) => {
    const service = made();
    await rings(service, 'deep', 'ALARM', '09:00');
    await rings(service, 'deep', 'OK', '09:30');
    await beatAt(service, '09:40');
    service.cluster.nodes = nodes(there);
    await beatAt(service, '10:38');
    expect(countedFor(service, 'deep')).toBe(10);
    expect(await rings(service, 'deep', 'ALARM', again)).toBe(expected);
  });

  test('adds to the count of the window that is open, and a window to that of an alarm', async () => {
    const service = made();
    expect(await beatAt(service, '11:25')).toBe(16);
    service.cluster.nodes = nodes(16);
    expect(await rings(service, 'deep', 'ALARM', '12:00')).toBe(18);
    expect(countedFor(service, 'deep')).toBe(10);
    // Together no more than max above what was there.
    expect(await rings(service, 'slow', 'ALARM', '12:01')).toBe(18);
    expect(await beatAt(service, '13:30')).toBe(15);

    const other = made();
    await rings(other, 'deep', 'ALARM', '11:00');
    expect(await beatAt(other, '11:25')).toBe(18);
  });

  test('bounds what a window counts while its nodes may still be there, and no more than that', async () => {
    const service = made();
    await rings(service, 'deep', 'ALARM', '10:20');
    await rings(service, 'deep', 'OK', '10:25');
    await beatAt(service, '10:40');
    expect(await beatAt(service, '11:25')).toBe(16);

    const shrunk = made();
    await rings(shrunk, 'deep', 'ALARM', '10:20');
    await rings(shrunk, 'deep', 'OK', '10:25');
    await beatAt(shrunk, '10:40');
    shrunk.cluster.nodes = nodes(4);
    expect(await beatAt(shrunk, '11:25')).toBe(10);
  });

  test('shares its count with another alarm and with an override', async () => {
    const service = made();
    await rings(service, 'deep', 'ALARM', '09:00');
    expect(await rings(service, 'slow', 'ALARM', '09:05')).toBe(15);
    await handle({ headroom: 'web', addNodes: 4, for: '30m', by: 'kim', reason: 'sale' }, service);
    expect([size(service), counts(service)]).toEqual([18, 1]);
  });

  test('is not counted again when a deploy renames it', async () => {
    const service = made();
    await rings(service, 'deep', 'ALARM', '09:00');
    const renamed = configOf(FLOOR.replace('alarmName: deep', 'alarmName: deeper'));
    await beatAt(service, '09:01', renamed);
    service.alarmStates.set('deeper', { state: 'ALARM', at: seoul('09:02') });
    expect(await beatAt(service, '09:02', renamed)).toBe(12);
    await beatAt(service, '10:10', renamed);
    expect(Object.keys(record(service, 'web').alarms)).toEqual(['deeper']);
  });

  test.each(['{broken', '{"v":1,"alarms":{"deep":7},"surges":{}}', '{"v":1,"alarms":7,"surges":{}}', ''])(
    'keeps its size when its count is lost with the record (%s)',
    async (text) => {
      const service = made();
      await rings(service, 'deep', 'ALARM', '09:00');
      service.cluster.edit('web', ({ annotations }) => ({
        annotations: { ...annotations, [ANNOTATIONS.record]: text },
      }));
      for (const time of ['09:05', '09:06', '09:59']) expect(await beatAt(service, time)).toBe(12);
      expect(counts(service)).toBe(1);
    },
  );

  test('waits for NodeClaims that cannot be read, with an error', async () => {
    const service = made();
    service.cluster.fault = (call) => (call === 'nodeClaims' ? new Error('503') : undefined);
    service.alarmStates.set('deep', { state: 'ALARM', at: seoul('09:00') });
    const heartbeat = loadEvent('heartbeat', { time: new Date(service.time).toISOString() });
    await expect(handle(heartbeat, service)).rejects.toThrow('503');
    expect(size(service)).toBe(0);
    service.cluster.fault = () => undefined;
    expect(await beatAt(service, '09:01')).toBe(12);
  });
});

describe('overrides with addNodes', () => {
  const MORE = { headroom: 'web', addNodes: 4, for: '30m', by: 'kim', reason: 'sale' };

  test('that replace each other add to the same count', async () => {
    const service = made();
    await handle(MORE, service);
    expect(size(service)).toBe(14);
    service.cluster.nodes = nodes(14);
    service.time += 60_000;
    await handle({ ...MORE, addNodes: 5 }, service);
    expect([size(service), counts(service)]).toEqual([15, 1]);
  });
});
