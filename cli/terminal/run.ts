import type { Terminal } from './terminal';

export interface Run {
  terminal: Terminal;
  /** The folder of the checkout or package, which contains the console's page. */
  readonly root: string;
  exitCode: number;
}
