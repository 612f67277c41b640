import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../cli/main';
import type { Terminal } from '../../cli/terminal/terminal';

export interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface FakeTerminal extends Terminal {
  text(): { readonly out: string; readonly err: string };
  readonly asked: readonly string[];
}

/** Monday, 16 November 2026, 20:00 in Seoul. */
export const NOW = Date.parse('2026-11-16T11:00:00Z');

/** A terminal that remembers; its clock moves only while a command sleeps. */
export function fakeTerminal(
  settings: Partial<Terminal> & { readonly answers?: readonly string[] } = {},
): FakeTerminal {
  const { answers = [], ...given } = settings;
  const [out, err, asked]: [string[], string[], string[]] = [[], [], []];
  let now = NOW;
  return {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    width: 80,
    colours: false,
    redraws: false,
    interactive: false,
    launcher: 'npx headstart',
    ask: async (question) => {
      asked.push(question);
      return answers[asked.length - 1] ?? '';
    },
    user: () => 'ana',
    now: () => now,
    timezone: () => 'Asia/Seoul',
    sleep: async (ms) => {
      now += ms;
    },
    onInterrupt: () => () => {},
    ...given,
    text: () => ({ out: out.join(''), err: err.join('') }),
    asked,
  };
}

/** Runs the command line in this process. */
export async function runCli(argv: readonly string[], terminal: FakeTerminal = fakeTerminal()): Promise<CliRun> {
  const code = await main(argv, { terminal });
  return { code, ...terminal.text() };
}

/** Writes files into a folder of their own; answers the folder. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'headstart-cli-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}
