import { PLANTED_ALARM_BUGS } from './planted-alarm-bugs';
import { PLANTED_ANNOUNCED_BUGS } from './planted-announced-bugs';
import { PLANTED_BUGS } from './planted-bugs';
import { PLANTED_HEADROOM_BUGS } from './planted-headroom-bugs';
import { PLANTED_LIKE_BUGS } from './planted-like-bugs';
import { PLANTED_LIVE_BUGS } from './planted-live-bugs';
import { PLANTED_WAKE_UP_BUGS } from './planted-wake-up-bugs';
import { runScenarios } from './run-scenarios';

jest.setTimeout(600_000);

/** Each is found much sooner with most seeds. */
const STEPS = 60_000;

test.each([
  ...PLANTED_BUGS,
  ...PLANTED_ALARM_BUGS,
  ...PLANTED_HEADROOM_BUGS,
  ...PLANTED_LIKE_BUGS,
  ...PLANTED_LIVE_BUGS,
  ...PLANTED_ANNOUNCED_BUGS,
  ...PLANTED_WAKE_UP_BUGS,
])('it is found that $name', async ({ strategy, found, seed = 7 }) => {
  const { failed } = await runScenarios({ seed, steps: STEPS, strategy });
  expect(failed?.violations.join('; ')).toMatch(found);
});
