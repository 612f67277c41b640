import { Argument, type Command } from 'commander';
import { withGuide } from '../input/options';
import type { Run } from '../terminal/run';
import { SCRIPTS, type Shell } from './scripts';

export function addCompletion(root: Command, run: Run): void {
  const command = root
    .command('completion')
    .description('print a script that lets a shell complete commands, options and NodePool names')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .action((shell: Shell) => {
      run.terminal.out(SCRIPTS[shell]);
    });
  withGuide(command, {
    details: [
      'It completes the command headstart, so the package must be installed where the shell finds it. NodePool names come from headroom.yaml in the current folder, or from the file after -c.',
    ],
    examples: {
      'completion bash >> ~/.bashrc': 'for bash, from the next shell on',
      'completion zsh >> ~/.zshrc': 'for zsh, after compinit',
      'completion fish > ~/.config/fish/completions/headstart.fish': 'for fish',
    },
  });
  // What the scripts call: the words after the command's name, the last one being typed.
  root
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const found = (await import('./complete')).complete(root, words);
      run.terminal.out(found.map((word) => `${word}\n`).join(''));
    });
}
