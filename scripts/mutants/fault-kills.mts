import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Mutant } from './draw.mjs';

/** An endless loop, even on a busy machine. */
const TIMEOUT_MS = 600_000;
const SEED = 7;

/** The fault simulation with all mutants in it as one file, so that a run of it starts at once. */
export async function bundleFaults(sandbox: string): Promise<string> {
  const outfile = join(sandbox, 'faults.mjs');
  await build({
    absWorkingDir: sandbox,
    entryPoints: ['test/faults/run.mts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return outfile;
}

/** The violation that the fault simulation reports with the mutant, if it does. */
export function faultKillerOf(program: string, { activeId }: Mutant, steps: number): Promise<string | undefined> {
  const args = [program, '--steps', `${steps}`, '--seed', `${SEED}`, '--workers', '1'];
  const child = spawn('node', ['--max-semi-space-size=64', ...args], {
    env: { ...process.env, TZ: 'UTC', __STRYKER_ACTIVE_MUTANT__: activeId },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve) => {
    let output = '';
    const note = (chunk: Buffer) => {
      output += chunk;
    };
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', note);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(undefined);
      else if (signal) resolve('time-out');
      else resolve(/VIOLATED.*|NEVER HAPPENED.*|\w*Error: .*/.exec(output)?.[0] ?? `exit code ${code}`);
    });
  });
}
