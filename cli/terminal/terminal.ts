import { userInfo } from 'node:os';
import { styleText } from 'node:util';
import { launcherOf } from './launcher';

/** What a command uses of its surroundings: the process's own, or a fake in tests. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** In columns; 80 where it is not known. */
  readonly width: number;
  readonly colours: boolean;
  /** A person is watching: lines may be redrawn. */
  readonly live: boolean;
  /** A person can be asked. */
  readonly interactive: boolean;
  /** How the command line was started, for commands that a person may paste. */
  readonly launcher: string;
  ask(question: string): Promise<string>;
  /** The user's name, from the operating system. */
  user(): string;
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Calls back on Ctrl-C, and when the process is asked to end; returns how to stop listening. */
  onInterrupt(callback: () => void): () => void;
}

const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 40;

/** The terminal of this process. */
export function processTerminal(environment: Readonly<Record<string, string | undefined>> = process.env): Terminal {
  const { stdin, stdout, stderr } = process;
  stdout.on('error', endQuietly);
  const columns = stdout.columns ?? Number(environment.COLUMNS ?? DEFAULT_WIDTH);
  return {
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    width: Math.max(MIN_WIDTH, Number.isFinite(columns) && columns > 0 ? columns : DEFAULT_WIDTH),
    colours: wantsColours(environment, stdout.isTTY),
    live: stdout.isTTY === true && environment.TERM !== 'dumb',
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
    sleep: async (ms) => (await import('../../shared/adapters/process/sleep')).sleep(ms),
    onInterrupt: (callback) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, callback);
      return () => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, callback);
      };
    },
  };
}

/** Whoever reads our output has seen enough (`| head -1`): no reason to go on, and no mistake of ours. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
}

function userName({ USER, USERNAME }: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under an id that no user has.
    return USER ?? USERNAME ?? 'unknown';
  }
}

/** NO_COLOR and FORCE_COLOR as https://no-color.org and Node.js have them. */
function wantsColours(environment: Readonly<Record<string, string | undefined>>, isTty: boolean): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR !== undefined) return environment.FORCE_COLOR !== '0';
  return isTty === true && environment.TERM !== 'dumb';
}

export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

export type Paint = (colour: Colour, text: string) => string;

/** Colours where they are wanted, the plain text elsewhere. */
export function painter({ colours }: { readonly colours: boolean }): Paint {
  if (!colours) return (_colour, text) => text;
  // The terminal has decided already; without this Node.js would ask the process's own output again.
  return (colour, text) => (text === '' ? '' : styleText(colour, text, { validateStream: false }));
}
