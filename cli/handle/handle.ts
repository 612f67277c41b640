import { readFileSync } from 'node:fs';
import { cloudWatchAlarms } from '../../shared/adapters/cloudwatch-alarms';
import { dryRunCluster } from '../../shared/adapters/dry-run-cluster';
import { jsonLog } from '../../shared/adapters/json-log';
import { kubeCluster } from '../../shared/adapters/kube-cluster';
import { jitteredPause } from '../../shared/adapters/pause';
import { handle as handleEvent } from '../../shared/core/handle';
import type { Service } from '../../shared/core/service';
import { openCluster } from '../access/cluster-access';
import { type ConfigOptions, loadOrFail } from '../input/load-config';
import { readTime } from '../input/time';
import { EXIT, InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';

export interface HandleOptions extends ConfigOptions {
  readonly kubeconfig: string;
  readonly at?: string;
  readonly dryRun?: boolean;
  readonly cloudwatch?: boolean;
}

/** Runs one event through the very handler that AWS would call, against any cluster. */
export async function handle(file: string, options: HandleOptions, terminal: Terminal): Promise<number> {
  const event = readEvent(file);
  const config = loadOrFail(options, terminal);
  const at = options.at === undefined ? undefined : readTime(options.at, '--at', terminal.now());
  const { transport } = await openCluster(options.kubeconfig);
  const cluster = kubeCluster(transport, config.cluster.namespace);
  const service: Service = {
    config,
    now: () => at ?? terminal.now(),
    ports: {
      cluster: options.dryRun ? dryRunCluster(cluster) : cluster,
      ...(options.cloudwatch && { alarms: cloudWatchAlarms({ region: config.cluster.region }) }),
      log: jsonLog((line) => terminal.err(`${line}\n`)),
      metrics: { headroom: () => {}, count: () => {} },
      pause: jitteredPause,
    },
  };
  const answer = await handleEvent(event, service);
  terminal.out(`${JSON.stringify(answer, null, 2)}\n`);
  return exitOf(answer);
}

function exitOf(answer: unknown): number {
  const { rejected, batchItemFailures } = answer as { rejected?: string; batchItemFailures?: unknown[] };
  if (rejected !== undefined) return EXIT.invalidInput;
  return batchItemFailures && batchItemFailures.length > 0 ? EXIT.failed : EXIT.ok;
}

function readEvent(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new InputError(
      `${file}: cannot be read (${(error as NodeJS.ErrnoException).code}); name a file with the event's JSON, or - for standard input`,
    );
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`${file}: is not JSON (${(error as Error).message}); write one event or order as JSON`);
  }
}
