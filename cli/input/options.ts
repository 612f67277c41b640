import type { Command } from 'commander';
import { InputError } from '../terminal/exit';

export const DEFAULT_CONFIG = 'headroom.yaml';
export const CONFIG = ['-c, --config <file>', 'the config file', DEFAULT_CONFIG] as const;
/** Where a command takes nothing else, the file may be written without the option. */
export const CONFIG_ARGUMENT = ['[config]', 'the config file, like --config'] as const;
export const ENV = ['-e, --env <name>', 'merge headroom.<name>.yaml over the config'] as const;
export const JSON_OPTION = ['--json', 'print JSON'] as const;

/** One line to type, and what it is for. */
export interface Example {
  readonly line: string;
  readonly does: string;
}

/** What the help of a command shows after its options. */
export interface Guide {
  readonly details?: readonly string[];
  readonly examples: readonly Example[];
}

/** The options of a command, with the config file where it was given as an argument. */
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

/** Shows details and examples under the help of a command; its page in docs/cli shows the same. */
export function withGuide(command: Command, guide: Guide): Command {
  guides.set(command, guide);
  return command.addHelpText('after', () => {
    // Commander's own wrapping: a library for it would be loaded by every start.
    const help = command.createHelp();
    const width = Math.min(WIDTH, command.configureOutput().getOutHelpWidth?.() ?? WIDTH);
    const details = (guide.details ?? []).map((text) => `\n${help.boxWrap(text, width)}`);
    const indented = (text: string) => help.boxWrap(text, width - 6).replace(/^/gm, ' '.repeat(6));
    const lines = guide.examples.map(({ line, does }) => `  $ ${launcherOf(command)} ${line}\n${indented(does)}`);
    return [...details, `\nExamples:\n${lines.join('\n')}`].join('\n');
  });
}

/** The root command is called as it was started. */
function launcherOf(command: Command): string {
  return command.parent ? launcherOf(command.parent) : command.name();
}

export function guideFor(command: Command): Guide {
  return guides.get(command) ?? { examples: [] };
}
