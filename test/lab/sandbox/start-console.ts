import { join } from 'node:path';
import { main } from '../../../cli/main';
import type { Command } from '../../../lab/console/snapshot/page-command';
import type { Snapshot } from '../../../lab/console/snapshot/snapshot';
import { fakeTerminal } from '../../cli/run-cli';
import { eventually } from '../simulator/run/eventually';

export interface StartedConsole {
  readonly output: string;
  readonly snapshot: () => Promise<Snapshot>;
  /** Sends a command as the page does. */
  readonly send: (command: Command) => Promise<{ readonly ok: boolean; readonly [field: string]: unknown }>;
  /** Ends it as Ctrl-C does; answers its exit code. */
  readonly end: () => Promise<number>;
}

/** Runs `headstart sandbox` in this process until `end`. */
export async function startConsole(...flags: readonly string[]): Promise<StartedConsole> {
  let output = '';
  let finish = () => {};
  const terminal = fakeTerminal({
    out: (text) => {
      output += text;
    },
    onInterrupt: (callback) => {
      finish = callback;
      return () => {};
    },
  });
  const root = join(__dirname, '../../..');
  const exited = main(['sandbox', '--port', '0', ...flags], { root, terminal });
  await eventually('the address', () => output.includes('Ctrl-C'));
  const [, origin = ''] = /(http:\/\/127\.0\.0\.1:\d+)\//.exec(output) ?? [];
  const headers = { origin, 'content-type': 'application/json' };
  return {
    output,
    snapshot: async () => (await fetch(`${origin}/api/snapshot`)).json() as Promise<Snapshot>,
    send: async (command) => {
      const request = { method: 'POST', headers, body: JSON.stringify(command) };
      return (await fetch(`${origin}/api/command`, request)).json() as never;
    },
    end: () => {
      finish();
      return exited;
    },
  };
}
