import { isLookDue } from '../../../../shared/core/observe/due-heartbeat';

const HOUR = 3_600_000;

test.each([
  { heartbeatSeconds: 60, looks: 6 },
  { heartbeatSeconds: 240, looks: 5 },
  { heartbeatSeconds: 300, looks: 6 },
  { heartbeatSeconds: 900, looks: 4 },
])('of heartbeats $heartbeatSeconds s apart, $looks an hour look at node starts', ({ heartbeatSeconds, looks }) => {
  const from = Date.UTC(2026, 10, 18, 0, 0, 7);
  const beats = Array.from(
    { length: HOUR / (heartbeatSeconds * 1_000) },
    (_, n) => from + n * heartbeatSeconds * 1_000,
  );
  expect(beats.filter((now) => isLookDue({ heartbeatSeconds }, now))).toHaveLength(looks);
});
