import { report } from './exit';
import { program } from './program';

/** Runs the command line and answers the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const run = { exitCode: 0 };
  try {
    await program(run).parseAsync(argv, { from: 'user' });
    return run.exitCode;
  } catch (error) {
    return report(error);
  }
}
