import { PoolHistories } from '../../console/snapshot/pool-histories';
import { kubeCluster } from '../../shared/adapters/kube-cluster';
import type { KubeTransport } from '../../shared/adapters/kube-transport';
import { headroomName } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { rebalanceRecommendationEvent, spotInterruptionEvent } from '../bus/aws-events';
import { type Faults, NO_FAULTS } from '../bus/faults';
import { seededRandom, seedFor } from '../bus/seeded-random';
import type { NodeRef } from '../engine/facts';
import { DEPLOYMENTS } from '../kube/kinds';
import type { Deployment } from '../kube/objects';
import { scenarioOf } from '../scenarios/catalogue';
import type { Action, Scenario } from '../scenarios/scenario';
import { ActionFeed } from './action-feed';
import { HandlerHost } from './handler-host';
import { type CallFault, inProcessTransport } from './in-process-transport';
import { World } from './world';

/**
 * Time before the start in which the usual pods and the headroom of the moment find their nodes;
 * half a minute more, because a deploy, and with it the heartbeat, seldom falls on a full minute.
 */
const WARM_UP_MS = 10.5 * 60_000;

export interface SessionOptions {
  readonly config: Config;
  readonly scenario: string;
  readonly seed: number;
  readonly faults?: Faults;
  readonly nodeDelaySeconds: number;
  /** The scenario starts at its first moment after this. */
  readonly after: number;
  readonly keepAllDecisions?: boolean;
}

/**
 * One run of the sandbox: the simulated cluster with the real handlers, and its twin, which has the
 * same demand and no headroom. Time moves only by `runUntil`, so that a run is the same each time.
 */
export class Session {
  readonly scenario: Scenario;
  readonly startedAt: number;
  readonly world: World;
  readonly twin: World;
  readonly host: HandlerHost;
  readonly histories: PoolHistories;
  /** How the handlers reach the API; replaced by one over HTTP when there is a console. */
  transport: KubeTransport;
  private readonly options: SessionOptions;
  private readonly faultDraws: () => number;
  private feed: ActionFeed;

  constructor(options: SessionOptions) {
    const { config, seed } = options;
    this.options = options;
    this.scenario = scenarioOf(options.scenario);
    this.startedAt = this.scenario.startsAt(config, options.after);
    const { nodeDelaySeconds } = options;
    const worldOptions = { config, seed, startTime: this.startedAt - WARM_UP_MS, nodeDelaySeconds };
    this.world = new World(worldOptions);
    this.twin = new World(worldOptions);
    this.faultDraws = seededRandom(seedFor(seed, 'api faults'));
    this.transport = inProcessTransport(this.world.cluster.api, () => this.drawFault());
    this.host = new HandlerHost({
      config,
      now: this.world.cluster.now,
      random: seededRandom(seedFor(seed, 'bus')),
      cluster: () => kubeCluster(this.transport, this.host.config.cluster.namespace),
      lateSchedules: true,
      keepAllDecisions: options.keepAllDecisions ?? false,
    });
    this.histories = new PoolHistories(config);
    this.feed = new ActionFeed(this.scenario, this.setting(config), worldOptions.startTime);
    this.listen();
  }

  get now(): number {
    return this.world.cluster.now();
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
    return { status: 503, answerLost: this.faultDraws() < 0.5 };
  }

  /** Sets everything up and runs the warm-up, without faults; counting starts at `startedAt`. */
  async begin(): Promise<void> {
    this.host.deploy(this.config);
    await this.runUntil(this.startedAt);
    for (const { observer, cluster } of [this.world, this.twin]) observer.begin(cluster.now());
    this.host.decisions.all.length = 0;
    this.faults = this.options.faults ?? NO_FAULTS;
  }

  /** Moves the time; everything that falls due happens in order: the cluster's own, the scenario's, the bus's. */
  async runUntil(target: number): Promise<void> {
    for (;;) {
      const next = Math.min(target, this.feed.nextAt(), this.host.bus.nextAt ?? Number.POSITIVE_INFINITY);
      const at = Math.max(next, this.now);
      this.world.cluster.advanceTo(at);
      this.twin.cluster.advanceTo(at);
      for (const action of this.feed.takeDue(at)) await this.perform(action);
      await this.host.bus.runDue(at);
      if (at >= target) return;
    }
  }

  /** What a deploy of a changed config does; the demand follows the new windows. */
  useConfig(config: Config): void {
    for (const world of [this.world, this.twin]) world.useConfig(config);
    this.histories.useConfig(config);
    this.feed = new ActionFeed(this.scenario, this.setting(config), this.now);
    this.host.deploy(config);
  }

  /** EC2 announces that it will take this node back; the twin loses one of the same pool. */
  takeNode(node: NodeRef): void {
    this.world.cluster.takeSpotNode(node.node);
    const [other] = this.twin.spotNodes().filter(({ nodePool }) => nodePool === node.nodePool);
    if (other) this.twin.cluster.takeSpotNode(other.node);
  }

  /** The oldest spot nodes of a pool, so many of them. */
  takeShare(poolName: string, share: number): number {
    const chosen = (world: World) => {
      const nodes = world.spotNodes(poolName);
      return nodes.slice(0, Math.ceil(nodes.length * share));
    };
    const [own, others] = [chosen(this.world), chosen(this.twin)];
    for (const { node } of own) this.world.cluster.takeSpotNode(node);
    for (const { node } of others) this.twin.cluster.takeSpotNode(node);
    return own.length;
  }

  private async perform(action: Action): Promise<void> {
    switch (action.kind) {
      case 'demand':
        this.world.setDemand(action.pool, action.pods);
        this.twin.setDemand(action.pool, action.pods);
        return;
      case 'alarm':
        this.host.setAlarm(action.alarmName, action.firing);
        return;
      case 'spot':
        if (action.notice === 'rebalance') this.recommendRebalance(action.pool, action.share);
        else this.takeShare(action.pool, action.share);
        return;
      case 'order':
        // A person whose order fails gives it again.
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
    const nodes = this.world.spotNodes(poolName);
    for (const { instanceId } of nodes.slice(0, Math.ceil(nodes.length * share)))
      this.host.bus.sendNotice(rebalanceRecommendationEvent(this.host.origin, instanceId, this.now), this.now);
  }

  private setting(config: Config) {
    return { config, startedAt: this.startedAt, seed: this.options.seed };
  }

  private listen(): void {
    const { cluster } = this.world;
    cluster.on((fact) => {
      if (fact.kind !== 'spotNotice') return;
      const notice = spotInterruptionEvent(this.host.origin, fact.node.instanceId, fact.at);
      this.host.bus.sendNotice(notice, fact.at);
    });
    cluster.store.subscribe(DEPLOYMENTS, ({ type, object }) => {
      if (object.metadata.namespace !== this.config.cluster.namespace) return;
      this.see(object, type === 'DELETED' ? undefined : object);
    });
  }

  private see({ metadata }: Deployment, deployment: Deployment | undefined): void {
    const pool = this.config.nodePools.find(({ name }) => headroomName(name) === metadata.name);
    if (pool) this.histories.see(pool.name, deployment, this.now);
  }
}
