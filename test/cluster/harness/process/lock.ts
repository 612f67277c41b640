import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventually } from './eventually';
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity';

const HOUR_MS = 3_600_000;

/**
 * Runs one caller at a time, among all processes of this machine; the lock of a process that was killed is taken over.
 * Two takers of one dead lock may, in the worst case, both run: what they do must bear that (write aside, then rename).
 */
export async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(folder), { recursive: true });
  await eventually(() => tryLock(folder), { what: `the lock ${folder}`, timeoutMs: HOUR_MS, intervalMs: 250 });
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tryLock(folder: string): boolean {
  const holder = readHolder(folder);
  if (holder !== undefined && !isAlive(holder)) discard(folder);
  const candidate = `${folder}.${randomUUID()}`;
  mkdirSync(candidate);
  writeFileSync(join(candidate, 'holder.json'), JSON.stringify(ownIdentity()));
  try {
    // A folder cannot be renamed onto one that holds a file, so only one candidate gets the name.
    renameSync(candidate, folder);
    return true;
  } catch {
    rmSync(candidate, { recursive: true });
    return false;
  }
}

function discard(folder: string): void {
  const aside = `${folder}.${randomUUID()}`;
  try {
    renameSync(folder, aside);
    rmSync(aside, { recursive: true });
  } catch {
    // Another process was faster.
  }
}

function readHolder(folder: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8'));
  } catch {
    return undefined;
  }
}
