import { reportEvents } from '../../../shared/core/log-and-count';
import { reconcile } from '../../../shared/core/process-event';
import { MESSAGES } from '../../../shared/report/history';
import { configOf, FakeRuntime } from '../../fakes/fake-runtime';

const NOON = Date.parse('2026-11-16T03:00:00Z');
const config = configOf(`
  web:
    max: 30
    schedules: [{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6}]
  batch: {max: 5, base: 1}
`);

describe('what is reported', () => {
  test('what reports are made of: how many nodes got a notice, what surges count, and what a window adds to', async () => {
    const service = new FakeRuntime(
      configOf(`
  web: {max: 30, interruptions: {surge: 1, max: 2}}
  floor:
    max: 8
    unit: {floor: {cpu: 4}}
    schedules: [{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, addNodes: 6}]
`),
      NOON,
    );
    const intents = ['i-1', 'i-2', 'i-3'].map((instanceId) => ({
      kind: 'surge' as const,
      headroom: 'web',
      instanceId,
      cause: 'spot',
      until: NOON + 60_000,
    }));
    const event = { kind: 'interruption' as const, cause: 'spot', instanceIds: [], at: NOON };
    reportEvents({ events: [{ id: '1', event, intents, foreign: [] }], rejected: [] }, service);
    await reconcile(service, NOON, intents);
    const fields = (headroom: string, message: string) =>
      service.logged.find((line) => line.message === message && line.fields.headroom === headroom)?.fields;
    expect(fields('web', MESSAGES.interrupted)).toEqual({ headroom: 'web', nodes: 3 });
    expect(fields('web', MESSAGES.decided)).toMatchObject({ to: 2, surges: 2 });
    expect(fields('floor', MESSAGES.decided)?.counts).toEqual({
      'lunch@2026-11-16T02:30:00.000Z': expect.objectContaining({ nodes: 0 }),
    });
  });

  test('desired and ready of each NodePool, and what came late for its window', async () => {
    const service = new FakeRuntime(config, NOON);
    const opened = Date.parse('2026-11-16T02:31:00Z');
    await reconcile(service, opened, []);
    service.cluster.edit('web', () => ({ ready: 4 }));
    await reconcile(service, opened, []);
    expect(service.figures).toEqual([
      { headroom: 'web', desired: 6, ready: 4, late: 2, lateBySeconds: 60 },
      { headroom: 'batch', desired: 1, ready: 0 },
    ]);
  });
});
