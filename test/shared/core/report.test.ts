import { reconcile } from '../../../shared/core/process-event';
import { configOf, FakeService } from '../../fakes/fake-service';

const NOON = Date.parse('2026-11-16T03:00:00Z');
const config = configOf(`
  web:
    max: 30
    schedules: [{name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6}]
  batch: {max: 5, base: 1}
`);

describe('what is reported', () => {
  test('one line for each decision that changed something, with reasons', async () => {
    const service = new FakeService(config, NOON);
    await reconcile(service, NOON, []);
    await reconcile(service, NOON, []);
    expect(service.logged).toEqual([
      {
        level: 'info',
        message: 'headroom decided',
        fields: { nodePool: 'web', change: 'created', from: 0, to: 6, reasons: ['lunch open since 11:30: 6'] },
      },
      {
        level: 'info',
        message: 'headroom decided',
        fields: { nodePool: 'batch', change: 'created', from: 0, to: 1, reasons: ['base: 1'] },
      },
    ]);
  });

  test('desired, ready and shortfall of each NodePool, and what came late for its window', async () => {
    const service = new FakeService(config, NOON);
    const opened = Date.parse('2026-11-16T02:31:00Z');
    await reconcile(service, opened, []);
    service.cluster.edit('web', () => ({ ready: 4 }));
    await reconcile(service, opened, []);
    expect(service.figures).toEqual([
      { nodePool: 'web', desired: 6, ready: 4, shortfall: 2, late: 2, lateBySeconds: 60 },
      { nodePool: 'batch', desired: 1, ready: 0, shortfall: 1, late: 0 },
    ]);
  });
});
