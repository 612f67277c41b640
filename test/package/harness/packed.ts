import { spawnSync } from 'node:child_process';

/** What the suite shares: a release, its tarball, and folders in which that was installed. */
export interface Packed {
  readonly root: string;
  readonly release: string;
  readonly tarball: string;
  /** With aws-cdk-lib and constructs beside it. */
  readonly withCdk: string;
  /** Alone, as for people who only use the command line. */
  readonly alone: string;
}

const VARIABLE = 'HEADSTART_PACKED';

export function sharePacked(packed: Packed): void {
  process.env[VARIABLE] = JSON.stringify(packed);
}

export function packed(): Packed {
  return JSON.parse(process.env[VARIABLE] ?? '{}') as Packed;
}

/** Runs `headstart` from a folder in which the package is installed. */
export function headstart(folder: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('npx', ['--no-install', 'headstart', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', NPM_CONFIG_LOGLEVEL: 'error' },
  });
  return { status, stdout, stderr };
}
