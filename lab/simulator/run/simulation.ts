import { headroomName } from '../../../shared/core/basics/names';
import { retry } from '../../../shared/core/basics/retry';
import type { Config } from '../../../shared/core/config/config';
import { readyPods } from '../../../shared/core/manifests/ready-pods';
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

/** The additional half minute is there because a deploy, and with it the heartbeat, is rarely on a full minute. */
const WARM_UP_MS = 10.5 * 60_000;

export interface SimulationOptions {
  readonly config: Config;
  readonly scenario: Scenario;
  readonly seed: number;
  readonly faults?: Faults;
  readonly nodeDelay: NodeDelay;
  /** The scenario starts at its first opportunity after this. */
  readonly after: number;
  /** Time before the start in which the base load and the current headroom get their nodes. @default 10.5 minutes */
  readonly warmUpMs?: number;
  readonly keepAllDecisions?: boolean;
}

/** The wanted and the ready size of a NodePool's headroom. */
export interface HeadroomSize {
  readonly name: string;
  readonly wanted: number;
  readonly ready: number;
}

/**
 * One simulated run: a cluster with the real handlers, and a baseline with the same demand and
 * no headroom. Time only moves by `runUntil`, so runs are reproducible.
 */
export class Simulation {
  readonly scenario: Scenario;
  readonly startedAt: number;
  readonly underTest: ClusterUnderTest;
  readonly baseline: DemoCluster;
  /** One more cluster with the same demand for each strategy. */
  readonly strategies: readonly { readonly strategy: Strategy; readonly underTest: ClusterUnderTest }[];
  private readonly options: SimulationOptions;
  private feed: ActionFeed;

  constructor(options: SimulationOptions) {
    const { config, scenario, seed, nodeDelay, warmUpMs = WARM_UP_MS, keepAllDecisions = false } = options;
    this.options = options;
    this.scenario = scenario;
    this.startedAt = scenario.startsAt(config, options.after);
    const startTime = this.startedAt - warmUpMs;
    const requested = new Map();
    const clusterOptions = { config, seed, startTime, countFrom: this.startedAt, nodeDelay, requested };
    const setting = this.setting(config);
    this.underTest = new ClusterUnderTest(clusterOptions, config, keepAllDecisions);
    this.baseline = new DemoCluster(clusterOptions);
    this.strategies = (scenario.comparesStrategies ? STRATEGIES : []).map((strategy) => ({
      strategy,
      underTest: new ClusterUnderTest(clusterOptions, readyBy(strategy, setting, scenario), false),
    }));
    this.feed = new ActionFeed(scenario, setting, startTime);
  }

  get cluster(): DemoCluster {
    return this.underTest.cluster;
  }

  get host(): HandlerHost {
    return this.underTest.host;
  }

  get now(): number {
    return this.cluster.engine.now();
  }

  get config(): Config {
    return this.host.config;
  }

  get seed(): number {
    return this.options.seed;
  }

  /** What the scenario does next that a person would watch for. */
  get nextMoment(): { readonly at: number; readonly label: string } | undefined {
    return this.feed.nextMoment(this.now);
  }

  get faults(): Faults {
    return this.host.bus.faults;
  }

  set faults(faults: Faults) {
    for (const { host } of this.allUnderTest) host.bus.faults = faults;
  }

  private get allUnderTest(): readonly ClusterUnderTest[] {
    return [this.underTest, ...this.strategies.map(({ underTest }) => underTest)];
  }

  private get clusters(): readonly DemoCluster[] {
    return [this.cluster, this.baseline, ...this.strategies.map(({ underTest }) => underTest.cluster)];
  }

  /** Deploys and runs the warm-up, without faults; measuring starts at `startedAt`. */
  async begin(): Promise<void> {
    for (const { host } of this.allUnderTest) host.deploy(host.config);
    await this.runUntil(this.startedAt);
    this.host.decisions.all.length = 0;
    this.faults = this.options.faults ?? NO_FAULTS;
  }

  /** Advances the time. At each instant the clusters come first, then the scenario, then the buses. */
  async runUntil(target: number): Promise<void> {
    for (;;) {
      const events = this.allUnderTest.map(({ host }) => host.bus.nextAt ?? Number.POSITIVE_INFINITY);
      const at = Math.max(Math.min(target, this.feed.nextAt(), ...events), this.now);
      for (const { engine } of this.clusters) engine.advanceTo(at);
      for (const action of this.feed.takeDue(at)) await this.perform(action);
      for (const { host } of this.allUnderTest) await host.bus.runDue(at);
      if (at >= target) return;
    }
  }

  /** Deploys a changed config; the demand follows its windows. */
  useConfig(config: Config): void {
    const setting = this.setting(config);
    for (const cluster of this.clusters) cluster.useConfig(config);
    this.feed = new ActionFeed(this.scenario, setting, this.now);
    this.host.deploy(config);
    for (const { strategy, underTest } of this.strategies)
      underTest.host.deploy(readyBy(strategy, setting, this.scenario));
  }

  headrooms(): readonly HeadroomSize[] {
    const { namespace } = this.config.cluster;
    return this.config.headrooms.map(({ name }) => {
      const deployment = this.cluster.engine.store.get(DEPLOYMENTS, namespace, headroomName(name));
      return { name, wanted: deployment?.spec.replicas ?? 0, ready: (deployment && readyPods(deployment)) ?? 0 };
    });
  }

  /** Interrupts this node, and in each of the other clusters a node of the same pool. */
  takeNode({ node, nodePool }: NodeRef): void {
    for (const cluster of this.clusters) {
      const own = cluster === this.cluster ? node : cluster.spotNodes().find((one) => one.nodePool === nodePool)?.node;
      if (own !== undefined) cluster.engine.takeSpotNode(own);
    }
  }

  /** Interrupts this share of a NodePool's spot nodes, oldest first. */
  takeShare(nodePool: string, share: number): number {
    const [taken] = this.clusters.map((cluster) => {
      const nodes = oldest(cluster.spotNodes(nodePool), share);
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
        for (const { host } of this.allUnderTest) host.setAlarm(action.alarmName, action.firing);
        return;
      case 'spot':
        if (action.notice === 'rebalance') this.recommendRebalance(action.nodePool, action.share);
        else this.takeShare(action.nodePool, action.share);
        return;
      case 'override':
        // A user would retry an override that fails.
        await retry(() => this.host.override(action.request), {
          delayMs: (_, attempt) => (attempt < 5 ? 0 : undefined),
          sleep: async () => {},
        }).catch(() => undefined);
    }
  }

  private recommendRebalance(nodePool: string, share: number): void {
    for (const { cluster, host } of this.allUnderTest)
      for (const { instanceId } of oldest(cluster.spotNodes(nodePool), share))
        host.bus.sendNotice(rebalanceRecommendationEvent(host.origin, instanceId, this.now), this.now);
  }

  private setting(config: Config) {
    return { config, startedAt: this.startedAt, seed: this.options.seed };
  }
}

function oldest(nodes: readonly NodeRef[], share: number): readonly NodeRef[] {
  return nodes.slice(0, Math.ceil(nodes.length * share));
}

/** Yields a scenario's actions as they become due; computes them a few hours ahead. */
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

  nextMoment(now: number): { readonly at: number; readonly label: string } | undefined {
    const found = this.ahead.find(({ at, moment }) => moment !== undefined && at > now);
    return found?.moment && { at: found.at, label: `${found.moment.headroom}: ${found.moment.text}` };
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
