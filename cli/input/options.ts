import type { Command } from 'commander';

export const CONFIG = ['-c, --config <file>', 'the config file', 'headroom.yaml'] as const;
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

const guides = new WeakMap<Command, Guide>();
const WIDTH = 80;

/** Shows details and examples under the help of a command; its page in docs/cli shows the same. */
export function withGuide(command: Command, guide: Guide): Command {
  guides.set(command, guide);
  return command.addHelpText('after', () => {
    // Commander's own wrapping: a library for it would be loaded by every start.
    const help = command.createHelp();
    const details = (guide.details ?? []).map((text) => `\n${help.boxWrap(text, WIDTH)}`);
    const lines = guide.examples.map(({ line, does }) => `  $ headstart ${line}\n      ${does}`);
    return [...details, `\nExamples:\n${lines.join('\n')}`].join('\n');
  });
}

export function guideFor(command: Command): Guide {
  return guides.get(command) ?? { examples: [] };
}
