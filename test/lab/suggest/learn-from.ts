import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith, runCli } from '../../cli/run-cli';

/** A Monday. */
const START = Date.UTC(2026, 8, 7);

/** A history of some days, with a value every so many minutes by the minute of the day, the day and its weekday, in UTC. */
export function traceOf(
  valueAt: (minute: number, day: number, weekday: number) => number,
  { days = 14, every = 5 } = {},
): string {
  const rows = Array.from({ length: (days * 1_440) / every }, (_, index) => {
    const at = new Date(START + index * every * 60_000);
    const minute = at.getUTCHours() * 60 + at.getUTCMinutes();
    return `${at.toISOString()},default,${valueAt(minute, Math.floor((index * every) / 1_440), at.getUTCDay())}`;
  });
  return ['time,pool,pods', ...rows, ''].join('\n');
}

/** Runs suggest on a config and a history, and reads what became of the config. */
export async function suggested(config: string, trace: string, ...words: readonly string[]) {
  const folder = folderWith({ 'headroom.yaml': config, 't.csv': trace });
  const file = join(folder, 'headroom.yaml');
  const given = words.map((word) => word.replace('FOLDER', folder));
  const run = await runCli(['suggest', '-c', file, '--demand', join(folder, 't.csv'), '--timezone', 'UTC', ...given]);
  const printed = `exit ${run.code}\n${run.err}${run.out}`.replaceAll(`${folder}/`, '');
  return { ...run, folder, file, printed, written: readFileSync(file, 'utf8') };
}
