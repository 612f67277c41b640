import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../process/run-command';

/** A program to build from Go source. */
export interface GoBuild {
  /** Folder of the go.mod to build by. */
  readonly folder: string;
  readonly goPackage: string;
  readonly output: string;
  /** Folder, on the same disk as the output, for the unfinished program. */
  readonly scratch: string;
  readonly linkerFlags?: string;
  /** Started in front of `go`, so that a build does not outlive a suite that is killed. */
  readonly wrapper?: readonly string[];
}

/** Whether Go can be run here. */
export async function hasGo(): Promise<boolean> {
  try {
    await runCommand({ program: 'go', args: ['version'] });
    return true;
  } catch {
    return false;
  }
}

/** Runs `go`, free of the settings that a developer may have made for other projects. */
export async function runGo(cwd: string, args: readonly string[], wrapper: readonly string[] = []): Promise<string> {
  const env = { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'auto', GOWORK: 'off', GO111MODULE: 'on', GOFLAGS: '' };
  // The wrapper replaces itself and so cannot look a program up.
  const [program = 'go', ...rest] = wrapper.length > 0 ? [...wrapper, '/usr/bin/env', 'go', ...args] : ['go', ...args];
  return runCommand({ program, args: rest, cwd, env });
}

/** Builds one program under a name of its own and then moves it into place, so that nobody meets half a program. */
export async function goBuild({
  folder,
  goPackage,
  output,
  scratch,
  linkerFlags = '',
  wrapper,
}: GoBuild): Promise<void> {
  if (existsSync(output)) return;
  mkdirSync(dirname(output), { recursive: true });
  const unfinished = join(scratch, randomUUID());
  try {
    const flags = ['-mod=mod', '-trimpath', '-buildvcs=false', '-ldflags', `-s -w ${linkerFlags}`];
    await runGo(folder, ['build', ...flags, '-o', unfinished, goPackage], wrapper);
    renameSync(unfinished, output);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Downloads a module, without what it depends on, and gives its folder. */
export async function downloadModule(cwd: string, module: string): Promise<string> {
  const { Dir, Error: reason } = JSON.parse(await runGo(cwd, ['mod', 'download', '-json', module]));
  if (typeof Dir !== 'string') throw new Error(`${module} cannot be downloaded: ${reason}`);
  return Dir;
}
