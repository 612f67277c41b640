const UNIT_SECONDS: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };
const DURATION = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

export const DURATION_HINT = 'write a duration such as 90s, 5m or 1h30m';

/** Reads `90s`, `5m`, `1h30m`, `7d` as seconds; `undefined` when it is not a duration. */
export function parseDuration(text: string): number | undefined {
  const match = DURATION.exec(text);
  if (!match || text === '') return undefined;
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return (days ?? 0) * 86_400 + (hours ?? 0) * 3_600 + (minutes ?? 0) * 60 + (seconds ?? 0);
}

/** Writes seconds the way a person would: `5m`, `1h30m`, `90s` becomes `1m30s`. */
export function formatDuration(totalSeconds: number): string {
  let rest = Math.round(totalSeconds);
  if (rest === 0) return '0s';
  let text = '';
  for (const [unit, size] of Object.entries(UNIT_SECONDS)) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text;
}

/** Minutes in a sentence: `3 min`, `1 h 50 min`. */
export function spanText(minutes: number): string {
  return durationText(minutes * 60);
}

/** Seconds in a sentence: `18 s`, `29 min 58 s`. */
export function durationText(seconds: number): string {
  const spaced = formatDuration(seconds).replaceAll(/(\d)([a-z])/g, '$1 $2 ');
  return spaced.replace('m ', 'min ').trim();
}

/** A minute that reads the same everywhere: `2026-11-17T02:30Z`. */
export function utcMinute(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 16)}Z`;
}
