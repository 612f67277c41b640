import { join } from 'node:path';
import { type CliRun, type FakeTerminal, fakeTerminal, folderWith, runCli } from './run-cli';

const ROOT = join(__dirname, '..', '..');

/** A folder with these files, the current one during the tests of a file, so that what they print names no other path. */
export function inFolder(files: Readonly<Record<string, string>>): string {
  const folder = folderWith(files);
  beforeAll(() => process.chdir(folder));
  // Not to where the process seems to be: jest's file system module remembers an older answer.
  afterAll(() => process.chdir(ROOT));
  return folder;
}

/** What somebody sees who types these words after `headstart`, as a golden file keeps it. */
export async function typed(line: string, terminal: FakeTerminal = fakeTerminal()): Promise<string> {
  const before = { ...terminal.text(), asked: terminal.asked.length };
  const { code, out, err } = await runCli(wordsOf(line), terminal);
  const asked = terminal.asked.slice(before.asked);
  return shown(line, { code, out: out.slice(before.out.length), err: err.slice(before.err.length), asked });
}

/** Some lines, one after the other. */
export async function session(lines: readonly string[], terminalFor = () => fakeTerminal()): Promise<string> {
  const texts: string[] = [];
  for (const line of lines) texts.push(await typed(line, terminalFor()));
  return texts.join('\n');
}

function shown(line: string, { code, out, err, asked }: CliRun & { readonly asked: readonly string[] }): string {
  const text = [
    `$ headstart ${line}\n`,
    ...asked.map((question) => `[asked] ${question}\n`),
    out,
    err === '' ? '' : `[stderr]\n${err}`,
    code === 0 ? '' : `[exit ${code}]\n`,
  ].join('');
  return withoutPorts(text);
}

export function withoutPorts(text: string): string {
  return text.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>');
}

const WORD = /"([^"]*)"|'([^']*)'|\S+/g;

function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(WORD)].map(([word, double, single]) => double ?? single ?? word);
}

/** Before each test: credentials that are none, and this endpoint for every AWS client; afterwards as it was. */
export function useAws(endpoint: () => string): void {
  const before = { ...process.env };
  beforeEach(() => {
    Object.assign(process.env, {
      AWS_ENDPOINT_URL: endpoint(),
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'example',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_MAX_ATTEMPTS: '1',
    });
  });
  afterEach(() => {
    for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
    Object.assign(process.env, before);
  });
}
