import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import type { CurrentHeadroom } from '../../../shared/core/ports/ports';
import { reconcile } from '../../../shared/core/process-event';
import { statusOf } from '../../../shared/core/status';
import { configOf, FakeRuntime } from '../../fakes/fake-runtime';

const NOON = Date.parse('2026-11-16T03:00:00Z');
const LUNCH = 'name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *';
const lunchOpen = ['lunch open since 2026-11-16T02:30Z: 6 nodes'];
const next = { at: '2026-11-16T04:30:00.000Z', replicas: 0, reasons: ['base: 0 nodes'] };
const calm = {
  ...{ headroom: 'web', wanted: 6, replicas: 6, ready: 4, shortfall: 2, reasons: lunchOpen, next },
  intents: { alarms: {}, surges: {} },
};

/** A NodePool with lunch open whose headroom stands, four of six ready. */
async function standing(edit: (current: CurrentHeadroom) => Partial<CurrentHeadroom> = () => ({})) {
  const service = new FakeRuntime(
    configOf(
      `  web: {max: 12, warmImages: [a], alarms: [{alarmName: p95, add: 3}], schedules: [{${LUNCH}, desiredReplicas: 6}]}\n`,
    ),
    NOON,
  );
  await reconcile(service, NOON, []);
  service.cluster.edit('web', (current) => ({ ready: 4, ...edit(current) }));
  service.cluster.calls.length = 0;
  service.alarmReads = 0;
  return service;
}

const annotated = (key: keyof typeof ANNOTATIONS, value: string) => (current: CurrentHeadroom) => ({
  annotations: { ...current.annotations, [ANNOTATIONS[key]]: value },
});

test('says what is wanted, what there is, and when that changes, without asking CloudWatch or for the version', async () => {
  const service = await standing();
  const [{ intents, ...status } = { intents: {} }] = await statusOf(service, NOON);
  expect({ ...status, intents: calm.intents }).toStrictEqual(calm);
  expect(intents).toMatchObject(calm.intents);
  expect(service.alarmReads).toBe(0);
  expect(service.cluster.calls).toEqual(['list', 'nodePools']);
});

test.each<{ name: string; edit: (current: CurrentHeadroom) => Partial<CurrentHeadroom>; says: object }>([
  { name: 'more ready than wanted', edit: () => ({ ready: 9 }), says: { ready: 9, shortfall: 0 } },
  {
    name: 'a record that cannot be read, and the size that is held',
    edit: annotated('record', '{'),
    says: { unreadable: '{', held: 6 },
  },
  {
    name: 'a headroom of another stack',
    edit: annotated('owner', 'another'),
    says: { foreignOwner: 'another' },
  },
])('says $name', async ({ edit, says }) => {
  const [{ reasons: _reasons, next: _next, intents: _intents, ...status } = {} as never] = await statusOf(
    await standing(edit),
    NOON,
  );
  const { reasons: _calm, next: _then, intents: _none, ...rest } = calm;
  expect(status).toStrictEqual({ ...rest, ...says });
});

test('whose headroom it is does not matter to who owns none', async () => {
  const service = await standing(annotated('owner', 'another'));
  const [status] = await statusOf({ ...service, owner: '', ports: service.ports }, NOON);
  expect(status).not.toHaveProperty('foreignOwner');
});

test('says that there is no headroom yet, no such NodePool, and what is to be counted', async () => {
  const service = new FakeRuntime(
    configOf(`  web: {max: 12, unit: {floor: {cpu: 4}}, schedules: [{${LUNCH}, addNodes: 6}]}\n`),
    NOON,
  );
  service.cluster.nodePools = [];
  const [status] = await statusOf(service, NOON);
  expect(status).toMatchObject({ replicas: 0, ready: 0, missing: true, noSuchNodePool: true, uncounted: 6 });
});

test('says that a field is contested', async () => {
  const service = await standing();
  for (let time = NOON; time < NOON + 600_000; time += 60_000) {
    service.cluster.edit('web', () => ({ replicas: 2, scaledBy: 'argocd' }));
    await reconcile(service, time, []);
  }
  service.cluster.edit('web', () => ({ replicas: 2, scaledBy: 'argocd' }));
  expect(await statusOf(service, NOON + 600_000)).toMatchObject([{ contested: 'spec.replicas', replicas: 2 }]);
});

test('fails where the headroom cannot be read', async () => {
  const service = await standing();
  service.cluster.fault = (call) => (call === 'list' ? new Error('503') : undefined);
  await expect(statusOf(service, NOON)).rejects.toThrow('reading the headroom of NodePools web: 503');
});

test('says what is kept of the live schedules, and why part of them does not count', async () => {
  const schedule = `{${LUNCH}, desiredReplicas: 99}`;
  const edit = { by: 'kubectl', at: '2026-11-16T02:00:00Z' };
  const service = new FakeRuntime(configOf('  web: {max: 12}\n', '', ', liveSchedules: true'), NOON);
  const beat = async (text: string) => {
    service.cluster.configMap = { data: { 'schedules.yaml': text }, binaryKeys: [], edit };
    await reconcile(service, NOON, []);
    const [{ live, liveProblem, liveNotes } = {} as never] = await statusOf(service, NOON);
    return { live, liveProblem, liveNotes };
  };
  const valid = await beat(`nodePools:\n  web:\n    schedules: [${schedule}]\n`);
  expect(valid).toMatchObject({ live: { by: 'kubectl' }, liveNotes: [expect.stringContaining('99')] });
  expect(valid.liveProblem).toBeUndefined();
  expect(await beat('nodePools: [')).toMatchObject({ live: { by: 'kubectl' }, liveProblem: expect.any(String) });
});
