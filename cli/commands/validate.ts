import { configPaths, loadConfigFiles } from '../../shared/adapters/config-files';
import { formatProblem } from '../../shared/core/config/problem';
import { EXIT } from '../exit';
import type { ConfigOptions } from '../load';

export interface ValidateOptions extends ConfigOptions {
  readonly json?: boolean;
}

/** Checks a config file: every problem at once, with file, line and column. */
export function validate({ config, env, json }: ValidateOptions): number {
  const loaded = loadConfigFiles(config, env);
  if (json) {
    process.stdout.write(`${JSON.stringify(loaded.ok ? { ok: true, warnings: loaded.warnings } : loaded, null, 2)}\n`);
    return loaded.ok ? EXIT.fine : EXIT.input;
  }
  if (!loaded.ok) {
    for (const problem of loaded.problems) process.stderr.write(`${formatProblem(problem)}\n`);
    const count = loaded.problems.length;
    process.stderr.write(
      `${count} ${count === 1 ? 'problem' : 'problems'} in ${configPaths(config, env).join(' + ')}\n`,
    );
    return EXIT.input;
  }
  for (const warning of loaded.warnings) process.stderr.write(`warning: ${formatProblem(warning)}\n`);
  const { cluster, nodePools } = loaded.config;
  const pools = nodePools.length === 1 ? '1 NodePool' : `${nodePools.length} NodePools`;
  process.stdout.write(`${configPaths(config, env).join(' + ')}: valid, ${pools} of cluster ${cluster.name}\n`);
  return EXIT.fine;
}
