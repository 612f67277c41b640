import { spawn } from 'node:child_process';

/** A program that writes its `process.cpuUsage()` to standard error when it is done. */
export interface Run {
  readonly name: string;
  readonly file: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Medians. */
export interface Measured {
  readonly name: string;
  readonly wallMs: number;
  readonly cpuMs: number;
}

type Sample = Omit<Measured, 'name'>;

/** Starts each program in turn, round after round, so that a busy moment hits all alike. */
export async function measureStarts(runs: readonly Run[], rounds: number): Promise<Measured[]> {
  const samples = new Map(runs.map(({ name }) => [name, [] as Sample[]]));
  for (let round = -1; round < rounds; round += 1)
    for (const run of runs) {
      const sample = await once(run);
      // The first round warms the disk cache.
      if (round >= 0) samples.get(run.name)?.push(sample);
    }
  return [...samples].map(([name, all]) => ({
    name,
    wallMs: median(all.map(({ wallMs }) => wallMs)),
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
  }));
}

function once({ file, env = {}, name }: Run): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const child = spawn(process.execPath, [file], {
      env: asOnLambda(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [errors, wallMs] = ['', 0];
    child.stdout.resume();
    // Not to the end of the process, which waits for Node.js to parse the root certificates that nobody asked for.
    child.stderr.on('data', (chunk: Buffer) => {
      wallMs ||= Number(process.hrtime.bigint() - started) / 1e6;
      errors += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`${name} ended with ${code}: ${errors.slice(0, 2_000)}`));
      const { user, system } = JSON.parse(errors) as NodeJS.CpuUsage;
      return resolve({ wallMs, cpuMs: (user + system) / 1_000 });
    });
  });
}

/** Lambda sets no further certificates, which Node.js would read in a thread of its own. */
export function asOnLambda(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
  return { ...inherited, ...env };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
