import type { V1Deployment } from '@kubernetes/client-node';
import type { CurrentHeadroom } from '../../../shared/core/ports/ports';
import { reconcile } from '../../../shared/core/process-event';
import { reportEvents } from '../../../shared/core/report-outcome';
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
  test('one line for each decision that changed something, with reasons', async () => {
    const service = new FakeRuntime(config, NOON);
    await reconcile(service, NOON, []);
    await reconcile(service, NOON, []);
    expect(service.logged).toEqual([
      {
        level: 'info',
        message: 'headroom decided',
        fields: {
          headroom: 'web',
          change: 'created',
          from: 0,
          to: 6,
          reasons: ['lunch open since 2026-11-16T02:30Z: 6 nodes'],
        },
      },
      {
        level: 'info',
        message: 'headroom decided',
        fields: { headroom: 'batch', change: 'created', from: 0, to: 1, reasons: ['base: 1 node'] },
      },
    ]);
  });

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

  test('a resize without a field that had drifted, since nothing had', async () => {
    const service = new FakeRuntime(config, NOON);
    await reconcile(service, NOON, []);
    const closed = Date.parse('2026-11-16T05:00:00Z');
    const { headrooms } = await reconcile(service, closed, []);
    expect(service.logged.at(-1)).toEqual({
      level: 'info',
      message: 'headroom decided',
      fields: { headroom: 'web', change: 'resized', from: 6, to: 0, reasons: ['base: 0 nodes'] },
    });
    expect(headrooms[0]).not.toHaveProperty('drift');
  });

  test('a change of our own record or reasons without a field that had drifted', async () => {
    const service = new FakeRuntime(config, NOON);
    await reconcile(service, NOON, []);
    const override = { mode: 'exactly', replicas: 6, at: NOON, until: NOON + 60_000, by: 'ana', reason: 'x' } as const;
    await reconcile(service, NOON, [{ kind: 'override', headroom: 'web', override }]);
    expect(service.logged.at(-1)).toMatchObject({ message: 'headroom decided', fields: { change: 'updated' } });
    expect(service.logged.at(-1)?.fields).not.toHaveProperty('drift');
  });

  test.each([
    { name: 'a size', edit: () => ({ replicas: 2 }), says: { change: 'resized', drift: 'spec.replicas' } },
    {
      name: 'another field',
      edit: ({ object }: CurrentHeadroom) => ({
        object: { ...(object as V1Deployment), spec: { ...(object as V1Deployment).spec, revisionHistoryLimit: 9 } },
      }),
      says: { change: 'updated', drift: 'spec.revisionHistoryLimit' },
    },
  ])('$name that somebody else had changed, by its path', async ({ edit, says }) => {
    const service = new FakeRuntime(config, NOON);
    await reconcile(service, NOON, []);
    service.cluster.edit('batch', edit);
    await reconcile(service, NOON, []);
    expect(service.logged.at(-1)).toMatchObject({
      message: 'headroom decided',
      fields: { headroom: 'batch', ...says },
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
