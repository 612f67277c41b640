import { zoneOffset } from '../lib/format.js';

const MINUTE = 60_000;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE);

/**
 * At most `most` round local times between two moments.
 * @param {number} from
 * @param {number} to
 * @param {number} most
 */
export function roundTimes(from, to, most) {
  const step = STEPS.find((candidate) => (to - from) / candidate <= most) ?? 1440 * MINUTE;
  const offset = zoneOffset(from);
  const times = [];
  for (let at = Math.ceil((from + offset) / step) * step - offset; at <= to; at += step) times.push(at);
  return times;
}
