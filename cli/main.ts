import { CommanderError } from 'commander';
import { messageOf } from '../shared/core/basics/errors';
import { program } from './program';
import { EXIT, InputError } from './terminal/exit';
import { plain } from './terminal/plain';
import type { Run } from './terminal/run';
import { guarded, processTerminal } from './terminal/terminal';

export async function main(
  argv: readonly string[],
  { terminal: given = processTerminal(), root = process.cwd() }: Partial<Pick<Run, 'terminal' | 'root'>> = {},
): Promise<number> {
  const terminal = guarded(given);
  const run: Run = { terminal, root, exitCode: EXIT.ok };
  try {
    await program(run).parseAsync(argv, { from: 'user' });
    return run.exitCode;
  } catch (error) {
    // Commander has printed the problem already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.invalidInput;
    terminal.err(`${messageOf(error).split('\n').map(plain).join('\n')}\n`);
    return error instanceof InputError ? EXIT.invalidInput : EXIT.failed;
  }
}
