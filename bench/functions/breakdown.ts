import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { asOnLambda, median } from './measure';

/** The parts of a complete run beyond what an empty process takes, in order, as `timed-run.mjs` names them. */
const PARTS = {
  nodeModules: 'load `node:https`, `node:crypto`',
  ourCode: 'load the code',
  firstRequest: 'make the first request: config, token, TLS context, sockets',
  answers: 'TLS handshakes and two lists, on loopback',
  rest: 'time zones, records, decisions, comparison with the manifests, log and metrics',
};

type Part = keyof typeof PARTS;
type Spent = Readonly<Partial<Record<Part, number>>>;
interface Timed {
  readonly first: Spent;
  readonly again: Spent;
}

/** Where the time of a complete run goes, beside the same parts of the floor, as rows of a table. */
export async function breakdownRows(
  folders: { readonly floor: string; readonly ours: string },
  env: Readonly<Record<string, string>>,
  now: number,
  rounds: number,
): Promise<readonly string[]> {
  const [floor, ours]: [Timed[], Timed[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await timedRun(folders.floor, env, now));
    ours.push(await timedRun(folders.ours, env, now));
  }
  return (Object.keys(PARTS) as Part[]).map((part) => {
    const middle = (runs: readonly Timed[], which: keyof Timed) => median(runs.map((run) => run[which][part] ?? 0));
    const [least, cold, warm] = [middle(floor, 'first'), middle(ours, 'first'), middle(ours, 'again')];
    const cells = [least, cold, cold - least].map((millis) => `${millis.toFixed(1)} ms`);
    return `| ${PARTS[part]} | ${cells.join(' | ')} | ${ours[0]?.again[part] === undefined ? '' : `${warm.toFixed(1)} ms`} |`;
  });
}

async function timedRun(folder: string, env: Readonly<Record<string, string>>, now: number): Promise<Timed> {
  const program = ['bench/functions/timed-run.mjs', folder, String(now)];
  const { stderr } = await promisify(execFile)(process.execPath, program, { env: asOnLambda(env) });
  return JSON.parse(stderr);
}
