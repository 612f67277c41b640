import type { Command } from 'commander';
import { wrap } from './show/wrap';

export const CONFIG = ['-c, --config <file>', 'the config file', 'headroom.yaml'] as const;
export const ENV = ['-e, --env <name>', 'lay headroom.<name>.yaml over it'] as const;
export const JSON_OPTION = ['--json', 'print JSON'] as const;

export const KUBECONFIG = [
  '--kubeconfig <file>',
  'talk to the cluster of this file instead of the deployed function',
] as const;
export const FUNCTION = [
  '--function <name>',
  'the deployed function (default: the one that cdk deploy made for this cluster)',
] as const;

/** One line to type, and what it is for. */
export interface Example {
  readonly line: string;
  readonly does: string;
}

/** What the help of a command tells beside its options. */
export interface Guide {
  /** Paragraphs under the options. */
  readonly details?: readonly string[];
  readonly examples: readonly Example[];
}

const guides = new WeakMap<Command, Guide>();
const WIDTH = 80;

/** Shows details and examples under the help of a command; its page in docs/cli shows the same. */
export function withGuide(command: Command, guide: Guide): Command {
  guides.set(command, guide);
  const details = (guide.details ?? []).map((text) => `\n${wrap(text, WIDTH).join('\n')}`);
  const lines = guide.examples.map(({ line, does }) => `  $ headstart ${line}\n      ${does}`);
  return command.addHelpText('after', [...details, `\nExamples:\n${lines.join('\n')}`].join('\n'));
}

export function guideFor(command: Command): Guide {
  return guides.get(command) ?? { examples: [] };
}
