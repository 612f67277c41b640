import { handle } from '../../../../shared/core/handle';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { tickNow } from './service';

const utc = (time: string) => Date.parse(`2026-11-17T${time}:00Z`);
const POOLS = `
  web:
    max: 12
    leadTime: 5m
    schedules:
      - {name: lunch, timezone: UTC, start: 0 12 * * *, end: 0 14 * * *, desiredReplicas: 6}
  batch: {max: 5, base: 1}
`;

function made(time: string): FakeRuntime {
  return new FakeRuntime(configOf(POOLS), utc(time));
}

/** The Events of one heartbeat: the object's name, the reason and the note. */
async function eventsAt(service: FakeRuntime, time: string): Promise<readonly string[]> {
  service.time = utc(time);
  service.emitted.length = 0;
  await handle(tickNow('heartbeat', service), service).catch(() => undefined);
  return service.emitted.map(({ regarding, type, reason, note }) => `${type} ${reason} ${regarding.name}: ${note}`);
}

test('a size that was written is one Event on the Deployment, with its reasons; no size and nothing written is none', async () => {
  const service = made('11:00');
  expect(await eventsAt(service, '11:00')).toEqual([
    'Normal HeadroomResized headroom-batch: from 0 to 1 replicas: base: 1 node',
  ]);
  expect(service.emitted[0]?.regarding).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'headroom-batch',
    uid: service.cluster.headroom('batch')?.uid,
  });
  expect(await eventsAt(service, '11:54')).toEqual([]);
  expect(await eventsAt(service, '11:55')).toEqual([
    'Normal HeadroomResized headroom-web: from 0 to 6 replicas: lunch opens 2026-11-17T12:00Z: 6 nodes',
  ]);
});

test('a write that failed is no Event, and an Event that fails is a log line that fails nothing', async () => {
  const service = made('12:30');
  service.cluster.fault = (call, name) => (call === 'create' && name === 'headroom-web' ? new Error('500') : undefined);
  expect(await eventsAt(service, '12:30')).toEqual([
    'Normal HeadroomResized headroom-batch: from 0 to 1 replicas: base: 1 node',
  ]);
  service.cluster.fault = () => undefined;
  service.emitFault = new Error('403 Forbidden: events.events.k8s.io is forbidden');
  await handle(tickNow('heartbeat', service), service);
  expect(service.counted).toEqual({ errors: 1 });
  expect(service.logged.filter(({ message }) => message === 'event not created')).toEqual([
    { level: 'info', message: 'event not created', fields: { reason: service.emitFault.message } },
  ]);
});
