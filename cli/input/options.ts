import type { Command } from 'commander';
import { InputError } from '../terminal/exit';
import type { Run } from '../terminal/run';

export const DEFAULT_CONFIG = 'headroom.yaml';
export const CONFIG = ['-c, --config <file>', 'the config file', DEFAULT_CONFIG] as const;
export const CONFIGS = [
  '-c, --config <file>',
  "the config file, or many as a pattern such as 'clusters/*.yaml'",
  DEFAULT_CONFIG,
] as const;
export const ROLE = [
  '--role <name>',
  'assume this IAM role in the account of the config (cluster.account), by name or ARN',
] as const;
export const WAVE = ['--wave <n>', 'with a pattern: only the clusters with this cluster.wave'] as const;
export const ENV = ['-e, --env <name>', 'merge headroom.<name>.yaml over the config'] as const;
export const JSON_OPTION = ['--json', 'print JSON'] as const;
export const SPAN = [
  ['--from <time>', 'start, such as 2026-11-27 or 2026-11-27T08:00:00Z', 'now'],
  ['--to <time>', 'end, as a time or a duration such as 24h or 7d', '24h'],
  ['--timezone <zone>', 'show times in this time zone (default: the zone of most windows)'],
] as const;

/** In place of the default: the command does nothing without this option. */
export const REQUIRED = Symbol('required');

/** The flags of an option or the name of an argument, what it is, and the default of an option. */
export type Flag = readonly [flags: string, what: string, standard?: string | typeof REQUIRED];

export interface Guide {
  readonly details?: readonly string[];
  /** Command lines without the launcher, and what they do. */
  readonly examples: Readonly<Record<string, string>>;
}

interface Definition extends Guide {
  readonly description: string;
  readonly arguments?: readonly Flag[];
  /** The config file is accepted as an argument too. */
  readonly configArgument?: true;
  readonly options?: readonly Flag[];
  /** Its code, which gets the arguments, the options, the terminal and the folder of the package. */
  load(): Promise<(...given: never[]) => number | Promise<number>>;
}

export function defineCommand(name: string, definition: Definition): (parent: Command, run: Run) => Command {
  return (parent, run) => fill(parent.command(name), definition, run);
}

function fill(command: Command, definition: Definition, run: Run): Command {
  const { description, configArgument, options = [], load } = definition;
  command.description(description);
  const expected = configArgument ? [['[config]', 'the config file, like --config'] as const] : definition.arguments;
  for (const [argument, what] of expected ?? []) command.argument(argument, what);
  for (const [flags, what, standard] of options) {
    const option = command.createOption(flags, what);
    command.addOption(standard === REQUIRED ? option.makeOptionMandatory() : option.default(standard));
  }
  command.action(async (...words: unknown[]) => {
    const given = configArgument ? [withConfigArgument(words[0] as string | undefined, command)] : words.slice(0, -1);
    const act = (await load()) as (...given: unknown[]) => number | Promise<number>;
    run.exitCode = await act(...given, run.terminal, run.root);
  });
  return withGuide(command, definition);
}

/** The options of a command, with the config file if it was given as an argument. */
function withConfigArgument(file: string | undefined, command: Command): object {
  const options = command.opts<{ readonly config: string }>();
  if (file === undefined || file === options.config) return options;
  if (command.getOptionValueSource('config') === 'cli')
    throw new InputError(
      `the config is given twice, ${file} as argument and ${options.config} with --config; pass one of them`,
    );
  return { ...options, config: file };
}

const guides = new WeakMap<Command, Guide>();
const WIDTH = 80;

/** Adds details and examples to the help of a command and to its page in docs/cli. */
export function withGuide(command: Command, guide: Guide): Command {
  guides.set(command, guide);
  return command.addHelpText('after', () => {
    // Commander's own wrapping avoids loading a library on every start.
    const help = command.createHelp();
    const width = Math.min(WIDTH, command.configureOutput().getOutHelpWidth?.() ?? WIDTH);
    const details = (guide.details ?? []).map((text) => `\n${help.boxWrap(text, width)}`);
    const indented = (text: string) => help.boxWrap(text, width - 6).replace(/^/gm, ' '.repeat(6));
    const lines = Object.entries(guide.examples).map(
      ([line, does]) => `  $ ${launcherOf(command)} ${line}\n${indented(does)}`,
    );
    return [...details, `\nExamples:\n${lines.join('\n')}`].join('\n');
  });
}

/** The root command is named after how it was started. */
function launcherOf(command: Command): string {
  return command.parent ? launcherOf(command.parent) : command.name();
}

export function guideFor(command: Command): Guide {
  return guides.get(command) ?? { examples: {} };
}
