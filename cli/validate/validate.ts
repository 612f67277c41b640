import { configPaths, loadConfigFiles } from '../../shared/adapters/config-files';
import { formatProblem } from '../../shared/core/config/problem';
import type { ConfigOptions } from '../input/load-config';
import { EXIT } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';

export interface ValidateOptions extends ConfigOptions {
  readonly json?: boolean;
}

/** Checks a config file: every problem at once, with file, line and column. */
export function validate({ config, env, json }: ValidateOptions, { out, err }: Terminal): number {
  const loaded = loadConfigFiles(config, env);
  if (json) {
    out(`${JSON.stringify(loaded.ok ? { ok: true, warnings: loaded.warnings } : loaded, null, 2)}\n`);
    return loaded.ok ? EXIT.ok : EXIT.invalidInput;
  }
  if (!loaded.ok) {
    for (const problem of loaded.problems) err(`${formatProblem(problem)}\n`);
    const count = loaded.problems.length;
    err(`${count} ${count === 1 ? 'problem' : 'problems'} in ${configPaths(config, env).join(' + ')}\n`);
    return EXIT.invalidInput;
  }
  for (const warning of loaded.warnings) err(`warning: ${formatProblem(warning)}\n`);
  const { cluster, nodePools } = loaded.config;
  const pools = nodePools.length === 1 ? '1 NodePool' : `${nodePools.length} NodePools`;
  out(`${configPaths(config, env).join(' + ')}: valid, ${pools} of cluster ${cluster.name}\n`);
  return EXIT.ok;
}
