import { shellQuoted } from '../terminal/shell-quoted';
import type { Terminal } from '../terminal/terminal';
import { DEFAULT_CONFIG } from './options';

/** The options that select config and cluster; suggested commands must repeat them. */
export interface Reach {
  readonly config?: string;
  readonly env?: string;
  readonly kubeconfig?: string;
  readonly function?: string;
  readonly stack?: string;
  readonly role?: string;
}

const CONFIG: readonly (keyof Reach)[] = ['config', 'env'];
const CLUSTER: readonly (keyof Reach)[] = [...CONFIG, 'kubeconfig'];
const ACCESS: readonly (keyof Reach)[] = [...CLUSTER, 'function', 'stack', 'role'];

/** The commands that are suggested in messages, and which of these options they take. */
export const SUGGESTED = {
  validate: CONFIG,
  plan: CONFIG,
  status: ACCESS,
  inflate: ACCESS,
  release: ACCESS,
  doctor: CLUSTER,
  migrate: CLUSTER,
  simulate: CONFIG,
  suggest: CONFIG,
  import: [],
  export: CONFIG,
} as const satisfies Record<string, readonly (keyof Reach)[]>;

const FLAGS: Readonly<Record<keyof Reach, string>> = {
  config: '-c',
  env: '-e',
  kubeconfig: '--kubeconfig',
  function: '--function',
  stack: '--stack',
  role: '--role',
};

/** Commands to paste, in backticks, for the same config and cluster as the current one. */
export interface Commands {
  headstart(name: keyof typeof SUGGESTED, ...words: readonly string[]): string;
  kubectl(...words: readonly string[]): string;
  deploy(): string;
  /** The same, with new roles and everything applied again. */
  deployAfresh(): string;
}

export function commandsFor(reach: Reach, { launcher }: Pick<Terminal, 'launcher'>): Commands {
  const { config, env, kubeconfig } = explicitOptions(reach);
  // The app's context keys are named like the options.
  const deploy = command(
    'npx cdk deploy --all',
    ...(config ? ['-c', `config=${config}`] : []),
    ...(env ? ['-c', `env=${env}`] : []),
  );
  return {
    headstart: (name, ...words) => command(launcher, name, ...words, ...flags(reach, SUGGESTED[name])),
    kubectl: (...words) => command('kubectl', ...(kubeconfig ? ['--kubeconfig', kubeconfig] : []), ...words),
    deploy: () => deploy,
    // Not quoted, so that the shell substitutes it.
    deployAfresh: () => deploy.replace(/`$/, ' -c again=$(date +%s)`'),
  };
}

/** A command in backticks, which give it a line of its own. */
export function command(program: string, ...words: readonly string[]): string {
  return `\`${[program, ...words.map(shellQuoted)].join(' ')}\``;
}

function flags(reach: Reach, taken: readonly (keyof Reach)[]): readonly string[] {
  const values = explicitOptions(reach);
  return taken.flatMap((option) => {
    const value = values[option];
    return value === undefined ? [] : [FLAGS[option], value];
  });
}

/** The options without defaults. Standard input is consumed, so the next command needs a file. */
function explicitOptions({ config = DEFAULT_CONFIG, ...others }: Reach): Reach {
  if (config === DEFAULT_CONFIG) return others;
  return { config: config === '-' ? 'FILE' : config, ...others };
}
