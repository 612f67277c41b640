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
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [errors, wallMs] = ['', 0];
    child.stdout.resume();
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.on('error', reject);
    child.on('exit', () => {
      wallMs = Number(process.hrtime.bigint() - started) / 1e6;
    });
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`${name} ended with ${code}: ${errors.slice(0, 2_000)}`));
      const { user, system } = JSON.parse(errors) as NodeJS.CpuUsage;
      return resolve({ wallMs, cpuMs: (user + system) / 1_000 });
    });
  });
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
