import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BUNDLE_FILE, bundleTo } from '../../../infra/bundling/bundling';
import type { Cluster } from '../harness/cluster';

/** The deployed functions that act on the cluster. */
export type FunctionName = 'reconcile' | 'alarm' | 'interruption' | 'announce' | 'inflate';

/** What came of one invocation. */
export interface Invocation<T> {
  readonly value: T;
  /** What the handler alone took. */
  readonly tookMs: number;
  /** Resident memory of the process afterwards. */
  readonly memoryBytes: number;
}

/** One warm execution environment of a function. */
export interface FunctionProcess {
  /** Hands over an event, at a time of the caller's choice, and rejects when the handler throws. */
  invoke<T>(event: unknown, at?: number): Promise<Invocation<T>>;
  /** The JSON lines that it wrote: logs and metrics. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  stop(): Promise<void>;
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
  readonly tookMs: number;
  readonly memoryBytes: number;
}

const RUNTIME = join(__dirname, 'runtime.mjs');

/** The bundle as it is deployed; made once for a cluster and gone with it, unless a folder has it. */
export function bundleOf({ folder }: Cluster, name: FunctionName, bundles?: string, variant = ''): string {
  if (bundles !== undefined) return resolve(bundles, 'runtime', name, BUNDLE_FILE);
  const entry = `${name}${variant}`;
  const target = join(folder, 'bundles', entry);
  if (!existsSync(target)) bundleTo(target, `runtime/${entry}`);
  return join(target, BUNDLE_FILE);
}

export interface FunctionOptions {
  /** Nothing else of the surroundings reaches the process, as in Lambda. */
  readonly environment: Readonly<Record<string, string>>;
  /** After this Lambda kills the function. @default a minute */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** Starts a process with the bundle. */
export async function startFunction(bundle: string, options: FunctionOptions): Promise<FunctionProcess> {
  const { environment, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const child = fork(RUNTIME, [bundle, `${timeoutMs}`], {
    env: { TZ: ':UTC', ...environment },
    execArgv: [],
    silent: true,
  });
  const lines = collectLines(child);
  const errors: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the function's process has ended: ${errors.join('')}`);
  });
  ended.catch(() => {});
  await Promise.race([once(child, 'message'), ended]);

  let nextId = 0;
  const waiting = new Map<number, (reply: Reply) => void>();
  child.on('message', (reply: Reply) => waiting.get(reply.id)?.(reply));
  return {
    lines,
    invoke: async <T>(event: unknown, at?: number) => {
      const id = nextId++;
      const replied = new Promise<Reply>((resolve) => waiting.set(id, resolve));
      child.send({ id, event, at });
      const kill = setTimeout(() => {
        errors.push(`timed out after ${timeoutMs} ms`);
        child.kill('SIGKILL');
      }, timeoutMs);
      const reply = await Promise.race([replied, ended]).finally(() => clearTimeout(kill));
      waiting.delete(id);
      if (reply.error !== undefined) throw new Error(reply.error);
      return { value: reply.value as T, tookMs: reply.tookMs, memoryBytes: reply.memoryBytes };
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

function collectLines({ stdout }: ChildProcess): Readonly<Record<string, unknown>>[] {
  const lines: Readonly<Record<string, unknown>>[] = [];
  let rest = '';
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    const parts = `${rest}${text}`.split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push(JSON.parse(part));
  });
  return lines;
}
