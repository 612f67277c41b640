import type { Terminal } from './terminal';

/** One run of the command line. */
export interface Run {
  readonly terminal: Terminal;
  /** The folder of the checkout: the console's page lies under it. */
  readonly root: string;
  exitCode: number;
}
