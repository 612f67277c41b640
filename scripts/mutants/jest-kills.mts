import { type ChildProcess, execFile, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Mutant } from './draw.mjs';

/** A changed loop may never end. A busy machine is as slow when it finds out which tests reach what. */
const LEAST_TIMEOUT_MS = 120_000;
const TIMES_AS_LONG = 10;
/** A mutant that is reached this many times more often than its code was is in an endless loop. */
const MORE_HITS = 100;

/** What one test file reaches, and how long it takes. */
interface Reached {
  readonly file: string;
  readonly hits: Readonly<Record<string, number>>;
  readonly ms: number;
}

/** Which test files reach which mutants, from one run of the tests on the unchanged code. */
export async function reachedByTests(
  sandbox: string,
  { workers, tests }: { readonly workers: number; readonly tests: readonly string[] },
): Promise<readonly Reached[]> {
  const [reached, results] = [join(sandbox, 'reached.jsonl'), join(sandbox, 'results.json')];
  const jest = join(sandbox, 'node_modules/jest/bin/jest.js');
  const args = ['-c', 'mutants.jest.config.js', '--bail=0', `-w=${workers}`, ...tests];
  await promisify(execFile)('node', [jest, ...args, '--json', `--outputFile=${results}`], {
    cwd: sandbox,
    env: { ...process.env, TZ: 'UTC', MUTANT_REACHED: reached },
    maxBuffer: 2 ** 28,
  }).catch(() => {});
  if (!existsSync(reached)) throw new Error('no test could be run');
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as {
    readonly testResults: readonly { readonly name: string; readonly status: string }[];
  };
  const failed = new Set(testResults.filter(({ status }) => status !== 'passed').map(({ name }) => name));
  for (const file of failed)
    console.log(`left out, because it fails in the sandbox: ${file.slice(sandbox.length + 1)}`);
  const lines = readFileSync(reached, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Reached).filter(({ file }) => !failed.has(file));
}

/** A jest that stays, and is started again when a mutant has sent it into an endless loop. */
export class JestRunner {
  private process: ChildProcess | undefined;

  constructor(
    private readonly sandbox: string,
    private readonly nearest: number,
  ) {}

  /** The test that notices the mutant, if one does. */
  async killerOf({ activeId, file }: Mutant, reached: readonly Reached[]): Promise<string | undefined> {
    const nearby = (test: string) => commonParts(join(this.sandbox, 'test', file), test);
    const covering = reached
      .filter(({ hits }) => hits[activeId] !== undefined)
      .sort((a, b) => nearby(b.file) - nearby(a.file) || a.ms - b.ms)
      .slice(0, this.nearest);
    if (covering.length === 0) return undefined;
    const files = covering.map((one) => one.file);
    const mostHits = Math.max(...covering.map(({ hits }) => hits[activeId] ?? 0));
    const env = {
      TZ: 'UTC',
      __STRYKER_ACTIVE_MUTANT__: activeId,
      MUTANT_TESTS: files.join(),
      MUTANT_HIT_LIMIT: `${MORE_HITS * mostHits}`,
    };
    const longest = Math.max(...covering.map(({ ms }) => ms));
    return this.answer({ files, env }, LEAST_TIMEOUT_MS + TIMES_AS_LONG * longest);
  }

  end(): void {
    this.process?.kill();
    this.process = undefined;
  }

  /** Within the time for one test file, which begins anew with each. */
  private answer(request: object, timeoutMs: number): Promise<string | undefined> {
    this.process ??= fork(new URL('jest-worker.cjs', import.meta.url), {
      cwd: this.sandbox,
      execArgv: ['--max-semi-space-size=64'],
      stdio: 'ignore',
    });
    const child = this.process;
    return new Promise((resolve) => {
      const done = (killer: string | undefined) => {
        clearTimeout(timer);
        child.removeAllListeners();
        if (killer !== undefined) {
          child.kill('SIGKILL');
          this.process = undefined;
        }
        resolve(killer);
      };
      const timer = setTimeout(() => done('time-out'), timeoutMs);
      child.on('exit', () => done('jest ends without a word'));
      child.on('message', ({ passed, file, test }: Partial<Record<'passed' | 'file' | 'test', string>>) => {
        if (passed) timer.refresh();
        else done(file && `${file.slice(this.sandbox.length + 1)}: ${test}`);
      });
      child.send(request);
    });
  }
}

function commonParts(a: string, b: string): number {
  const [ours, theirs] = [a, b].map((path) => path.replace(/(\.\w+)+$/, '').split('/')) as [string[], string[]];
  const differs = ours.findIndex((part, index) => part !== theirs[index]);
  return differs === -1 ? ours.length : differs;
}
