import type { Command } from 'commander';

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

const examplesOf = new WeakMap<Command, readonly Example[]>();

/** Shows examples under the help of a command; the docs page shows the same. */
export function withExamples(command: Command, examples: readonly Example[]): Command {
  examplesOf.set(command, examples);
  const lines = examples.map(({ line, does }) => `  $ headstart ${line}\n      ${does}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

export function examplesFor(command: Command): readonly Example[] {
  return examplesOf.get(command) ?? [];
}
