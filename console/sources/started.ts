import type { Config } from '../../shared/core/config/config';
import type { ConsoleSource } from '../server/server';

/** A running session that the console shows, simulated or real. */
export interface Started {
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
