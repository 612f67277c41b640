import { ConflictError } from '../../../shared/core/basics/errors';
import type { Intent } from '../../../shared/core/intents/intent';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { ReconcileError } from '../../../shared/core/outcome';
import { reconcile } from '../../../shared/core/process-event';
import { readRecord } from '../../../shared/core/record/record-codec';
import { configOf, FakeRuntime } from '../../fakes/fake-runtime';

const NOON = Date.parse('2026-11-16T03:00:00Z');
const LATER = NOON + 20 * 60_000;

const config = configOf(`
  web:
    max: 30
    schedules: [{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6}]
    alarms: [{alarmName: p95-high, add: 3, hold: 10m}]
    interruptions: {surge: 1, max: 20}
  batch: {max: 5, base: 1}
`);

const made = (given = config) => new FakeRuntime(given, NOON);
const run = (service: FakeRuntime, intents: readonly Intent[] = [], now = NOON) =>
  reconcile(service, now, intents).then((outcome) => {
    if (outcome.failures.length > 0) throw Object.assign(new ReconcileError(outcome.failures), { outcome });
    return outcome;
  });
const surge = (instanceId: string): Intent => ({
  kind: 'surge',
  headroom: 'web',
  instanceId,
  cause: 'spot',
  until: LATER,
});
const firing: Intent = { kind: 'alarm', headroom: 'web', alarmName: 'p95-high', state: 'ALARM', at: NOON };
const surgesOf = (service: FakeRuntime) =>
  Object.keys(readRecord(service.cluster.headroom('web')?.annotations[ANNOTATIONS.record]).record.surges).sort();

describe('racing handlers', () => {
  test('both take effect on a headroom that does not exist yet', async () => {
    const service = made();
    await Promise.all([run(service, [surge('i-1')]), run(service, [surge('i-2')])]);
    expect([surgesOf(service), service.cluster.headroom('web')?.replicas]).toEqual([['i-1', 'i-2'], 8]);
  });

  test('ten at once all take effect on a headroom that exists', async () => {
    const service = made();
    await run(service);
    const ids = Array.from({ length: 10 }, (_, i) => `i-${i}`);
    await Promise.all(ids.map((id) => run(service, [surge(id)])));
    expect(surgesOf(service)).toEqual(ids);
    expect(service.cluster.headroom('web')?.replicas).toBe(16);
  });

  test('a headroom deleted in between is made again', async () => {
    const service = made();
    await run(service);
    let deleted = false;
    service.cluster.fault = (call, name) => {
      if (call !== 'apply' || name !== 'headroom-web' || deleted) return undefined;
      deleted = true;
      service.cluster.remove('web');
      return new ConflictError('gone');
    };
    await run(service, [surge('i-1')]);
    expect([surgesOf(service), service.cluster.headroom('web')?.replicas]).toEqual([['i-1'], 7]);
  });

  test('conflicts without end fail in the end and name the NodePool', async () => {
    const service = made();
    service.cluster.fault = (call, name) =>
      call === 'create' && name === 'headroom-web' ? new ConflictError('headroom-web already exists') : undefined;
    await expect(run(service)).rejects.toThrow('headroom web: headroom-web already exists');
    expect(service.cluster.calls.filter((call) => call === 'create').length).toBeGreaterThanOrEqual(9);
  });
});

describe('a broken world', () => {
  test('with CloudWatch failing windows still open and close, boosts stay, and the error is loud', async () => {
    const service = made();
    await run(service, [firing]);
    expect(service.cluster.headroom('web')?.replicas).toBe(9);
    service.alarmFault = new Error('Throttling: rate exceeded');
    const night = Date.parse('2026-11-16T12:00:00Z');
    await expect(run(service, [], night)).rejects.toThrow('reading alarm states: Throttling: rate exceeded');
    expect(service.cluster.headroom('web')?.replicas).toBe(3);
  });

  test('with the Kubernetes API failing the error says what failed and for which NodePools', async () => {
    const service = made();
    service.cluster.fault = () =>
      new Error('GET /apis/apps/v1/namespaces/headroom/deployments: 503 ServiceUnavailable');
    await expect(run(service)).rejects.toThrow('reading the headroom of NodePools web, batch: GET /apis/apps');
    service.cluster.fault = () => undefined;
    await run(service);
    expect(service.cluster.headroom('web')?.replicas).toBe(6);
  });

  test('an override with a local config that fails names its own headroom', async () => {
    const service = made();
    service.cluster.fault = (call, name) => (name === 'headroom-batch' ? new Error(`${call}: 500`) : undefined);
    const override: Intent = {
      kind: 'override',
      headroom: 'batch',
      override: { mode: 'atLeast', replicas: 2, at: NOON, until: NOON + 60_000, by: 'ana', reason: 'sale' },
    };
    const { failures, failedHeadrooms } = await reconcile(Object.assign(service, { isLocalConfig: true }), NOON, [
      override,
    ]);
    expect([failures.map(({ what }) => what), failedHeadrooms]).toEqual([['headroom batch'], ['batch']]);
  });

  test('one NodePool that fails does not stop the others', async () => {
    const service = made();
    service.cluster.fault = (call, name) =>
      call === 'create' && name === 'headroom-web' ? new Error('PATCH: 500') : undefined;
    const failure = await run(service).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ReconcileError);
    expect(failure).toMatchObject({ message: 'headroom web: PATCH: 500', outcome: { failedHeadrooms: ['web'] } });
    expect(service.cluster.headroom('batch')?.replicas).toBe(1);
  });
});

describe('an unreadable record', () => {
  const broken = (service: FakeRuntime) =>
    service.cluster.edit('web', (current) => ({
      annotations: { ...current.annotations, [ANNOTATIONS.record]: '{"v":9}' },
    }));
  const night = Date.parse('2026-11-16T12:00:00Z');

  test('is kept quarantined, reported, and the size does not fall', async () => {
    const service = made();
    await run(service);
    broken(service);
    await run(service, [], night);
    const current = service.cluster.headroom('web');
    expect([current?.replicas, current?.annotations[ANNOTATIONS.quarantined]]).toEqual([6, '{"v":9}']);
    expect(service.logged.filter(({ level }) => level === 'error')).toMatchObject([{ message: 'record unreadable' }]);
  });

  test('stays held on later runs until a person releases it', async () => {
    const service = made();
    await run(service);
    broken(service);
    await run(service, [], night);
    await run(service, [], night + 60_000);
    expect(service.cluster.headroom('web')?.replicas).toBe(6);
    await run(
      service,
      [{ kind: 'release', headroom: 'web', release: { at: night + 120_000, by: 'ana' } }],
      night + 120_000,
    );
    const current = service.cluster.headroom('web');
    expect([current?.replicas, current?.annotations[ANNOTATIONS.quarantined]]).toEqual([0, undefined]);
  });

  test('falls again once a person has taken the kept text away', async () => {
    const service = made();
    await run(service);
    broken(service);
    await run(service, [], night);
    service.cluster.edit('web', ({ annotations }) => {
      const { [ANNOTATIONS.quarantined]: _taken, ...rest } = annotations;
      return { annotations: rest };
    });
    await run(service, [], night + 60_000);
    expect(service.cluster.headroom('web')?.replicas).toBe(0);
  });
});
