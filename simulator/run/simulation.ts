import { kubeCluster } from '../../shared/adapters/kube-cluster';
import type { KubeTransport } from '../../shared/adapters/kube-transport';
import { headroomName } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { rebalanceRecommendationEvent, spotInterruptionEvent } from '../bus/aws-events';
import { type Faults, NO_FAULTS } from '../bus/faults';
import { seededRandom, seedFor } from '../deterministic/seeded-random';
import type { NodeDelay } from '../engine/karpenter/node-delay';
import type { NodeRef } from '../engine/state/facts';
import { DEPLOYMENTS } from '../kube/kinds';
import type { Action, Scenario } from '../scenarios/scenario';
import { ActionFeed } from './action-feed';
import { DemoCluster } from './demo-cluster';
import { HandlerHost } from './handler-host';
import { type CallFault, inProcessTransport } from './in-process-transport';

/** Ten minutes, plus half a minute because a deploy, and with it the heartbeat, rarely falls on a full minute. */
const WARM_UP_MS = 10.5 * 60_000;

export interface SimulationOptions {
  readonly config: Config;
  readonly scenario: Scenario;
  readonly seed: number;
  readonly faults?: Faults;
  readonly nodeDelay: NodeDelay;
  /** The scenario starts at its first moment after this. */
  readonly after: number;
  /** Time before the start in which the usual pods and the current headroom get their nodes. @default 10.5 minutes */
  readonly warmUpMs?: number;
  readonly keepAllDecisions?: boolean;
}

/** The size that a NodePool's headroom has and should have. */
export interface HeadroomSize {
  readonly name: string;
  readonly wanted: number;
  readonly ready: number;
}

/**
 * One simulated run: a cluster with the real handlers, and its baseline, which has the same demand and
 * no headroom. Time moves only by `runUntil`, so that a run is the same each time.
 */
export class Simulation {
  readonly scenario: Scenario;
  readonly startedAt: number;
  /** The cluster under test, with headroom. */
  readonly cluster: DemoCluster;
  readonly baseline: DemoCluster;
  readonly host: HandlerHost;
  /** How the handlers reach the API; replaced by one over HTTP when there is a console. */
  transport: KubeTransport;
  private readonly options: SimulationOptions;
  private readonly faultDraws: () => number;
  private feed: ActionFeed;

  constructor(options: SimulationOptions) {
    const { config, scenario, seed, nodeDelay, warmUpMs = WARM_UP_MS } = options;
    this.options = options;
    this.scenario = scenario;
    this.startedAt = scenario.startsAt(config, options.after);
    const startTime = this.startedAt - warmUpMs;
    const clusterOptions = { config, seed, startTime, countFrom: this.startedAt, nodeDelay };
    this.cluster = new DemoCluster(clusterOptions);
    this.baseline = new DemoCluster(clusterOptions);
    this.faultDraws = seededRandom(seedFor(seed, 'api faults'));
    this.transport = inProcessTransport(this.cluster.engine.api, () => this.drawFault());
    this.host = new HandlerHost({
      config,
      now: this.cluster.engine.now,
      random: seededRandom(seedFor(seed, 'bus')),
      cluster: () => kubeCluster(this.transport, this.host.config.cluster.namespace),
      lateSchedules: true,
      keepAllDecisions: options.keepAllDecisions ?? false,
    });
    this.feed = new ActionFeed(scenario, this.setting(config), startTime);
    this.sendSpotNotices();
  }

  get now(): number {
    return this.cluster.engine.now();
  }

  get config(): Config {
    return this.host.config;
  }

  get faults(): Faults {
    return this.host.bus.faults;
  }

  set faults(faults: Faults) {
    this.host.bus.faults = faults;
  }

  /** Whether an API call of the handlers fails now. */
  drawFault(): CallFault | undefined {
    const { apiErrors } = this.faults;
    if (apiErrors === 0 || this.faultDraws() >= apiErrors) return undefined;
    return { status: 503, responseLost: this.faultDraws() < 0.5 };
  }

