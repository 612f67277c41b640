import { dryRunCluster } from '../../shared/adapters/dry-run-cluster';
import { kubeCluster } from '../../shared/adapters/kube-cluster';
import type { KubeTransport } from '../../shared/adapters/kube-transport';
import { jitteredPause } from '../../shared/adapters/pause';
import { messageOf } from '../../shared/core/basics/errors';
import { headroomName } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { spotInterruptionEvent } from '../../simulator/bus/aws-events';
import { NO_FAULTS } from '../../simulator/bus/faults';
import { seededRandom } from '../../simulator/deterministic/seeded-random';
import { HandlerHost } from '../../simulator/run/handler-host';
import { clusterView } from '../snapshot/cluster-view';
import { PoolHistories } from '../snapshot/pool-histories';
import type { Command, Snapshot } from '../snapshot/snapshot';
import { zoneOf } from '../snapshot/zone-of';
import type { ConsoleSource } from './console-source';
import { type ClusterContents, ensureClusterObjects, NOTHING_SEEN, readRealCluster } from './read-real-cluster';
import { RealClusterObserver } from './real-cluster-observer';

const LOOK_EVERY_MS = 2_000;
const TICK_MS = 250;
const BY = 'console';

export interface RealClusterOptions {
  readonly config: Config;
  readonly transport: KubeTransport;
  /** Where the cluster is, for people. */
  readonly server: string;
  readonly now?: () => number;
}

/** The same handlers and console against a real cluster, in real time; reads only, until it is told to act. */
export class RealClusterSource implements ConsoleSource {
  configProblems: readonly string[] = [];
  private readonly now: () => number;
  private readonly startedAt: number;
  private readonly host: HandlerHost;
  private readonly histories: PoolHistories;
  private readonly observer: RealClusterObserver;
  private content: ClusterContents = NOTHING_SEEN;
  private acting = false;
  private problem: string | undefined;
  private stopped = false;
  private timers: NodeJS.Timeout[] = [];

  constructor(private readonly options: RealClusterOptions) {
    this.now = options.now ?? Date.now;
    this.startedAt = this.now();
    const { config, transport } = options;
    const cluster = () => kubeCluster(transport, this.host.config.cluster.namespace);
    this.host = new HandlerHost({
      config,
      now: this.now,
      random: seededRandom(this.startedAt),
      cluster: () => (this.acting ? cluster() : dryRunCluster(cluster())),
      acting: () => this.acting,
      pause: jitteredPause,
    });
    this.histories = new PoolHistories(config);
    this.observer = new RealClusterObserver(this.startedAt);
  }

  /** Looks once, deploys the bus and goes on by itself until `stop`. */
  async start({ act }: { readonly act: boolean }): Promise<void> {
    await this.look();
    if (act) await this.act();
    this.host.deploy(this.host.config);
    this.repeat(TICK_MS, () => this.host.bus.runDue(this.now()));
    this.repeat(LOOK_EVERY_MS, () => this.look());
  }

  stop(): void {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
  }

  useConfig(config: Config): void {
    this.histories.useConfig(config);
    this.host.deploy(config);
  }

  async command(command: Command): Promise<Readonly<Record<string, unknown>>> {
    switch (command.kind) {
      case 'act':
        await this.act();
        return {};
      case 'inflate':
        return this.order({
          nodePool: command.pool,
          atLeast: command.atLeast,
          for: command.for,
          reason: command.reason,
        });
      case 'release':
        return this.order({ nodePool: command.pool, release: true });
      case 'alarm':
        this.host.setAlarm(command.alarmName, command.firing);
        return {};
      case 'takeNode':
        return { notices: this.sendNotices(command.node === undefined ? 1 : [command.node]) };
      case 'spotStorm':
        return { notices: this.sendNotices(0.5) };
      default:
        throw new Error(`${command.kind} is for the simulated cluster; a real one runs by itself, in real time`);
    }
  }

