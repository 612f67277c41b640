import type { Argument, Command, Option } from 'commander';
import { guideFor } from '../../cli/input/options';
import { program } from '../../cli/program';
import { EXIT_HELP } from '../../cli/terminal/exit';
import type { Terminal } from '../../cli/terminal/terminal';

const NOTE = '<!-- Generated from the help text by npm run docs -- cli. Edit the command in cli/ instead. -->';

/** One page per command, by file name, generated from the same help text that the terminal shows. */
export function helpPages(): ReadonlyMap<string, string> {
  const root = program({ terminal: silent(), root: '', exitCode: 0 });
  const commands = root
    .createHelp()
    .visibleCommands(root)
    .filter((command) => command.name() !== 'help');
  const pages = commands.map((command) => [`${command.name()}.md`, pageOf(command)] as const);
  return new Map([['README.md', indexPage(root, commands)], ...pages]);
}

function indexPage(root: Command, commands: readonly Command[]): string {
  const rows = commands.map(
    (command) => `| [${command.name()}](${command.name()}.md) | ${prose(command.description())} |`,
  );
  return `${[
    NOTE,
    '',
    '# The command line',
    '',
    `\`npx headstart\`, where the package is [installed](../install.md): ${root.description()}.`,
    '',
    '| command | purpose |',
    '|---|---|',
    ...rows,
    '',
    `Exit codes: ${EXIT_HELP}. Each error says how to fix it.`,
    '`--json` prints output for programs. Output is plain text if it is piped or `NO_COLOR` is set.',
  ].join('\n')}\n`;
}

function pageOf(command: Command): string {
  const parts = command.commands.filter((part) => part.name() !== 'help');
  const acts = parts.length === 0 || command.registeredArguments.length > 0;
  const body = [
    ...(acts ? sectionsOf(command) : []),
    ...parts.flatMap((part) => [
      '',
      `## headstart ${command.name()} ${part.name()}`,
      '',
      sentence(part),
      ...sectionsOf(part),
    ]),
  ];
  return `${[NOTE, '', `# headstart ${command.name()}`, '', sentence(command), ...body].join('\n')}\n`;
}

function sectionsOf(command: Command): string[] {
  const { details = [], examples } = guideFor(command);
  const options = command.options.filter(({ hidden }) => !hidden);
  return [
    '',
    `    ${fullName(command)} ${command.usage()}`,
    '',
    ...details.flatMap((text) => [text, '']),
    ...table('argument', command.registeredArguments.map(argumentRow)),
    ...table('option', options.map(optionRow)),
    ...Object.entries(examples).flatMap(([line, does]) => [`    # ${does}`, `    npx headstart ${line}`, '']),
  ].slice(0, -1);
}

function table(title: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return [];
  return [`| ${title} | |`, '|---|---|', ...rows.map(([name, text]) => `| \`${cell(name)}\` | ${prose(text)} |`), ''];
}

function argumentRow(argument: Argument): readonly [string, string] {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return [argument.required ? `<${word}>` : `[${word}]`, argument.description];
}

function optionRow({ flags, description, defaultValue, mandatory }: Option): readonly [string, string] {
  const standard = defaultValue === undefined || defaultValue === true ? '' : ` (default: \`${defaultValue}\`)`;
  return [flags, `${description}${standard}${mandatory ? ' (required)' : ''}`];
}

function fullName(command: Command): string {
  const parent = command.parent ? `${fullName(command.parent)} ` : '';
  return `${parent}${command.name()}`;
}

function sentence(command: Command): string {
  const text = command.description();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Escapes angle brackets, which Markdown would read as HTML. */
function prose(text: string): string {
  return cell(text).replaceAll('<', '&lt;');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function silent(): Terminal {
  return {
    out: () => {},
    err: () => {},
    width: 80,
    colours: false,
    redraws: false,
    interactive: false,
    launcher: 'npx headstart',
    ask: async () => '',
    user: () => '',
    now: () => 0,
    timezone: () => 'UTC',
    sleep: async () => {},
    onInterrupt: () => () => {},
  };
}
