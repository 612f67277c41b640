import type { Terminal } from './terminal';

/** One run of the command line: where it happens and how it ended. */
export interface Run {
  readonly terminal: Terminal;
  exitCode: number;
}
