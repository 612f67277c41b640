import { spawn } from 'node:child_process';

export interface Run {
  readonly name: string;
  readonly file: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Measured {
  readonly name: string;
  readonly medianMs: number;
  readonly ratio: number;
}

/** Starts each program in turn, round after round, so that a busy moment hits all alike; the first is the baseline. */
export async function measureStarts(runs: readonly Run[], rounds: number): Promise<Measured[]> {
  const times = new Map(runs.map(({ name }) => [name, [] as number[]]));
  for (let round = -1; round < rounds; round += 1)
    for (const run of runs) {
      const elapsed = await once(run);
      // The first round warms the disk cache.
      if (round >= 0) times.get(run.name)?.push(elapsed);
    }
  const medians = runs.map(({ name }) => ({ name, medianMs: median(times.get(name) ?? []) }));
  const baseline = medians[0]?.medianMs ?? 1;
  return medians.map(({ name, medianMs }) => ({ name, medianMs, ratio: medianMs / baseline }));
}

function once({ file, env = {}, name }: Run): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = process.hrtime.bigint();
    const child = spawn(process.execPath, [file], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code !== 0) reject(new Error(`${name} ended with ${code}: ${errors.slice(0, 2_000)}`));
      else resolve(Number(process.hrtime.bigint() - started) / 1e6);
    });
  });
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
