import { spawn } from 'node:child_process';

/** A program to run to its end. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

const TAIL = 4000;

/** Runs a program to its end and gives its standard output; a failure shows the end of what it said. */
export function runCommand({ program, args, cwd, env, input }: Command): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: env ?? process.env, stdio: 'pipe' });
    const output: string[] = [];
    const errors: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(output.join(''));
      const said = (errors.join('') || output.join('')).slice(-TAIL);
      reject(new Error(`${program} ${args.join(' ')} ended with ${signal ?? code}: ${said}`));
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
