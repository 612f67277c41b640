import { shellQuoted } from '../terminal/shell-quoted';
import type { Terminal } from '../terminal/terminal';
import { DEFAULT_CONFIG } from './options';

/** What the options of a command say about where it looks; all that a next command must be told again. */
export interface Reach {
  readonly config?: string;
  readonly env?: string;
  readonly kubeconfig?: string;
  readonly function?: string;
  readonly stack?: string;
}

const CONFIG: readonly (keyof Reach)[] = ['config', 'env'];
const CLUSTER: readonly (keyof Reach)[] = [...CONFIG, 'kubeconfig'];
const ACCESS: readonly (keyof Reach)[] = [...CLUSTER, 'function', 'stack'];

/** The commands that others suggest, and which of these options they take. */
export const SUGGESTED = {
  validate: CONFIG,
  plan: CONFIG,
  status: ACCESS,
  inflate: ACCESS,
  release: ACCESS,
  doctor: CLUSTER,
  migrate: CLUSTER,
  simulate: CONFIG,
  import: [],
  export: CONFIG,
} as const satisfies Record<string, readonly (keyof Reach)[]>;

const FLAGS: Readonly<Record<keyof Reach, string>> = {
  config: '-c',
  env: '-e',
  kubeconfig: '--kubeconfig',
  function: '--function',
  stack: '--stack',
};

/** Commands for a person to paste, in backticks. They reach the same config and the same cluster as this one. */
export interface Commands {
  headstart(name: keyof typeof SUGGESTED, ...words: readonly string[]): string;
  kubectl(...words: readonly string[]): string;
  /** Deploys this config. */
  deploy(): string;
  /** The same, with new roles and everything applied again. */
  deployAfresh(): string;
}

export function commandsFor(reach: Reach, { launcher }: Pick<Terminal, 'launcher'>): Commands {
  const { config, env, kubeconfig } = said(reach);
  // The app reads the config under the same names as the command line.
  const deploy = command(
    'npx cdk deploy --all',
    ...(config ? ['-c', `config=${config}`] : []),
    ...(env ? ['-c', `env=${env}`] : []),
  );
  return {
    headstart: (name, ...words) => command(launcher, name, ...words, ...flags(reach, SUGGESTED[name])),
    kubectl: (...words) => command('kubectl', ...(kubeconfig ? ['--kubeconfig', kubeconfig] : []), ...words),
    deploy: () => deploy,
    // For the shell to fill in, so it is not quoted.
    deployAfresh: () => deploy.replace(/`$/, ' -c again=$(date +%s)`'),
  };
}

/** A command in backticks, which give it a line of its own. */
export function command(program: string, ...words: readonly string[]): string {
  return `\`${[program, ...words.map(shellQuoted)].join(' ')}\``;
}

function flags(reach: Reach, taken: readonly (keyof Reach)[]): readonly string[] {
  const values = said(reach);
  return taken.flatMap((option) => {
    const value = values[option];
    return value === undefined ? [] : [FLAGS[option], value];
  });
}

/** Without what holds by default. Standard input was read to its end, so the next command needs a file. */
function said({ config = DEFAULT_CONFIG, ...others }: Reach): Reach {
  if (config === DEFAULT_CONFIG) return others;
  return { config: config === '-' ? 'FILE' : config, ...others };
}
