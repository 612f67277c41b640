import { relative } from 'node:path';
import { shellQuoted } from './shell-quoted';

/** How this process was started. */
export interface Started {
  /** The script that Node.js runs. */
  readonly script: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** How to start the command line again: `npx headstart`, `headstart`, `node bin/headstart.mjs`. */
export function launcherOf({ script, folder, environment }: Started): string {
  // npm, pnpm and yarn identify themselves in the environment.
  const { npm_command: command, npm_lifecycle_event: event, npm_config_user_agent: agent = '' } = environment;
  const byManager = command !== undefined || event !== undefined;
  if (byManager && agent.startsWith('pnpm/')) return 'pnpm exec headstart';
  if (byManager && agent.startsWith('yarn/')) return 'yarn headstart';
  if (byManager || /node_modules[\\/]\.bin[\\/]/.test(script)) return 'npx headstart';
  return /\.[cm]?[jt]s$/.test(script) ? `node ${shellQuoted(relative(folder, script))}` : 'headstart';
}
