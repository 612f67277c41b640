import type { Config } from '../../../shared/core/config/config';
import type { Command } from '../snapshot/page-command';
import type { Snapshot } from '../snapshot/snapshot';

/** What the console shows and controls: a simulation or a real cluster. */
export interface ConsoleSource {
  snapshot(): Snapshot;
  /** Carries out a command; errors are shown to the user. */
  command(command: Command): Promise<Readonly<Record<string, unknown>>>;
}

/** A source that runs, and follows the config file. */
export interface StartedSource {
  readonly source: ConsoleSource & {
    configProblems: readonly string[];
    useConfig(config: Config): void | Promise<void>;
  };
  /** The first line of the output. */
  readonly greeting: string;
  /** Further facts, one per line. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}
