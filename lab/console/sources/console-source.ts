import type { Config } from '../../../shared/core/config/config';
import type { Command } from '../snapshot/page-command';
import type { Snapshot } from '../snapshot/snapshot';

export interface ConsoleSource {
  snapshot(): Snapshot;
  /** Called when a page looks. */
  viewed?(): void;
  command(command: Command): Promise<Readonly<Record<string, unknown>>>;
}

export interface StartedSource {
  readonly source: ConsoleSource & {
    configProblems: readonly string[];
    notes: readonly string[];
    useConfig(config: Config): void | Promise<void>;
    /** Where there is something that can begin anew. */
    restart?(config: Config): Promise<void>;
  };
  readonly greeting: string;
  /** Further facts, one per line. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
}
