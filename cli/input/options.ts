import type { Command } from 'commander';
import { InputError } from '../terminal/exit';

export const DEFAULT_CONFIG = 'headroom.yaml';
export const CONFIG = ['-c, --config <file>', 'the config file', DEFAULT_CONFIG] as const;
/** Commands without other arguments also accept the file without the option. */
export const CONFIG_ARGUMENT = ['[config]', 'the config file, like --config'] as const;
export const ENV = ['-e, --env <name>', 'merge headroom.<name>.yaml over the config'] as const;
export const JSON_OPTION = ['--json', 'print JSON'] as const;

/** A command line without the launcher, and what it does. */
export interface Example {
  readonly line: string;
  readonly does: string;
}

/** What the help of a command has after its options. */
export interface Guide {
  readonly details?: readonly string[];
  readonly examples: readonly Example[];
}

/** The options of a command, with the config file if it was given as an argument. */
export function withConfigArgument<T extends { readonly config: string }>(
  file: string | undefined,
  options: T,
  command: Command,
): T {
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
    const lines = guide.examples.map(({ line, does }) => `  $ ${launcherOf(command)} ${line}\n${indented(does)}`);
    return [...details, `\nExamples:\n${lines.join('\n')}`].join('\n');
  });
}

/** The root command is named after how it was started. */
function launcherOf(command: Command): string {
  return command.parent ? launcherOf(command.parent) : command.name();
}

export function guideFor(command: Command): Guide {
  return guides.get(command) ?? { examples: [] };
}
