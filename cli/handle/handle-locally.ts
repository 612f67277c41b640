import { cloudWatchAlarms } from '../../shared/adapters/aws/cloudwatch-alarms';
import { displayPath } from '../../shared/adapters/files/config-files';
import { dryRunCluster } from '../../shared/adapters/kube/dry-run-cluster';
import { kubeCluster } from '../../shared/adapters/kube/kube-cluster';
import { clusterEvents } from '../../shared/adapters/kube/kube-events';
import { likePorts } from '../../shared/adapters/kube/like-ports';
import { keptLive, readLive } from '../../shared/adapters/kube/live-ports';
import { jsonLog } from '../../shared/adapters/process/json-log';
import { jitteredSleep } from '../../shared/adapters/process/sleep';
import { messageOf } from '../../shared/core/basics/errors';
import type { Config } from '../../shared/core/config/config';
import { list } from '../../shared/core/config/schema/schema-fields';
import { heartbeat } from '../../shared/core/events/heartbeat-and-edges';
import { type HandlerResponse, handleAnnounced, handle as handleEvent } from '../../shared/core/handle';
import type { Runtime } from '../../shared/core/ports/ports';
import { readFileOrFail } from '../input/files';
import { type ConfigOptions, loadOrFail, poolOrFail } from '../input/load-or-fail';
import { readTime } from '../input/time';
import { findOwner, type OwnerOptions } from '../kube/find-owner';
import { openCluster } from '../kube/open-cluster';
import { EXIT, InputError } from '../terminal/exit';
import { jsonText, type Terminal } from '../terminal/terminal';

export interface HandleOptions extends ConfigOptions, OwnerOptions {
  readonly at?: string;
  readonly dryRun?: boolean;
  readonly cloudwatch?: boolean;
  readonly headroom?: string;
  readonly event?: string;
  readonly cancel?: boolean;
}

export async function handle(file: string, options: HandleOptions, terminal: Terminal): Promise<number> {
  const config = loadOrFail(options, terminal);
  const given = readEvent(file);
  const at = options.at === undefined ? tickTime(given) : readTime(options.at, '--at', terminal.now());
  const tick = isTick(given) && at !== undefined ? { ...given, time: new Date(at).toISOString() } : given;
  const event = announced(tick, options, config, at ?? terminal.now());
  const { transport } = await openCluster(options.kubeconfig);
  const cluster = kubeCluster(transport, config.cluster.namespace);
  const runtime: Runtime = {
    config,
    owner: await findOwner(config, cluster, options),
    now: () => at ?? terminal.now(),
    ports: {
      cluster: options.dryRun ? dryRunCluster(cluster) : cluster,
      ...(options.cloudwatch && { alarms: cloudWatchAlarms({ region: config.cluster.region }) }),
      log: jsonLog((line) => terminal.err(`${line}\n`)),
      metrics: { headroom: () => {}, count: () => {} },
      sleep: jitteredSleep,
      ...(isTick(event) ? readLive(config, transport) : keptLive(config)),
      ...likePorts(config, transport),
      ...(!options.dryRun && clusterEvents(transport, config.cluster.namespace)),
    },
  };
  const response = await (isAnnounced(event) ? handleAnnounced : handleEvent)(event, runtime);
  terminal.out(jsonText(response));
  return exitOf(response);
}

/** An event of the business as the rule of its announced peak hands it on; anything else as it is. */
function announced(
  event: unknown,
  { headroom, event: name, cancel = false }: HandleOptions,
  config: Config,
  now: number,
) {
  if (headroom === undefined && name === undefined && !cancel) return event;
  if (headroom === undefined || name === undefined)
    throw new InputError('an announced peak needs --headroom and --event; pass both');
  const { events = [] } = poolOrFail(config, headroom);
  if (!events.some((one) => one.name === name))
    throw new InputError(
      `--event: ${headroom} has no event ${name}; pass ${list(events.map((one) => one.name)) || 'another headroom'}`,
    );
  return { announced: { headroom, event: name, cancel }, ingestedAt: new Date(now).toISOString(), event };
}

/** A message of the queue of announced peaks, or a batch of them. */
function isAnnounced(event: unknown): boolean {
  const { announced, Records } = (event ?? {}) as { readonly announced?: unknown; readonly Records?: unknown };
  const [first] = Array.isArray(Records) ? (Records as { readonly body?: unknown }[]) : [];
  return announced !== undefined || /^\s*\{\s*"announced"/.test(String(first?.body));
}

/** A heartbeat or an edge from a file is decided at its own time, or at `--at`: its handler refuses one that is far off its clock. */
function tickTime(event: unknown): number | undefined {
  const time = isTick(event) ? Date.parse(String(event.time)) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
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
