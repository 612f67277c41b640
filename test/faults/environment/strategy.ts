import { type FreshAfterIdle, freshAfterIdle } from '../../../shared/adapters/http/fresh-after-idle';
import { kubeCluster } from '../../../shared/adapters/kube/kube-cluster';
import { type KubeTransport, kubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { keptLive, readLive } from '../../../shared/adapters/kube/live-ports';
import { wakePorts } from '../../../shared/adapters/kube/pause-pods';
import type { Config } from '../../../shared/core/config/config';
import type { Cluster, Ports, Runtime } from '../../../shared/core/ports/ports';
import { handleAny } from './announcements';
import type { FunctionName } from './invocation';

/** The connections a simulated process keeps open between invocations; they may die while it is frozen. */
export interface Agent {
  /** How many connections were open when the process was frozen. */
  open: number;
  /** How many of those have died since, which only a failed request reveals. */
  dead: number;
}

/** How the simulated functions handle an event. A planted bug replaces one of the parts. */
export interface HandlingStrategy {
  readonly handle: (raw: unknown, runtime: Runtime) => Promise<unknown>;
  readonly transport: typeof kubeTransport;
  readonly cluster: (transport: KubeTransport, namespace: string) => Cluster;
  readonly live: (name: FunctionName, config: Config, transport: KubeTransport) => Pick<Ports, 'live'>;
  readonly wakeUp: typeof wakePorts;
  readonly connections: (make: () => Agent, retire: (old: Agent) => void) => FreshAfterIdle<Agent>;
}

export const REAL_STRATEGY: HandlingStrategy = {
  handle: handleAny,
  transport: kubeTransport,
  cluster: kubeCluster,
  live: (name, config, transport) => (name === 'reconcile' ? readLive(config, transport) : keptLive(config)),
  wakeUp: wakePorts,
  connections: freshAfterIdle,
};
