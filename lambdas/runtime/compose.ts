import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloudWatchAlarms } from '../../shared/adapters/aws/cloudwatch-alarms';
import { clusterConnection, type Environment } from '../../shared/adapters/aws/cluster-connection';
import { kubeCluster } from '../../shared/adapters/kube/kube-cluster';
import { clusterEvents } from '../../shared/adapters/kube/kube-events';
import { type KubeTransport, kubeTransport } from '../../shared/adapters/kube/kube-transport';
import type { wakePorts } from '../../shared/adapters/kube/pause-pods';
import { readAhead } from '../../shared/adapters/kube/read-ahead';
import { emfMetrics } from '../../shared/adapters/process/emf-metrics';
import { ENVIRONMENT } from '../../shared/adapters/process/environment';
import { hostOffset } from '../../shared/adapters/process/host-offset';
import { jsonLog } from '../../shared/adapters/process/json-log';
import { jitteredSleep } from '../../shared/adapters/process/sleep';
import type { Config } from '../../shared/core/config/config';
import type { Runtime } from '../../shared/core/ports/ports';
import { useQuickOffsets } from '../../shared/core/windows/zone';
import { deadlineOf, type LambdaContext } from '../deadline';

/** For a retry delay that runs past the deadline, and for log lines and the response after it. */
const RESERVE_MS = 2_000;

/** Events and wake-ups take no more of the time that is left. */
const EVENT_CALLS = { maxTries: 1, budgetMs: 2_000 };
/** Nothing looks at a burst again that was claimed, so that its delete is repeated; one that hangs leaves time for others. */
const DELETE_CALLS = { timeoutMs: 2_000 };

type LivePorts = (config: Config, transport: KubeTransport) => Pick<Runtime['ports'], 'live'>;
let live: LivePorts | undefined;

type LikePorts = (config: Config, transport: KubeTransport) => Pick<Runtime['ports'], 'like'>;
let like: LikePorts | undefined;

type WakePorts = typeof wakePorts;
let wake: WakePorts | undefined;

/** For bundles with live schedules; the others have no code for them. */
export function useLive(ports: LivePorts): void {
  live = ports;
}

/** For bundles with headrooms that are shaped like a workload. */
export function useLike(ports: LikePorts): void {
  like = ports;
}

/** For the function that gets the heartbeats. */
export function useWakeUps(ports: WakePorts): void {
  wake = ports;
}

type Composed = (deadline: number) => Runtime;
let composed: Promise<Composed> | undefined;

/** What one invocation works with: connections and config are shared by the process, the deadline is its own. */
export async function runtime(context?: LambdaContext): Promise<Runtime> {
  const deadline = deadlineOf(context, RESERVE_MS);
  // A failed start is not cached, so that the next invocation tries again.
  composed ??= compose(process.env, deadline).catch((error) => {
    composed = undefined;
    throw error;
  });
  return (await composed)(deadline);
}

/** The composition root: the only reader of the environment that the CDK app sets, once per process. */
async function compose(environment: Environment, deadline: number): Promise<Composed> {
  useQuickOffsets(hostOffset);
  const config = readConfig(environment);
  const now = () => Date.now();
  const { name, region, namespace } = config.cluster;
  const connection = await clusterConnection(config.cluster, environment, now, deadline);
  const endpoint = environment[ENVIRONMENT.cloudwatchEndpoint];
  const alarms = cloudWatchAlarms({ region, ...(endpoint && { endpoint }) });
  const [log, metrics] = [jsonLog(), emfMetrics(name, now)];
  const owner = environment[ENVIRONMENT.owner];
  if (!owner) throw new Error(`${ENVIRONMENT.owner} is required: whose headroom this is, as the CDK app sets it`);
  return (until) => {
    const transport = kubeTransport(connection, { deadline: until });
    const cluster = readAhead(kubeCluster(transport, namespace));
    const afterwards = kubeTransport(connection, { deadline: until, ...EVENT_CALLS });
    const { emit } = clusterEvents(afterwards, namespace);
    const ports = { cluster, alarms: alarms.until(until), log, metrics, sleep: jitteredSleep, emit };
    const woken = wake?.(config, {
      transport: { ...afterwards, delete: kubeTransport(connection, { deadline: until, ...DELETE_CALLS }).delete },
      cluster,
      owner,
      log,
    });
    return {
      config,
      owner,
      now,
      ports: { ...ports, ...live?.(config, transport), ...like?.(config, transport), ...woken },
    };
  };
}

function readConfig(environment: Environment): Config {
  const folder = environment.LAMBDA_TASK_ROOT ?? __dirname;
  const file = environment[ENVIRONMENT.configFile] ?? join(folder, 'config.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Config;
}
