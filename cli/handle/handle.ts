import { cloudWatchAlarms } from '../../shared/adapters/aws/cloudwatch-alarms';
import { displayPath } from '../../shared/adapters/files/config-files';
import { clusterEvents } from '../../shared/adapters/kube/cluster-events';
import { dryRunCluster } from '../../shared/adapters/kube/dry-run-cluster';
import { kubeCluster } from '../../shared/adapters/kube/kube-cluster';
import { keptLive, readLive } from '../../shared/adapters/kube/live-ports';
import { jsonLog } from '../../shared/adapters/process/json-log';
import { jitteredPause } from '../../shared/adapters/process/sleep';
import { messageOf } from '../../shared/core/basics/errors';
import { heartbeat } from '../../shared/core/events/ticks';
import { type HandlerResponse, handle as handleEvent } from '../../shared/core/handle';
import type { Service } from '../../shared/core/ports/ports';
import { openCluster } from '../access/cluster-access';
import { findOwner } from '../access/find-owner';
import { readFileOrFail } from '../input/files';
import { type ConfigOptions, loadOrFail } from '../input/load-config';
import { readTime } from '../input/time';
import { EXIT, InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';

export interface HandleOptions extends ConfigOptions {
  readonly kubeconfig: string;
  readonly at?: string;
  readonly stack?: string;
  readonly otherCluster?: boolean;
  readonly dryRun?: boolean;
  readonly cloudwatch?: boolean;
}

/** Runs one event through the same handler that runs in AWS, against any cluster. */
export async function handle(file: string, options: HandleOptions, terminal: Terminal): Promise<number> {
  const given = readEvent(file);
  const config = loadOrFail(options, terminal);
  const at = options.at === undefined ? tickTime(given) : readTime(options.at, '--at', terminal.now());
  const event = at === undefined ? given : withTickTime(given, at);
  const { transport } = await openCluster(options.kubeconfig);
  const cluster = kubeCluster(transport, config.cluster.namespace);
  const service: Service = {
    config,
    owner: await findOwner(config, cluster, options),
    now: () => at ?? terminal.now(),
    ports: {
      cluster: options.dryRun ? dryRunCluster(cluster) : cluster,
      ...(options.cloudwatch && { alarms: cloudWatchAlarms({ region: config.cluster.region }) }),
      log: jsonLog((line) => terminal.err(`${line}\n`)),
      metrics: { headroom: () => {}, count: () => {} },
      pause: jitteredPause,
      ...(isTick(event) ? readLive(config, transport) : keptLive(config)),
      ...(!options.dryRun && clusterEvents(transport, config.cluster.namespace)),
    },
  };
  const response = await handleEvent(event, service);
  terminal.out(`${JSON.stringify(response, null, 2)}\n`);
  return exitOf(response);
}

/** A heartbeat or an edge from a file is decided at its own time, or at `--at`: its handler refuses one that is far off its clock. */
function tickTime(event: unknown): number | undefined {
  const time = isTick(event) && typeof event.time === 'string' ? Date.parse(event.time) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function withTickTime(event: unknown, at: number): unknown {
  return isTick(event) ? { ...event, time: new Date(at).toISOString() } : event;
}

function isTick(event: unknown): event is { readonly source: string; readonly time?: unknown } {
  const { source } = (event ?? {}) as { readonly source?: unknown };
  return source === heartbeat.source;
}

function exitOf(response: HandlerResponse): number {
  if ('rejected' in response) return EXIT.invalidInput;
  return 'batchItemFailures' in response && response.batchItemFailures.length > 0 ? EXIT.failed : EXIT.ok;
}

function readEvent(file: string): unknown {
  const text = readFileOrFail(file, { expected: 'a JSON file with the event, or - for standard input' });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(
      `${displayPath(file)}: is not JSON (${messageOf(error).replace(/\s+/g, ' ')}); pass one event or override as JSON`,
    );
  }
}
