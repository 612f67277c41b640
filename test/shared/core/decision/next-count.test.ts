import { nextDecision } from '../../../../shared/core/decision/next-decision';
import { configOf } from '../../../fakes/fake-runtime';

const MORE = '{name: more, timezone: UTC, start: "*/10 * * * *", end: "6-59/10 * * * *", addNodes: 3}';

test('the next count is a change, also where a lead time begins as the window before ends', () => {
  const [pool] = configOf(`  step: {unit: {floor: {cpu: 4}}, max: 4, leadTime: 4m, schedules: [${MORE}]}\n`).headrooms;
  const [now, until] = [Date.parse('2026-11-16T03:42:00Z'), Date.parse('2026-11-16T03:45:00Z')];
  const counts = { 'more@2026-11-16T03:40:00.000Z': { nodes: 1, at: now, until } };
  const next = pool && nextDecision({ pool, record: { alarms: {}, surges: {}, counts }, now });
  expect(next && { at: new Date(next.at).toISOString(), replicas: next.replicas, adds: next.uncounted }).toEqual({
    at: '2026-11-16T03:46:00.000Z',
    replicas: 0,
    adds: 3,
  });
});
