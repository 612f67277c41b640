import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { eventually } from './process/eventually';
import { isAlive, killProcess } from './process/process-identity';
import { closeRun, isClosed, listRuns, type Run, readRecords } from './run';

/** Ends every process of a run and removes its folder; logs go to HEADSTART_CLUSTER_LOGS if that is set. */
export async function endRun(run: Run): Promise<void> {
  const closed = closeRun(run);
  const records = readRecords(closed);
  for (const record of records) killProcess(record);
  await eventually(() => !records.some(isAlive), { what: `the end of ${closed.folder}`, timeoutMs: 30_000 });
  const { HEADSTART_CLUSTER_LOGS } = process.env;
  if (HEADSTART_CLUSTER_LOGS) {
    const target = join(HEADSTART_CLUSTER_LOGS, basename(run.folder));
    cpSync(join(closed.folder, 'logs'), target, { recursive: true });
  }
  rmSync(closed.folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Ends the runs whose owner was killed; gives the folders they had. */
export async function sweepAbandoned(): Promise<readonly string[]> {
  return sweep((run) => isClosed(run) || (!run.detached && !isAlive(run.owner)));
}

/** Ends, besides, what `up` started; a cluster whose suite still runs is left alone. */
export async function sweepAll(): Promise<readonly string[]> {
  return sweep((run) => isClosed(run) || run.detached || !isAlive(run.owner));
}

async function sweep(over: (run: Run) => boolean): Promise<readonly string[]> {
  const ended: string[] = [];
  for (const run of listRuns().filter(over)) {
    try {
      await endRun(run);
      ended.push(run.folder);
    } catch (error) {
      // Two sweeps may meet: what the other one is ending is no failure of this one.
      const isThere = () => listRuns().some(({ folder }) => folder.startsWith(run.folder));
      await eventually(() => !isThere(), { what: `the end of ${run.folder}`, timeoutMs: 35_000 }).catch(() => {
        throw error;
      });
    }
  }
  return ended;
}
