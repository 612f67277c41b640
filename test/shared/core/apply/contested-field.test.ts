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

test('a size that the decision changes is never delayed by that', async () => {
  const service = new FakeRuntime(config, NOON);
  await reconcile(service, NOON, []);
  capped(service);
  await minutes(service, 1, 8);
  await reconcile(service, NOON + 8 * MINUTE, [
    { kind: 'alarm', headroom: 'web', alarmName: 'busy', state: 'ALARM', at: NOON + 8 * MINUTE },
  ]);
  expect(service.cluster.headroom('web')?.replicas).toBe(8);
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

  test('two fields are fought and reported each', async () => {
    const service = new FakeRuntime(config, NOON);
    await reconcile(service, NOON, []);
    for (let minute = 1; minute < 9; minute += 1) {
      relabel(service);
      if (minute > 2) capped(service);
      await reconcile(service, NOON + minute * MINUTE, []);
    }
    const reported = service.logged.filter(({ message }) => message === 'field contested');
    const [labels, size] = reported.map(({ fields }) => String(fields.field));
    expect(reported).toHaveLength(2);
    expect(labels).toMatch(/^metadata\.labels\S+, metadata\.labels\S+$/);
    expect(size).toBe('spec.replicas');
  });
});

test('an order is recorded although the field is contested and the size stays', async () => {
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

test('a person who scales by hand once is no conflict', async () => {
  const service = new FakeRuntime(config, NOON);
  await reconcile(service, NOON, []);
  for (const minute of [1, 20, 40, 60, 80, 100]) {
    capped(service);
    await reconcile(service, NOON + minute * MINUTE, []);
    expect(service.cluster.headroom('web')?.replicas).toBe(6);
  }
  expect(service.counted.contestedFields).toBeUndefined();
});

test('a broken annotation is no reason to stop', async () => {
  const service = new FakeRuntime(config, NOON);
  await reconcile(service, NOON, []);
  service.cluster.edit('web', ({ annotations }) => ({
    replicas: 4,
    annotations: { ...annotations, [ANNOTATIONS.contested]: '{oops' },
  }));
  await reconcile(service, NOON + MINUTE, []);
  expect(service.cluster.headroom('web')?.replicas).toBe(6);
});
