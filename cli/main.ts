import { CommanderError } from 'commander';
import { EXIT, report } from './exit';
import { program } from './program';
import { processTerminal, type Terminal } from './terminal';

/** Runs the command line and answers the exit code. */
export async function main(argv: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const run = { terminal, exitCode: EXIT.fine as number };
  try {
    await program(run).parseAsync(argv, { from: 'user' });
    return run.exitCode;
  } catch (error) {
    // Commander has said already what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.input;
    return report(error, terminal);
  }
}
