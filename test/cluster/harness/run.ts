import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runsFolder } from './build/cache-folder';
import { ownIdentity, type ProcessIdentity } from './process/process-identity';

/** One cluster's folder: its owner, the record of its processes, their logs, certificates and data. */
export interface Run {
  readonly folder: string;
  readonly owner: ProcessIdentity;
  /** Started by `up`, to live until `down`, and not only as long as its owner. */
  readonly detached: boolean;
}

/** One process on record. */
export interface ProcessRecord extends ProcessIdentity {
  readonly part: string;
}

const GONE = '.gone';

/** Makes the folder of a new run; it appears with its owner in it, so that no sweep takes it for an abandoned one. */
export function createRun(detached: boolean): Run {
  const id = randomUUID().slice(0, 8);
  const owner = ownIdentity();
  const preparation = join(runsFolder(), '..', `run-${id}`);
  for (const name of ['processes', 'parts', 'logs', 'pki', 'kubeconfigs']) {
    mkdirSync(join(preparation, name), { recursive: true, mode: 0o700 });
  }
  writeFileSync(join(preparation, 'owner.json'), JSON.stringify({ owner, detached }));
  mkdirSync(runsFolder(), { recursive: true });
  const folder = join(runsFolder(), id);
  renameSync(preparation, folder);
  return { folder, owner, detached };
}

/** Reads a run from its folder. */
export function openRun(folder: string): Run {
  return { folder, ...JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) };
}

/** All runs, also those that a sweep began to end. */
export function listRuns(): readonly Run[] {
  if (!existsSync(runsFolder())) return [];
  return readdirSync(runsFolder()).flatMap((name) => {
    try {
      return [openRun(join(runsFolder(), name))];
    } catch {
      // Another sweep has just removed it.
      return [];
    }
  });
}

/** Gives the run's folder another name, after which `leash` starts nothing more in it; what it started is on record. */
export function closeRun(run: Run): Run {
  if (isClosed(run)) return run;
  const folder = `${run.folder}${GONE}`;
  renameSync(run.folder, folder);
  return { ...run, folder };
}

/** Whether somebody has begun to end the run. */
export function isClosed({ folder }: Run): boolean {
  return basename(folder).endsWith(GONE);
}

/** What was started in the run, living or not. */
export function readRecords({ folder }: Run): readonly ProcessRecord[] {
  const processes = join(folder, 'processes');
  return readdirSync(processes)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      try {
        return [JSON.parse(readFileSync(join(processes, file), 'utf8'))];
      } catch {
        // Removed meanwhile, because its process has ended.
        return [];
      }
    });
}
