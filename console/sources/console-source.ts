import type { Config } from '../../shared/core/config/config';
import type { Command, Snapshot } from '../snapshot/snapshot';

/** What the console shows and what a person may ask of it: a simulation or a real cluster. */
export interface ConsoleSource {
  snapshot(): Snapshot;
  /** Carries a command out; an error is shown to the person. */
  command(command: Command): Promise<Readonly<Record<string, unknown>>>;
}

/** A source that runs, and follows the config file. */
export interface StartedSource {
  readonly source: ConsoleSource & {
    configProblems: readonly string[];
    useConfig(config: Config): void | Promise<void>;
  };
  /** The first line that a person reads. */
  readonly greeting: string;
  /** What else is worth knowing, one fact a line. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}
