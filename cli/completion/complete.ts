import type { Command, Option } from 'commander';
import { loadConfigFiles } from '../../shared/adapters/files/config-files';
import { DEFAULT_CONFIG } from '../input/options';

/** Where a key under `nodePools` is expected: an argument `headroom`, or an option such as `--headroom` or `--try <nodepool>`. */
const HEADROOM = /headroom|nodepool/;

/** What the last of these words can become; empty where a file or any other text is expected. */
export function complete(root: Command, words: readonly string[]): readonly string[] {
  const typed = words.at(-1) ?? '';
  return candidates(walk(root, words.slice(0, -1)), typed)
    .filter((word) => word.startsWith(typed))
    .sort();
}

interface Place {
  readonly command: Command;
  /** How many of its arguments come before. */
  readonly given: number;
  /** The option whose value is being typed. */
  readonly option: Option | undefined;
  /** The values of options before it, by name. */
  readonly values: ReadonlyMap<string, string>;
}

function walk(root: Command, words: readonly string[]): Place {
  const values = new Map<string, string>();
  let [command, option, given]: [Command, Option | undefined, number] = [root, undefined, 0];
  for (const word of words) {
    if (option) {
      values.set(option.attributeName(), word);
      option = undefined;
    } else if (word.startsWith('-')) {
      const found: Option | undefined = command.options.find(({ long, short }) => [long, short].includes(word));
      option = found?.required ? found : undefined;
    } else {
      const next: Command | undefined = command.commands.find((one) => one.name() === word);
      given = next ? 0 : given + 1;
      command = next ?? command;
    }
  }
  return { command, given, option, values };
}

function candidates({ command, given, option, values }: Place, typed: string): readonly string[] {
  if (option) return HEADROOM.test(option.flags) ? headrooms(values) : (option.argChoices ?? []);
  if (typed.startsWith('-'))
    return command
      .createHelp()
      .visibleOptions(command)
      .flatMap(({ long }) => long ?? []);
  const argument = command.registeredArguments[given];
  return [
    ...command
      .createHelp()
      .visibleCommands(command)
      .map((one) => one.name()),
    ...(argument?.argChoices ?? []),
    ...(HEADROOM.test(argument?.name() ?? '') ? headrooms(values) : []),
  ];
}

/** Of the config that the words name; none while it has errors. */
function headrooms(values: Place['values']): readonly string[] {
  const loaded = loadConfigFiles(values.get('config') ?? DEFAULT_CONFIG, values.get('env'));
  return loaded.ok ? loaded.config.headrooms.map(({ name }) => name) : [];
}
