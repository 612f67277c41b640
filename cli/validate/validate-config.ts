import { configPaths, displayPath, loadConfigFiles } from '../../shared/adapters/files/config-files';
import { isPattern } from '../../shared/adapters/files/config-glob';
import type { LoadedConfig } from '../../shared/core/config/read/load';
import { formatProblem } from '../../shared/core/config/yaml/problem';
import { count } from '../../shared/drawing/amounts';
import type { ConfigOptions } from '../input/load-or-fail';
import { overClusters } from '../many/over-clusters';
import { EXIT } from '../terminal/exit';
import { jsonText, type Terminal } from '../terminal/terminal';

export function validate(options: ConfigOptions, terminal: Terminal): number | Promise<number> {
  const { config, env, json } = options;
  const { out, err, launcher, now } = terminal;
  if (isPattern(config))
    return overClusters(options, terminal, { run: validate, said: () => ({ text: 'valid', trouble: 0 }), alone: [] });
  const loaded = loadConfigFiles(config, env, {
    config: '--config',
    env: '--env',
    init: `${launcher} init`,
    now: now(),
  });
  if (json) {
    out(jsonText(asJson(loaded)));
    return loaded.ok ? EXIT.ok : EXIT.invalidInput;
  }
  if (!loaded.ok) {
    for (const problem of loaded.problems) err(`${formatProblem(problem)}\n`);
    err(`${count(loaded.problems.length, 'problem')} in ${configPaths(config, env).map(displayPath).join(' + ')}\n`);
    return EXIT.invalidInput;
  }
  for (const warning of loaded.warnings) err(`warning: ${formatProblem(warning)}\n`);
  for (const hint of loaded.hints) err(`hint: ${formatProblem(hint)}\n`);
  const { cluster, headrooms } = loaded.config;
  out(
    `${configPaths(config, env).map(displayPath).join(' + ')}: valid, ${count(headrooms.length, 'headroom')} of cluster ${cluster.name}\n`,
  );
  return EXIT.ok;
}

function asJson(loaded: LoadedConfig) {
  if (!loaded.ok) return loaded;
  const { ok, warnings, hints } = loaded;
  return { ok, warnings, hints };
}