  snapshot(): Snapshot {
    const { content, host } = this;
    const now = this.now();
    const { hidden, ...view } = clusterView({ ...content, now, config: host.config });
    const nextEdge = host.bus.nextEdge;
    const problems = [...content.problems, ...(this.problem === undefined ? [] : [this.problem])];
    return {
      mode: 'cluster',
      acting: this.acting,
      clusterName: host.config.cluster.name,
      simulated: this.simulated(),
      clock: {
        now,
        startedAt: this.startedAt,
        speed: 1,
        paused: false,
        ...zoneOf(host.config),
        ...(nextEdge && { nextEdge }),
      },
      scenarios: [],
      configProblems: this.configProblems,
      ...(problems.length > 0 && { problems }),
      faults: NO_FAULTS,
      pools: this.histories.views(now, (alarmName) => host.alarms.isFiring(alarmName)),
      ...view,
      ...(hidden.nodes + hidden.pods > 0 && { hidden }),
      decisions: host.decisions.recent,
      waiting: { with: this.observer.meter.waitFigures(now) },
      cost: this.observer.meter.cost(now),
    };
  }

  private simulated(): readonly string[] {
    return [
      `the cluster is real: ${this.options.server}`,
      'EventBridge, CloudWatch and SQS are simulated: schedules fire here, and alarms are those of this page',
      this.acting
        ? "Headstart's own namespace, PriorityClass and Deployments are written"
        : 'nothing is written until you press act: decisions are what would be done',
    ];
  }

  private async act(): Promise<void> {
    await ensureClusterObjects(this.options.transport, this.host.config.cluster.namespace);
    this.acting = true;
    // What would have been done is done now, not at the next heartbeat.
    this.host.deploy(this.host.config);
  }

  private async order(order: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.host.order({ ...order, ...(order.release !== true && { by: BY }) });
    await this.look();
    return this.acting ? answer : { ...answer, note: 'read-only: this is what would be done; press act first' };
  }

  /** Sends notices as EC2 would for nodes by name, or for a share or one of the spot nodes; the nodes stay. */
  private sendNotices(which: readonly string[] | number): number {
    const spot = clusterView({ ...this.content, now: this.now(), config: this.host.config }).nodes.filter(
      (node) => node.spot && node.state === 'ready',
    );
    const count = typeof which === 'number' && which < 1 ? Math.ceil(spot.length * which) : 1;
    const names = typeof which === 'number' ? spot.slice(0, count).map(({ name }) => name) : which;
    const ids = this.content.nodeClaims.flatMap(({ status }) => {
      const id = status?.providerID?.split('/').at(-1) ?? '';
      return names.includes(status?.nodeName ?? '') && id.startsWith('i-') ? [id] : [];
    });
    if (ids.length === 0) throw new Error('there is no such spot node with an EC2 instance in this cluster');
    const now = this.now();
    for (const id of ids) this.host.bus.sendNotice(spotInterruptionEvent(this.host.origin, id, now), now);
    return ids.length;
  }

  private async look(): Promise<void> {
    const { namespace } = this.host.config.cluster;
    this.content = await readRealCluster(this.options.transport, namespace, this.content);
    const now = this.now();
    const byName = new Map(this.content.headrooms.map((deployment) => [deployment.metadata.name, deployment]));
    for (const { name } of this.host.config.nodePools) this.histories.see(name, byName.get(headroomName(name)), now);
    this.observer.see(this.content, this.host.config, now);
  }

  /** Again and again with a pause between, never two at once; trouble is shown and tried again. */
  private repeat(pause: number, work: () => Promise<void>): void {
    const once = async () => {
      try {
        await work();
        this.problem = undefined;
      } catch (error) {
        this.problem = messageOf(error);
      }
      if (!this.stopped) this.timers = [...this.timers.filter((one) => one !== timer), schedule()];
    };
    const schedule = () => {
      timer = setTimeout(once, pause);
      return timer;
    };
    let timer: NodeJS.Timeout;
    this.timers.push(schedule());
  }
}
