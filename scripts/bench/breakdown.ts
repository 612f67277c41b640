import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { median } from './measure';

/** The parts of a complete run beyond what an empty process takes, in order, as `timed-run.mjs` names them. */
const PARTS = {
  nodeModules: 'load `node:https`, `node:crypto`, `node:fs`',
  ourCode: 'load our code',
  firstRequest: 'make the first request: config, token, TLS context, sockets',
  answers: 'TLS handshakes and two lists, on loopback',
  rest: 'time zones, records, decisions, comparison with the manifests, log and metrics',
};

type Spent = Readonly<Record<keyof typeof PARTS, number>>;

/** Where the time of a complete run goes, as rows of a table. */
export async function breakdownRows(
  folder: string,
  env: Readonly<Record<string, string>>,
  now: number,
  rounds: number,
): Promise<readonly string[]> {
  const runs: Spent[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const program = ['scripts/bench/timed-run.mjs', folder, String(now)];
    const { stderr } = await promisify(execFile)(process.execPath, program, { env: { ...process.env, ...env } });
    runs.push(JSON.parse(stderr));
  }
  const names = Object.keys(PARTS) as (keyof typeof PARTS)[];
  const parts = names.map((name) => ({ text: PARTS[name], millis: median(runs.map((spent) => spent[name])) }));
  const total = parts.reduce((sum, { millis }) => sum + millis, 0);
  return parts.map(
    ({ text, millis }) => `| ${text} | ${millis.toFixed(1)} ms | ${((100 * millis) / total).toFixed(0)} % |`,
  );
}
