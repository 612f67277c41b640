import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { reconcile } from '../../../../shared/core/process-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';

const NOON = Date.parse('2026-11-16T03:00:00Z');
const MINUTE = 60_000;
const config = configOf('  web: {max: 30, base: 6, alarms: [{alarmName: busy, add: 2}]}\n');

/** Somebody caps the size after each of our writes, as a webhook or a GitOps tool would. */
const capped = (service: FakeRuntime) =>
  service.cluster.edit('web', () => ({ replicas: 4, scaledBy: 'argocd', changedBy: 'argocd' }));

async function minutes(service: FakeRuntime, from: number, to: number) {
  const writes: number[] = [];
  for (let minute = from; minute < to; minute += 1) {
    const before = service.cluster.writes;
    await reconcile(service, NOON + minute * MINUTE, []);
    if (service.cluster.writes > before) {
      writes.push(minute);
      capped(service);
    }
  }
  return writes;
}

test('drift that comes back is fought five times, reported once with the writer, and retried every ten minutes', async () => {
  const service = new FakeRuntime(config, NOON);
  await reconcile(service, NOON, []);
  capped(service);
  expect(await minutes(service, 1, 40)).toEqual([1, 2, 3, 4, 5, 15, 25, 35]);
  expect(service.logged.filter(({ message }) => message === 'field contested')).toEqual([
    { level: 'error', message: 'field contested', fields: { headroom: 'web', field: 'spec.replicas', by: 'argocd' } },
  ]);
  expect(service.counted.contestedFields).toBe(35);
});

test('a fight is remembered whatever else is written meanwhile', async () => {
  const service = new FakeRuntime(config, NOON);
  await reconcile(service, NOON, []);
  capped(service);
  const writes: number[] = [];
  for (let minute = 1; minute < 60; minute += 1) {
    const at = NOON + minute * MINUTE;
    const state = Math.floor(minute / 4) % 2 === 1 ? ('ALARM' as const) : ('OK' as const);
    const changed = minute % 4 === 0;
    const before = service.cluster.writes;
    await reconcile(service, at, changed ? [{ kind: 'alarm', headroom: 'web', alarmName: 'busy', state, at }] : []);
    if (service.cluster.writes > before) {
      writes.push(minute);
      capped(service);
    }
  }
  // Fought five times, then only the alarm's own changes and the ends of its holds are written.
  expect(writes.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
  expect(writes.length).toBeLessThan(35);
  expect(service.logged.filter(({ message }) => message === 'field contested')).toHaveLength(1);
  expect(service.counted.contestedFields).toBeGreaterThan(50);
});

describe('a contested field never hides another', () => {
  const relabel = (service: FakeRuntime) =>
    service.cluster.edit('web', ({ object }) => {
      const { metadata, ...rest } = object as { readonly metadata: object };
      return { object: { ...rest, metadata: { ...metadata, labels: {} } } };
    });

  test('a size that somebody sets to 0 is undone by the next reconcile', async () => {
    const service = new FakeRuntime(config, NOON);
    await reconcile(service, NOON, []);
    for (let minute = 1; minute < 9; minute += 1) {
      relabel(service);
      await reconcile(service, NOON + minute * MINUTE, []);
    }
    relabel(service);
    service.cluster.edit('web', () => ({ replicas: 0, scaledBy: 'kubectl' }));
    await reconcile(service, NOON + 9 * MINUTE, []);
    expect(service.cluster.headroom('web')?.replicas).toBe(6);
  });
});

test('an override is recorded although the field is contested and the size stays', async () => {
  const service = new FakeRuntime(config, NOON);
  const relabel = () =>
    service.cluster.edit('web', ({ object }) => {
      const { metadata, ...rest } = object as { readonly metadata: object };
      return { object: { ...rest, metadata: { ...metadata, labels: {} } } };
    });
  await reconcile(service, NOON, []);
  for (let minute = 1; minute < 9; minute += 1) {
    relabel();
    await reconcile(service, NOON + minute * MINUTE, []);
  }
  const override = {
    mode: 'exactly',
    replicas: 6,
    at: NOON,
    until: NOON + 60 * MINUTE,
    by: 'ana',
    reason: 'x',
  } as const;
  await reconcile(service, NOON + 9 * MINUTE, [{ kind: 'override', headroom: 'web', override }]);
  expect(service.cluster.headroom('web')?.annotations[ANNOTATIONS.record]).toContain('"by":"ana"');
});
