import { type FreshAfterIdle, freshAfterIdle } from '../../shared/adapters/http/fresh-after-idle';
import { kubeCluster } from '../../shared/adapters/kube/kube-cluster';
import { type KubeTransport, kubeTransport } from '../../shared/adapters/kube/kube-transport';
import { handle } from '../../shared/core/handle';
import type { Cluster, Service } from '../../shared/core/ports/ports';

/** What a simulated process keeps open between invocations: connections that may die while it sleeps. */
export interface Agent {
  /** How many of its connections were open when it went to sleep. */
  open: number;
  /** How many of those are dead, without knowing it. */
  dead: number;
}

/**
 * The real code that a simulation runs. A test that puts a bug back replaces one of its parts, and must then
 * be told about the bug.
 */
export interface WayThrough {
  readonly handle: (raw: unknown, service: Service) => Promise<unknown>;
  readonly transport: typeof kubeTransport;
  readonly cluster: (transport: KubeTransport, namespace: string) => Cluster;
  readonly connections: (make: () => Agent, retire: (old: Agent) => void) => FreshAfterIdle<Agent>;
}

export const REAL_WAY: WayThrough = {
  handle,
  transport: kubeTransport,
  cluster: kubeCluster,
  connections: freshAfterIdle,
};
