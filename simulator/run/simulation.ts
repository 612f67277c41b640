import { headroomName } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { rebalanceRecommendationEvent } from '../bus/aws-events';
import { type Faults, NO_FAULTS } from '../bus/faults';
import type { NodeDelay } from '../engine/karpenter/node-delay';
import type { NodeRef } from '../engine/state/facts';
import { DEPLOYMENTS } from '../kube/kinds';
import type { Action, Scenario, Setting } from '../scenarios/scenario';
import { ClusterUnderTest } from './cluster-under-test';
import { DemoCluster } from './demo-cluster';
import type { HandlerHost } from './handler-host';
import { readyBy, STRATEGIES, type Strategy } from './strategies';

const CHUNK_MS = 6 * 3_600_000;

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
  readonly lane: ClusterUnderTest;
  readonly baseline: DemoCluster;
  /** The same demand once more for each other way to be ready for it. */
  readonly ways: readonly { readonly way: Strategy; readonly lane: ClusterUnderTest }[];
  private readonly options: SimulationOptions;
  private feed: ActionFeed;

  constructor(options: SimulationOptions) {
    const { config, scenario, seed, nodeDelay, warmUpMs = WARM_UP_MS, keepAllDecisions = false } = options;
    this.options = options;
    this.scenario = scenario;
    this.startedAt = scenario.startsAt(config, options.after);
    const startTime = this.startedAt - warmUpMs;
    const asked = new Map();
    const clusterOptions = { config, seed, startTime, countFrom: this.startedAt, nodeDelay, asked };
    const setting = this.setting(config);
    this.lane = new ClusterUnderTest(clusterOptions, config, keepAllDecisions);
    this.baseline = new DemoCluster(clusterOptions);
    this.ways = (scenario.comparesStrategies ? STRATEGIES : []).map((way) => ({
      way,
      lane: new ClusterUnderTest(clusterOptions, readyBy(way, setting, scenario), false),
    }));
    this.feed = new ActionFeed(scenario, setting, startTime);
  }

  get cluster(): DemoCluster {
    return this.lane.cluster;
  }

  get host(): HandlerHost {
    return this.lane.host;
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
    for (const { host } of this.lanes) host.bus.faults = faults;
  }

  private get lanes(): readonly ClusterUnderTest[] {
    return [this.lane, ...this.ways.map(({ lane }) => lane)];
  }

  private get clusters(): readonly DemoCluster[] {
    return [this.cluster, this.baseline, ...this.ways.map(({ lane }) => lane.cluster)];
  }

  /** Sets everything up and runs the warm-up, without faults; counting starts at `startedAt`. */
  async begin(): Promise<void> {
    for (const { host } of this.lanes) host.deploy(host.config);
    await this.runUntil(this.startedAt);
    this.host.decisions.all.length = 0;
    this.faults = this.options.faults ?? NO_FAULTS;
  }

  /** Advances the time. What is due at an instant happens in order: the cluster's own, the scenario's, the bus's. */
  async runUntil(target: number): Promise<void> {
    for (;;) {
      const events = this.lanes.map(({ host }) => host.bus.nextAt ?? Number.POSITIVE_INFINITY);
      const at = Math.max(Math.min(target, this.feed.nextAt(), ...events), this.now);
      for (const { engine } of this.clusters) engine.advanceTo(at);
      for (const action of this.feed.takeDue(at)) await this.perform(action);
      for (const { host } of this.lanes) await host.bus.runDue(at);
      if (at >= target) return;
    }
  }

  /** What a deploy of a changed config does; the demand follows the new windows. */
  useConfig(config: Config): void {
    const setting = this.setting(config);
    for (const cluster of this.clusters) cluster.useConfig(config);
    this.feed = new ActionFeed(this.scenario, setting, this.now);
    this.host.deploy(config);
    for (const { way, lane } of this.ways) lane.host.deploy(readyBy(way, setting, this.scenario));
  }

  headrooms(): readonly HeadroomSize[] {
    const { namespace } = this.config.cluster;
    return this.config.nodePools.map(({ name }) => {
      const deployment = this.cluster.engine.store.get(DEPLOYMENTS, namespace, headroomName(name));
      return { name, wanted: deployment?.spec.replicas ?? 0, ready: deployment?.status?.readyReplicas ?? 0 };
    });
  }

  /** EC2 sends an interruption notice for this node; the other clusters lose a node of the same pool. */
  takeNode({ node, nodePool }: NodeRef): void {
    for (const cluster of this.clusters) {
      const own = cluster === this.cluster ? node : cluster.spotNodes().find((one) => one.nodePool === nodePool)?.node;
      if (own !== undefined) cluster.engine.takeSpotNode(own);
    }
  }

  /** EC2 sends notices for this share of a pool's spot nodes, the oldest first. */
  takeShare(poolName: string, share: number): number {
    const [taken] = this.clusters.map((cluster) => {
      const nodes = oldest(cluster.spotNodes(poolName), share);
      for (const { node } of nodes) cluster.engine.takeSpotNode(node);
      return nodes.length;
    });
    return taken ?? 0;
  }

  private async perform(action: Action): Promise<void> {
    switch (action.kind) {
      case 'demand':
        for (const cluster of this.clusters) cluster.setDemand(action.pool, action.pods);
        return;
      case 'alarm':
        for (const { host } of this.lanes) host.setAlarm(action.alarmName, action.firing);
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
    for (const { cluster, host } of this.lanes)
      for (const { instanceId } of oldest(cluster.spotNodes(poolName), share))
        host.bus.sendNotice(rebalanceRecommendationEvent(host.origin, instanceId, this.now), this.now);
  }

  private setting(config: Config) {
    return { config, startedAt: this.startedAt, seed: this.options.seed };
  }
}

/** The given share of nodes that are sorted by age. */
function oldest(nodes: readonly NodeRef[], share: number): readonly NodeRef[] {
  return nodes.slice(0, Math.ceil(nodes.length * share));
}

/** A scenario's actions as time goes on, computed a few hours ahead. */
class ActionFeed {
  private ahead: Action[] = [];
  private workedOutTo: number;

  constructor(
    private readonly scenario: Scenario,
    private readonly setting: Setting,
    from: number,
  ) {
    this.workedOutTo = from;
  }

  /** When the next action is due, or when to compute more of them. */
  nextAt(): number {
    return this.ahead[0]?.at ?? this.workedOutTo;
  }

  takeDue(now: number): readonly Action[] {
    const due: Action[] = [];
    for (;;) {
      while ((this.ahead[0]?.at ?? Number.POSITIVE_INFINITY) <= now) due.push(...this.ahead.splice(0, 1));
      if (this.ahead.length > 0 || this.workedOutTo > now) return due;
      const from = this.workedOutTo;
      this.workedOutTo = from + CHUNK_MS;
      this.ahead = [...this.scenario.actions(this.setting, from, this.workedOutTo)];
    }
  }
}
