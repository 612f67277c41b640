import type { Config } from '../../../shared/core/config/config';
import { placeOf } from '../../aws/assume-role';
import { functionAccess } from '../../functions/function-access';
import type { AccessOptions } from '../../input/access-options';
import { commandsFor } from '../../input/commands';
import { poolOrFail } from '../../input/load-or-fail';
import { readDuration } from '../../input/time';
import { openCluster } from '../../kube/open-cluster';
import type { Terminal } from '../../terminal/terminal';
import { highestMetric, readDeployed } from './deployed-facts';
import { runTrial } from './trial';
import type { TrialReport } from './trial-report';

export interface StartTrialOptions extends AccessOptions {
  readonly timeout: string;
  readonly yes?: boolean;
}

/** Runs the trial through the deployed function; a kubeconfig is only used to explain missing nodes. */
export async function startTrial(
  headroom: string,
  config: Config,
  options: StartTrialOptions,
  terminal: Terminal,
): Promise<TrialReport> {
  const pool = poolOrFail(config, headroom, '--try');
  const timeoutMs = readDuration(options.timeout, '--timeout') * 1_000;
  const access = await functionAccess(config.cluster, terminal, options);
  const seen = options.kubeconfig === undefined ? undefined : await openCluster(options.kubeconfig);
  const { cluster } = config;
  // Suggested commands use the function too; the kubeconfig is only for reading.
  const { kubeconfig: _, ...reach } = options;
  return runTrial(
    config,
    pool,
    {
      access: { ...access, ...(seen && { transport: seen.transport }) },
      metric: (since, now) => highestMetric(cluster, pool.name, since, now),
      deployed: async () => readDeployed(cluster, await placeOf(options, cluster), options.function),
      terminal,
      commands: commandsFor(reach, terminal),
    },
    { timeoutMs, yes: options.yes === true, quiet: options.json === true },
  );
}
