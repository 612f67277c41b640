import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { locateTools } from './build/tools';
import { isReady, type Probe } from './http';
import { eventually, HopelessError } from './process/eventually';
import { freePorts } from './process/ports';
import { identify, isAlive, killProcess, signalProcess } from './process/process-identity';
import { type ProcessRecord, type Run, readRecords } from './run';

/** One process of a cluster, as it is started. */
export interface Part {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly probe: Probe;
}

const READY_TIMEOUT_MS = 180_000;
const PORT_ATTEMPTS = 5;
const RESTART_ATTEMPTS = 20;

/** Starts a part on ports that are free, again on others if somebody takes one first. */
export async function startOnFreePorts(
  run: Run,
  count: number,
  partFor: (ports: readonly number[]) => Part,
): Promise<Part> {
  for (let attempt = 1; ; attempt++) {
    const part = partFor(await freePorts(count));
    try {
      await startPart(run, part);
      return part;
    } catch (error) {
      await stopPart(run, part.name);
      if (!isPortTaken(error) || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

/** Starts a part and waits until it is ready. */
export async function startPart(run: Run, part: Part): Promise<void> {
  writeFileSync(join(run.folder, 'parts', `${part.name}.json`), JSON.stringify(part));
  await launch(run, part);
  await awaitReady(run, part.name);
}

/** Ends a part as a crash would. */
export async function stopPart(run: Run, name: string): Promise<void> {
  const records = recordsOf(run, name);
  for (const record of records) killProcess(record);
  await eventually(() => !records.some(isAlive), { what: `the end of ${name}` });
  for (const { pid } of records) rmSync(join(run.folder, 'processes', `${name}.${pid}.json`), { force: true });
}

/** Ends a part and starts it as it was, on the same ports. */
export async function restartPart(run: Run, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await stopPart(run, name);
    try {
      await startPart(run, readPart(run, name));
      return;
    } catch (error) {
      // The kernel takes a while to close what a killed process had open, longer than to call it ended.
      if (!isPortTaken(error) || attempt === RESTART_ATTEMPTS) throw error;
      await sleep(500);
    }
  }
}

/** Freezes a part: connections are accepted, nothing is answered. */
export function pausePart(run: Run, name: string): void {
  for (const record of recordsOf(run, name)) signalProcess(record, 'SIGSTOP');
}

/** Ends the pause. */
export function resumePart(run: Run, name: string): void {
  for (const record of recordsOf(run, name)) signalProcess(record, 'SIGCONT');
}

/** The process of a part, if it runs. */
export function livingPart(run: Run, name: string): ProcessRecord | undefined {
  return recordsOf(run, name).find(isAlive);
}

/** What the part has said. */
export function readLog(run: Run, name: string): string {
  const path = logPath(run, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Waits until a part that was started says that it is ready. */
export async function awaitReady(run: Run, name: string): Promise<void> {
  const { probe } = readPart(run, name);
  const look = async () => {
    if (livingPart(run, name) === undefined) throw new HopelessError(`${name} has ended: ${tail(run, name)}`);
    return isReady(probe);
  };
  await eventually(look, { what: `${name} to be ready`, timeoutMs: READY_TIMEOUT_MS });
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && error.message.includes('address already in use');
}

async function launch(run: Run, part: Part): Promise<void> {
  const { name } = part;
  const pid = spawnLeashed(run, part);
  const record = join(run.folder, 'processes', `${name}.${pid}.json`);
  const look = () => {
    const ended = identify(pid) === undefined;
    if (existsSync(record)) return true;
    if (ended) throw new HopelessError(`${name} was not started: ${tail(run, name)}`);
    return false;
  };
  await eventually(look, { what: `the record of ${name}`, intervalMs: 10 });
}

function spawnLeashed(run: Run, { name, program, args, env }: Part): number {
  const tie = run.detached ? [] : ['-with-parent', `${process.pid}`];
  const record = ['-folder', join(run.folder, 'processes'), '-part', name];
  const log = openSync(logPath(run, name), 'a', 0o600);
  try {
    const { PATH, TMPDIR } = process.env;
    const child = spawn(locateTools().leash, [...tie, ...record, program, ...args], {
      cwd: run.folder,
      // Nothing of the developer's own surroundings, such as proxies or another cluster, may leak in.
      env: { PATH, ...(TMPDIR && { TMPDIR }), HOME: run.folder, ...env },
      stdio: ['ignore', log, log],
      detached: true,
    });
    child.on('error', () => {});
    child.unref();
    if (child.pid === undefined) throw new Error(`${name} cannot be started: is ${program} there?`);
    return child.pid;
  } finally {
    closeSync(log);
  }
}

function recordsOf(run: Run, name: string): readonly ProcessRecord[] {
  return readRecords(run).filter(({ part }) => part === name);
}

function readPart(run: Run, name: string): Part {
  return JSON.parse(readFileSync(join(run.folder, 'parts', `${name}.json`), 'utf8'));
}

function logPath(run: Run, name: string): string {
  return join(run.folder, 'logs', `${name}.log`);
}

function tail(run: Run, name: string): string {
  return readLog(run, name).slice(-3000);
}
