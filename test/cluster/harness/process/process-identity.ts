import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A process named for good: the id alone may be given to another process later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time within this boot, as `leash` writes it too. */
  readonly identity: string;
}

/** The process with this id, unless it has ended. */
export function identify(pid: number): ProcessIdentity | undefined {
  const identity = existsSync('/proc/self/stat') ? identityFromProc(pid) : identityFromPs(pid);
  return identity === undefined ? undefined : { pid, identity };
}

/** The process that runs this code. */
export function ownIdentity(): ProcessIdentity {
  const own = identify(process.pid);
  if (own === undefined) throw new Error('the start time of this process cannot be read');
  return own;
}

/** Whether that very process still runs; another one with its id does not count. */
export function isAlive(known: ProcessIdentity): boolean {
  return identify(known.pid)?.identity === known.identity;
}

/** Ends that very process at once, and never another one that was given its id. */
export function killProcess(known: ProcessIdentity): void {
  signalProcess(known, 'SIGKILL');
}

/** Sends a signal to that very process if it still runs. */
export function signalProcess(known: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(known)) return;
  try {
    process.kill(known.pid, signal);
  } catch (error) {
    if (isAlive(known)) throw error;
  }
}

function identityFromProc(pid: number): string | undefined {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const [state, ...rest] = stat
    .slice(stat.lastIndexOf(')') + 1)
    .trim()
    .split(/\s+/);
  const startTime = rest[18];
  // A zombie has ended; only its parent has not asked yet.
  if (state === 'Z' || state === 'X' || startTime === undefined) return undefined;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${startTime}`;
}

function identityFromPs(pid: number): string | undefined {
  try {
    const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' }, stdio: 'pipe' } as const;
    const [state, ...start] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', `${pid}`], options)
      .trim()
      .split(/\s+/);
    return state === undefined || state.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
