import { userInfo } from 'node:os';
import { relative } from 'node:path';
import { styleText } from 'node:util';
import { InputError } from './exit';
import { printable } from './plain';
import { shellQuoted } from './shell-quoted';

/** The environment of a command: that of the process, or a fake in tests. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** In columns; 80 if unknown. */
  readonly width: number;
  readonly colours: boolean;
  /** Output is a terminal, so lines may be redrawn. */
  readonly redraws: boolean;
  /** Somebody can answer questions. */
  readonly interactive: boolean;
  /** How the command line was started, for commands to paste. */
  readonly launcher: string;
  ask(question: string): Promise<string>;
  /** The user's name, from the operating system. */
  user(): string;
  now(): number;
  /** The time zone of this machine. */
  timezone(): string;
  sleep(ms: number): Promise<void>;
  /** Calls back on SIGINT and SIGTERM; returns a function that stops listening. */
  onInterrupt(callback: () => void): () => void;
}

/** The same terminal, which no control character from outside reaches. */
export function guarded(terminal: Terminal): Terminal {
  const safe = (text: string) => printable(text, terminal);
  return {
    ...terminal,
    out: (text) => terminal.out(safe(text)),
    err: (text) => terminal.err(safe(text)),
    ask: (question) => terminal.ask(safe(question)),
  };
}

/** Asks before anything is changed; `unattended` is the error where nobody can answer. */
export async function confirm(question: string, unattended: string, terminal: Terminal): Promise<void> {
  if (!terminal.interactive) throw new InputError(unattended);
  const answer = await terminal.ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new InputError('cancelled, nothing was changed');
}

/** For --json. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 40;

export function processTerminal(environment: Readonly<Record<string, string | undefined>> = process.env): Terminal {
  const { stdin, stdout, stderr } = process;
  stdout.on('error', endQuietly);
  const columns = stdout.columns ?? Number(environment.COLUMNS ?? DEFAULT_WIDTH);
  return {
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    width: Math.max(MIN_WIDTH, Number.isFinite(columns) && columns > 0 ? columns : DEFAULT_WIDTH),
    colours: wantsColours(environment, stdout.isTTY),
    redraws: stdout.isTTY === true && environment.TERM !== 'dumb',
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    launcher: launcherOf({ script: process.argv[1] ?? '', folder: process.cwd(), environment }),
    ask: async (question) => {
      const { createInterface } = await import('node:readline/promises');
      const asking = createInterface({ input: stdin, output: stderr });
      try {
        return await asking.question(question);
      } finally {
        asking.close();
      }
    },
    user: () => userName(environment),
    now: Date.now,
    timezone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
    sleep: async (ms) => (await import('../../shared/adapters/process/sleep')).sleep(ms),
    onInterrupt: (callback) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, callback);
      return () => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, callback);
      };
    },
  };
}

/** The reader of our output has closed the pipe (`| head -1`), which is no error. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}

function userName({ USER, USERNAME }: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under an id without a user.
    return USER ?? USERNAME ?? 'unknown';
  }
}

/** NO_COLOR and FORCE_COLOR as specified by https://no-color.org and Node.js. */
function wantsColours(environment: Readonly<Record<string, string | undefined>>, isTty: boolean): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR !== undefined) return environment.FORCE_COLOR !== '0';
  return isTty === true && environment.TERM !== 'dumb';
}

export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

export type Paint = (colour: Colour, text: string) => string;

export function painter({ colours }: { readonly colours: boolean }): Paint {
  if (!colours) return (_colour, text) => text;
  // The terminal has decided already; otherwise Node.js would check the process's own output.
  return (colour, text) => (text === '' ? '' : styleText(colour, text, { validateStream: false }));
}

interface Started {
  readonly script: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** How to start the command line again: `npx headstart`, `headstart`, `node bin/headstart.mjs`. */
export function launcherOf({ script, folder, environment }: Started): string {
  // npm, pnpm and yarn identify themselves in the environment.
  const { npm_command: command, npm_lifecycle_event: event, npm_config_user_agent: agent = '' } = environment;
  const byManager = command !== undefined || event !== undefined;
  if (byManager && agent.startsWith('pnpm/')) return 'pnpm exec headstart';
  if (byManager && agent.startsWith('yarn/')) return 'yarn headstart';
  if (byManager || /node_modules[\\/]\.bin[\\/]/.test(script)) return 'npx headstart';
  return /\.[cm]?[jt]s$/.test(script) ? `node ${shellQuoted(relative(folder, script))}` : 'headstart';
}
