import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { messageOf } from '../../../shared/core/basics/errors';
import { headroomName } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { floorUses, nodeUses } from '../../../shared/core/karpenter/nodes-in-use';
import { ANNOTATIONS, readReasons } from '../../../shared/core/manifests/annotations';
import type { OverrideResponse } from '../../../shared/core/respond';
import { headroomOfPod } from '../../../shared/core/wake-up/headroom-of-pod';
import { originText, priceListOf } from '../../../shared/pricing/instance-types';
import { CAPACITY_TYPE } from '../../../shared/pricing/node-price';
import { NO_FAULTS } from '../../simulator/bus/faults';
import type { Deployment } from '../../simulator/kube/object-types';
import type { ObservedDecision } from '../../simulator/run/decision-history';
import type { Command } from '../snapshot/page-command';
import { PoolHistories } from '../snapshot/pool-histories';
import type { Snapshot } from '../snapshot/snapshot';
import { commonView } from './common-view';
import type { ConsoleSource } from './console-source';
import { overrideOf } from './page-commands';
import { type ClusterContents, EMPTY_CONTENTS, readRealCluster } from './read-real-cluster';
import { RealClusterObserver } from './real-cluster-observer';

const REFRESH_MS = 2_000;
const MAX_DECISIONS = 60;

export interface RealClusterOptions {
  readonly config: Config;
  readonly transport: Pick<KubeTransport, 'get'>;
  readonly server: string;
  /** Sends an override or a release for a person, as `inflate` and `release` do. */
  readonly sendOverride: (config: Config, request: Readonly<Record<string, unknown>>) => Promise<OverrideResponse>;
  /** What says that it is another cluster than the config's. */
  readonly mismatch?: string | undefined;
  readonly now?: () => number;
}

/** Shows a real cluster in real time. It only reads: overrides given on the page go through `sendOverride`. */
export class RealClusterSource implements ConsoleSource {
  configProblems: readonly string[] = [];
  notes: readonly string[] = [];
  private readonly now: () => number;
  private readonly startedAt: number;
  private readonly histories: PoolHistories;
  private readonly observer: RealClusterObserver;
  private readonly sizes = new Map<string, number>();
  private config: Config;
  private content: ClusterContents = EMPTY_CONTENTS;
  private decisions: readonly ObservedDecision[] = [];
  private problem: string | undefined;
  /** The Events of them that were there at the last look. */
  private preemptions: ReadonlySet<string> | undefined;
  private stopped = false;

  constructor(private readonly options: RealClusterOptions) {
    this.now = options.now ?? Date.now;
    this.startedAt = this.now();
    this.config = options.config;
    this.histories = new PoolHistories(options.config);
    this.observer = new RealClusterObserver(this.startedAt);
  }

  /** Reads the cluster once, and then again and again until `stop`. */
  async start(): Promise<void> {
    await this.refresh();
    this.keepReading();
  }

  stop(): void {
    this.stopped = true;
  }

  useConfig(config: Config): void {
    this.config = config;
    this.histories.useConfig(config);
  }

  async command(command: Command): Promise<Readonly<Record<string, unknown>>> {
    if (command.kind !== 'inflate' && command.kind !== 'release')
      throw new Error(`${command.kind} works only in a simulation: on a real cluster this page only sends overrides`);
    const response = await this.options.sendOverride(this.config, overrideOf(command));
    await this.refresh();
    return { ...response };
  }

  snapshot(): Snapshot {
    const { content, config, histories, observer, decisions, startedAt } = this;
    const now = this.now();
    const { mismatch, server } = this.options;
    const other = mismatch === undefined ? [] : [`another cluster: ${mismatch}`];
    const problems = [...other, ...content.problems, ...(this.problem === undefined ? [] : [this.problem])];
    return {
      mode: 'cluster',
      simulated: [
        `the cluster is real: ${server}`,
        'this page reads it, and sends an override when you press a button',
      ],
      scenarios: [],
      configProblems: this.configProblems,
      ...(problems.length > 0 && { problems }),
      faults: NO_FAULTS,
      ...commonView(
        { config, decisions, meter: observer.meter },
        histories,
        { ...content, events: () => content.events ?? [] },
        { now, startedAt, speed: 1, paused: false },
      ),
      prices: originText(
        priceListOf(config.cluster.region),
        content.nodes.map(({ metadata }) => metadata.labels?.[CAPACITY_TYPE] === 'spot'),
      ),
    };
  }

  async refresh(): Promise<void> {
    const { config } = this;
    this.content = await readRealCluster(this.options.transport, config.cluster.namespace, this.content);
    const now = this.now();
    const byName = new Map(this.content.headrooms.map((deployment) => [deployment.metadata.name, deployment]));
    for (const { name } of config.headrooms) {
      const deployment = byName.get(headroomName(name));
      this.histories.observe(name, deployment, now);
      this.observeSize(name, deployment, now);
    }
    this.observeWork(now);
    this.observer.observe(this.content, config, now);
  }

  /** What work has of each headroom: nodes of floors, and pause pods that it has preempted since the last look. */
  private observeWork(now: number): void {
    const { content, preemptions, histories } = this;
    const { headrooms } = this.config;
    const uses = content.morePods ? undefined : floorUses(content.pods.flatMap(nodeUses));
    const unknown = content.events ? {} : { preempted: undefined };
    for (const { name } of headrooms)
      histories.observeWork(name, { inUse: uses && (uses.get(name)?.inUse ?? 0), ...unknown }, now);
    const events = (content.events ?? []).filter(({ reason }) => reason === 'Preempted');
    this.preemptions = new Set(events.map(({ metadata }) => metadata.uid));
    const deployments = headrooms.map(({ name }) => headroomName(name));
    for (const { metadata, involvedObject } of preemptions ? events : []) {
      const deployment = preemptions?.has(metadata.uid) ? undefined : headroomOfPod(involvedObject.name, deployments);
      const pool = headrooms.find(({ name }) => headroomName(name) === deployment);
      if (pool) histories.observePreemption(pool.name, now);
    }
  }

  /** A changed size is a decision of the deployed Headstart, whose reasons are in the annotation. */
  private observeSize(pool: string, deployment: Deployment | undefined, at: number): void {
    const to = deployment?.spec.replicas ?? 0;
    const from = this.sizes.get(pool) ?? to;
    this.sizes.set(pool, to);
    if (from === to) return;
    const reasons = readReasons(deployment?.metadata.annotations?.[ANNOTATIONS.reasons]);
    const decision = { at, pool, trigger: 'seen on the cluster', from, to, reasons };
    this.decisions = [decision, ...this.decisions].slice(0, MAX_DECISIONS);
  }

  /** Errors are shown and retried. */
  private async keepReading(): Promise<void> {
    for (;;) {
      await sleep(REFRESH_MS, undefined, { ref: false });
      if (this.stopped) return;
      try {
        await this.refresh();
        this.problem = undefined;
      } catch (error) {
        this.problem = messageOf(error);
      }
    }
  }
}
