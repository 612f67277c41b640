import { localIso } from '../../shared/drawing/local-time';
import { seededRandom, seedFor } from '../simulator/deterministic/seeded-random';

const MINUTE = 60_000;
const DAY = 24 * 60;

export interface TraceShape {
  readonly pool: string;
  readonly timezone: string;
  /** The first local day, at midnight. */
  readonly from: number;
  readonly days: number;
  readonly seed: number;
}

/**
 * A shop's demand in pods, with a row for each change: 3 at night; one more over the working day; at lunch 6 more
 * within ten minutes of 11:37, gone by 13:30, but not on weekends. Days vary a little in size and time, and now and
 * then half an hour is off by a pod.
 */
export function makeTrace({ pool, timezone, from, days, seed }: TraceShape): string {
  const rows: string[] = [];
  let before: number | undefined;
  for (let minute = 0; minute <= days * DAY; minute += 1) {
    const pods = podsAt(minute, from, timezone, seed);
    const last = minute === days * DAY;
    if (pods !== before || last)
      rows.push(`${new Date(from + minute * MINUTE).toISOString().slice(0, 16)}Z,${pool},${pods}`);
    before = pods;
  }
  const head = `# ${days} days of a shop, made by: headstart simulate --make-trace (seed ${seed}, ${timezone})`;
  return `${[head, 'time,pool,pods', ...rows].join('\n')}\n`;
}

function podsAt(minute: number, from: number, timezone: string, seed: number): number {
  const at = from + minute * MINUTE;
  const text = localIso(timezone, at);
  const clock = Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16));
  const weekend = [0, 6].includes(new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDay());
  const mood = draws(seed, `day ${text.slice(0, 10)}`);
  const [size, shift] = [0.9 + 0.2 * mood(), Math.round((mood() - 0.5) * 6)];
  const half = Number(text.slice(14, 16)) < 30 ? 'first' : 'second';
  const noise = draws(seed, `${half} half of ${text.slice(0, 13)}`)();
  const local = clock - shift;
  const working = hump(local, 14 * 60, 200);
  const lunch = weekend ? 0 : 6 * rise(local, 11 * 60 + 37, 1.5) * (1 - rise(local, 13 * 60 + 10, 10));
  const off = noise < 0.005 ? -1 : noise > 0.995 ? 1 : 0;
  return Math.max(1, Math.round(3 + size * (working + lunch)) + off);
}

/** A bell around a minute of the day. */
function hump(clock: number, middle: number, width: number): number {
  return Math.exp(-(((clock - middle) / width) ** 2) / 2);
}

/** From 0 to 1 around a minute of the day, within about four times `minutes`. */
function rise(clock: number, middle: number, minutes: number): number {
  return 1 / (1 + Math.exp(-(clock - middle) / minutes));
}

/** Discards the first draw, which is similar for similar seeds. */
function draws(seed: number, part: string): () => number {
  const random = seededRandom(seedFor(seed, part));
  random();
  return random;
}