  /** Sets everything up and runs the warm-up, without faults; counting starts at `startedAt`. */
  async begin(): Promise<void> {
    this.host.deploy(this.config);
    await this.runUntil(this.startedAt);
    this.host.decisions.all.length = 0;
    this.faults = this.options.faults ?? NO_FAULTS;
  }

  /** Advances the time. What is due at an instant happens in order: the cluster's own, the scenario's, the bus's. */
  async runUntil(target: number): Promise<void> {
    for (;;) {
      const next = Math.min(target, this.feed.nextAt(), this.host.bus.nextAt ?? Number.POSITIVE_INFINITY);
      const at = Math.max(next, this.now);
      this.cluster.engine.advanceTo(at);
      this.baseline.engine.advanceTo(at);
      for (const action of this.feed.takeDue(at)) await this.perform(action);
      await this.host.bus.runDue(at);
      if (at >= target) return;
    }
  }

  /** What a deploy of a changed config does; the demand follows the new windows. */
  useConfig(config: Config): void {
    for (const cluster of [this.cluster, this.baseline]) cluster.useConfig(config);
    this.feed = new ActionFeed(this.scenario, this.setting(config), this.now);
    this.host.deploy(config);
  }

  headrooms(): readonly HeadroomSize[] {
    const { namespace } = this.config.cluster;
    return this.config.nodePools.map(({ name }) => {
      const deployment = this.cluster.engine.store.get(DEPLOYMENTS, namespace, headroomName(name));
      return { name, wanted: deployment?.spec.replicas ?? 0, ready: deployment?.status?.readyReplicas ?? 0 };
    });
  }

  /** EC2 sends an interruption notice for this node; the baseline loses a node of the same pool. */
  takeNode({ node, nodePool }: NodeRef): void {
    this.cluster.engine.takeSpotNode(node);
    const [other] = this.baseline.spotNodes().filter((one) => one.nodePool === nodePool);
    if (other) this.baseline.engine.takeSpotNode(other.node);
  }

  /** EC2 sends notices for this share of a pool's spot nodes, the oldest first. */
  takeShare(poolName: string, share: number): number {
    const [taken] = [this.cluster, this.baseline].map((cluster) => {
      const nodes = oldest(cluster.spotNodes(poolName), share);
      for (const { node } of nodes) cluster.engine.takeSpotNode(node);
      return nodes.length;
    });
    return taken ?? 0;
  }

  private async perform(action: Action): Promise<void> {
    switch (action.kind) {
      case 'demand':
        for (const cluster of [this.cluster, this.baseline]) cluster.setDemand(action.pool, action.pods);
        return;
      case 'alarm':
        this.host.setAlarm(action.alarmName, action.firing);
        return;
      case 'spot':
        if (action.notice === 'rebalance') this.recommendRebalance(action.pool, action.share);
        else this.takeShare(action.pool, action.share);
        return;
      case 'order':
        // A person whose order fails repeats it.
        for (let attempt = 1; attempt <= 5; attempt += 1) if (await this.tryOrder(action.order)) return;
    }
  }

  private async tryOrder(order: Readonly<Record<string, unknown>>): Promise<boolean> {
    try {
      await this.host.order(order);
      return true;
    } catch {
      return false;
    }
  }

  private recommendRebalance(poolName: string, share: number): void {
    for (const { instanceId } of oldest(this.cluster.spotNodes(poolName), share))
      this.host.bus.sendNotice(rebalanceRecommendationEvent(this.host.origin, instanceId, this.now), this.now);
  }

  private setting(config: Config) {
    return { config, startedAt: this.startedAt, seed: this.options.seed };
  }

  private sendSpotNotices(): void {
    this.cluster.engine.on((fact) => {
      if (fact.kind !== 'spotNotice') return;
      const notice = spotInterruptionEvent(this.host.origin, fact.node.instanceId, fact.at);
      this.host.bus.sendNotice(notice, fact.at);
    });
  }
}

/** The given share of nodes that are sorted by age. */
function oldest(nodes: readonly NodeRef[], share: number): readonly NodeRef[] {
  return nodes.slice(0, Math.ceil(nodes.length * share));
}
