import { kubeCluster } from '../../../shared/adapters/kube/kube-cluster';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { likePorts, workloadPath } from '../../../shared/adapters/kube/like-ports';
import { readLive } from '../../../shared/adapters/kube/live-ports';
import type { Config } from '../../../shared/core/config/config';
import type { Preemption } from '../../../shared/core/ports/ports';
import { spotInterruptionEvent } from '../bus/aws-events';
import { type Random, seededRandom, seedFor } from '../deterministic/seeded-random';
import type { Fact } from '../engine/state/facts';
import { CONFIG_MAPS, DEPLOYMENTS } from '../kube/kinds';
import type { KubeObject } from '../kube/object-types';
import { DemoCluster, type DemoClusterOptions } from './demo-cluster';
import { demoPlace } from './demo-workload';
import { HandlerHost } from './handler-host';
import { type CallFault, inProcessTransport } from './in-process-transport';

const EVENTS_KEPT_MS = 3_600_000;

export class ClusterUnderTest {
  readonly cluster: DemoCluster;
  readonly host: HandlerHost;
  /** How the handlers reach the API; the console replaces it with one over HTTP. */
  transport: KubeTransport;
  private readonly faultDraws: Random;
  private preemptions: Preemption[] = [];

  /** `headroom` is the config of the handlers; `options.config` determines the cluster and its demand. */
  constructor(options: DemoClusterOptions, headroom: Config, keepAllDecisions: boolean) {
    this.cluster = new DemoCluster(options);
    const { engine } = this.cluster;
    this.faultDraws = seededRandom(seedFor(options.seed, 'api faults'));
    this.transport = inProcessTransport(engine.api, () => this.drawFault());
    this.host = new HandlerHost({
      config: headroom,
      now: engine.now,
      random: seededRandom(seedFor(options.seed, 'bus')),
      cluster: () => kubeCluster(this.transport, this.host.config.cluster.namespace),
      live: (config) => ({
        ...readLive(config, this.transport),
        ...likePorts(config, { get: (path) => this.transport.get(demoPaths(config).get(path) ?? path) }),
        emit: async ({ regarding: { kind, name }, note, ...event }) => {
          const kinds = kind === 'ConfigMap' ? CONFIG_MAPS : DEPLOYMENTS;
          const about = engine.store.get<KubeObject>(kinds, config.cluster.namespace, name);
          if (about) engine.events.note(about, { ...event, message: note, component: 'headstart' });
        },
      }),
      preemptions: () => this.preemptions,
      lateSchedules: true,
      keepAllDecisions,
    });
    engine.on((fact) => {
      if (fact.kind === 'podPreempted') this.preempted(fact);
      if (fact.kind !== 'spotNotice') return;
      const notice = spotInterruptionEvent(this.host.origin, fact.node.instanceId, fact.at);
      this.host.bus.sendNotice(notice, fact.at);
    });
  }

  /** As the Events of the last hour show it. */
  private preempted({ at, pod, by }: Extract<Fact, { kind: 'podPreempted' }>): void {
    const { deployment, namespace } = pod;
    if (deployment === undefined || namespace !== this.host.config.cluster.namespace) return;
    this.preemptions = this.preemptions.filter((one) => one.at > at - EVENTS_KEPT_MS);
    this.preemptions.push({ headroom: deployment, pod: pod.name, at, by: `${by.namespace}/${by.name}` });
  }

  drawFault(): CallFault | undefined {
    const { apiErrors } = this.host.bus.faults;
    if (apiErrors === 0 || this.faultDraws() >= apiErrors) return undefined;
    return this.faultDraws() < 0.5 ? 'responseLost' : 'refused';
  }
}

/** Where a demo workload stands in for the one that a headroom is for, by their paths. */
function demoPaths({ headrooms }: Config): ReadonlyMap<string, string> {
  const paths = headrooms.flatMap((pool) => {
    const demo = { kind: 'Deployment', ...demoPlace(pool, headrooms) } as const;
    return pool.like?.kind === 'StatefulSet' ? [[workloadPath(pool.like), workloadPath(demo)] as const] : [];
  });
  return new Map(paths);
}
