import { decisionTime } from '../../../../shared/core/decision/decision-time';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const tick = (ahead?: number) => ({
  event: { kind: 'tick' as const, trigger: 'edge' as const, ...(ahead !== undefined && { at: NOW + ahead }) },
});
const alarm = { event: { kind: 'alarm' as const, alarmName: 'a', state: 'OK' as const, at: NOW + 60_000 } };

test.each([
  { name: 'no event', events: [], ahead: 0 },
  { name: 'an edge that fires a moment early', events: [tick(2_000)], ahead: 2_000 },
  { name: 'the latest of several edges', events: [tick(2_000), tick(9_000), tick(-5_000)], ahead: 9_000 },
  { name: 'an edge that fires late', events: [tick(-60_000)], ahead: 0 },
  { name: 'an edge as early as the scheduler is precise', events: [tick(90_000)], ahead: 90_000 },
  { name: 'an edge from far ahead, an error', events: [tick(90_001)], ahead: 0 },
  { name: 'a deploy, which has no time', events: [tick()], ahead: 0 },
  { name: 'an alarm, whose time is that of its state', events: [alarm], ahead: 0 },
])('$name is decided for the clock plus $ahead ms', ({ events, ahead }) => {
  expect(decisionTime(NOW, events) - NOW).toBe(ahead);
});
