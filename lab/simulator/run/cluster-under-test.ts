import { kubeCluster } from '../../../shared/adapters/kube/kube-cluster';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { likePorts } from '../../../shared/adapters/kube/like-ports';
import { readLive } from '../../../shared/adapters/kube/live-ports';
import type { Config } from '../../../shared/core/config/config';
import { spotInterruptionEvent } from '../bus/aws-events';
import { type Random, seededRandom, seedFor } from '../deterministic/seeded-random';
import { CONFIG_MAPS, DEPLOYMENTS } from '../kube/kinds';
import type { KubeObject } from '../kube/object-types';
import { DemoCluster, type DemoClusterOptions } from './demo-cluster';
import { HandlerHost } from './handler-host';
import { type CallFault, inProcessTransport } from './in-process-transport';

export class ClusterUnderTest {
  readonly cluster: DemoCluster;
  readonly host: HandlerHost;
  /** How the handlers reach the API; the console replaces it with one over HTTP. */
  transport: KubeTransport;
  private readonly faultDraws: Random;

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
        ...likePorts(config, this.transport),
        emit: async ({ regarding: { kind, name }, note, ...event }) => {
          const kinds = kind === 'ConfigMap' ? CONFIG_MAPS : DEPLOYMENTS;
          const about = engine.store.get<KubeObject>(kinds, config.cluster.namespace, name);
          if (about) engine.events.note(about, { ...event, message: note, component: 'headstart' });
        },
      }),
      lateSchedules: true,
      keepAllDecisions,
    });
    engine.on((fact) => {
      if (fact.kind !== 'spotNotice') return;
      const notice = spotInterruptionEvent(this.host.origin, fact.node.instanceId, fact.at);
      this.host.bus.sendNotice(notice, fact.at);
    });
  }

  drawFault(): CallFault | undefined {
    const { apiErrors } = this.host.bus.faults;
    if (apiErrors === 0 || this.faultDraws() >= apiErrors) return undefined;
    return this.faultDraws() < 0.5 ? 'responseLost' : 'refused';
  }
}
