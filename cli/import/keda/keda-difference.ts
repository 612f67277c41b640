import { type CronFields, parseCron } from '../../../shared/core/windows/cron';
import { nextLocal } from '../../../shared/core/windows/occurrences';

interface Edges {
  readonly name: string;
  readonly start: string;
  readonly end: string;
}

const YEAR = 366 * 86_400_000;
const FROM = Date.UTC(2026, 0, 1);
const NEVER = Number.POSITIVE_INFINITY;
/** A day of hourly windows has 48 edges: three weeks of them, or a year and a half of daily ones. */
const MAX_STEPS = 1_100;

/**
 * KEDA takes a window for open while its next end comes before its next start. That is
 * the same as "from a start to the first end after it" only where starts and ends take turns.
 */
export function kedaDifference({ name, start, end }: Edges): string[] {
  const { starts, ends } = repeats(start, end);
  return [
    ...(ends
      ? [
          `${name}: where two ends follow each other, KEDA stays open between them; here it is open from a start to the first end after it`,
        ]
      : []),
    ...(starts
      ? [
          `${name}: where two starts follow each other, KEDA is closed between them; here it is open from the first of them`,
        ]
      : []),
    ...([start, end].some((text) => /(^|\D)7(\D|$)/.test(text.split(/\s+/)[4] ?? ''))
      ? [`${name}: KEDA refuses day-of-week 7; here it is Sunday`]
      : []),
  ];
}

/** Whether two starts, or two ends, ever follow each other. */
function repeats(start: string, end: string): { starts: boolean; ends: boolean } {
  const [opens, closes] = [parseCron(start), parseCron(end)];
  const after = (cron: CronFields, at: number) => nextLocal(cron, at) ?? NEVER;
  const found = { starts: false, ends: false };
  let [opening, closing, last] = [after(opens, FROM), after(closes, FROM), ''];
  for (let step = 0; step < MAX_STEPS && Math.min(opening, closing) < FROM + YEAR; step += 1) {
    // On one instant the start wins.
    const [isEnd, isBoth] = [closing < opening, closing === opening];
    const now = isEnd ? 'ends' : 'starts';
    if (now === last && !isBoth) found[now] = true;
    last = now;
    if (!isEnd) opening = after(opens, opening);
    if (isEnd || isBoth) closing = after(closes, closing);
  }
  return found;
}
