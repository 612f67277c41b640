import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesObject } from '@kubernetes/client-node';
import { clusterEvents } from '../../shared/adapters/kube/cluster-events';
import { dryRunCluster } from '../../shared/adapters/kube/dry-run-cluster';
import { kubeCluster } from '../../shared/adapters/kube/kube-cluster';
import { orMissing } from '../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../shared/adapters/kube/kube-transport';
import { keptLive, readLive } from '../../shared/adapters/kube/live-ports';
import { jitteredPause } from '../../shared/adapters/process/sleep';
import { ownersIn } from '../../shared/core/apply/owner';
import { messageOf } from '../../shared/core/basics/errors';
import { FIELD_MANAGER, headroomName, KARPENTER_NODEPOOL_LABEL, ownerText } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { namespaceManifest, priorityClassManifest } from '../../shared/core/manifests/cluster-objects';
import type { LiveHeadroom } from '../../shared/core/ports/ports';
import { listText, priceListOf } from '../../shared/pricing/instance-types';
import { spotInterruptionEvent } from '../../simulator/bus/aws-events';
import { NO_FAULTS } from '../../simulator/bus/faults';
import { seededRandom } from '../../simulator/deterministic/seeded-random';
import type { NodeClaim } from '../../simulator/kube/objects';
import { HandlerHost } from '../../simulator/run/handler-host';
import { clusterView, nodesInUse } from '../snapshot/cluster-view';
import type { Command } from '../snapshot/command';
import { PoolHistories } from '../snapshot/pool-histories';
import type { NodeView, Snapshot } from '../snapshot/snapshot';
import { commonView } from './common-view';
import type { ConsoleSource } from './console-source';
import { overrideOf, ruleNote } from './page-commands';
import { type ClusterContents, EMPTY_CONTENTS, readRealCluster } from './read-real-cluster';
import { RealClusterObserver } from './real-cluster-observer';

const REFRESH_MS = 2_000;
const TICK_MS = 250;

export interface RealClusterOptions {
  readonly config: Config;
  readonly transport: KubeTransport;
  /** The cluster's address, for messages. */
  readonly server: string;
  /** What says that it is another cluster than the config's; then it is only read. */
  readonly mismatch?: string;
  readonly now?: () => number;
}

/** The same handlers and console with a real cluster, in real time; read-only until the user presses "act". */
export class RealClusterSource implements ConsoleSource {
  configProblems: readonly string[] = [];
  private readonly now: () => number;
  private readonly startedAt: number;
  private readonly host: HandlerHost;
  private readonly histories: PoolHistories;
  private readonly observer: RealClusterObserver;
  private content: ClusterContents = EMPTY_CONTENTS;
  private acting = false;
  private problem: string | undefined;
  private stopped = false;

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
      live: (deployed) =>
        this.acting
          ? { ...readLive(deployed, transport), ...clusterEvents(transport, deployed.cluster.namespace) }
          : keptLive(deployed),
      owner: async () => ownerToActAs(await cluster().listHeadrooms(), this.host.config, this.acting),
      pause: jitteredPause,
    });
    this.histories = new PoolHistories(config);
    this.observer = new RealClusterObserver(this.startedAt);
  }

  /** Reads the cluster once, deploys the bus and then runs until `stop`. */
  async start({ act }: { readonly act: boolean }): Promise<void> {
    await this.refresh();
    if (act) await this.act();
    this.host.deploy(this.host.config);
    this.repeat(TICK_MS, () => this.host.bus.runDue(this.now()));
    this.repeat(REFRESH_MS, () => this.refresh());
  }

  stop(): void {
    this.stopped = true;
  }

  useConfig(config: Config): void {
    this.histories.useConfig(config);
    this.host.deploy(config);
  }

  async command(command: Command): Promise<Readonly<Record<string, unknown>>> {
    const response = await this.carryOut(command);
    return { ...response, ...(!this.acting && { dryRun: true }) };
  }

  private async carryOut(command: Command): Promise<Readonly<Record<string, unknown>>> {
    switch (command.kind) {
      case 'act':
        await this.act();
        return {};
      case 'inflate':
      case 'release': {
        const response = await this.host.override(overrideOf(command));
        await this.refresh();
        return response;
      }
      case 'alarm':
        this.host.setAlarm(command.alarmName, command.firing);
        return {};
      case 'takeNode':
        return this.sendNotices(command.node === undefined ? 'first' : { name: command.node });
      case 'spotStorm':
        return this.sendNotices({ share: 0.5 });
      default:
        throw new Error(`${command.kind} works only in a simulation: a real cluster runs in real time`);
    }
  }

  snapshot(): Snapshot {
    const { content, host, histories, observer, acting, startedAt } = this;
    const now = this.now();
    const { mismatch } = this.options;
    const other = mismatch === undefined ? [] : [`another cluster: ${mismatch}`];
    const problems = [...other, ...content.problems, ...(this.problem === undefined ? [] : [this.problem])];
    return {
      mode: 'cluster',
      acting,
      simulated: this.simulated(),
      scenarios: [],
      configProblems: this.configProblems,
      ...(problems.length > 0 && { problems }),
      faults: NO_FAULTS,
      ...commonView(
        host,
        histories,
        { ...content, events: () => content.events },
        { now, startedAt, speed: 1, paused: false },
        ({ name, price }) => price ?? observer.prices.get(name),
      ),
      waiting: { with: observer.meter.waitFigures(now) },
      cost: observer.meter.cost(now),
      prices: listText(priceListOf(host.config.cluster.region)),
    };
  }

  private simulated(): readonly string[] {
    return [
      `the cluster is real: ${this.options.server}`,
      'EventBridge, CloudWatch and SQS are simulated: schedules fire here, and alarms are set on this page',
      this.acting
        ? 'Headstart writes its own namespace, PriorityClass and Deployments'
        : 'nothing is written until you press act: decisions show what would be done',
    ];
  }

  private async act(): Promise<void> {
    const { mismatch } = this.options;
    if (mismatch !== undefined)
      throw new Error(`${mismatch}; nothing is written: start with the config of that cluster`);
    await ensureClusterObjects(this.options.transport, this.host.config.cluster.namespace);
    this.acting = true;
    // Act now instead of at the next heartbeat.
    this.host.deploy(this.host.config);
  }

  /** Sends the notices that EC2 would send; the nodes stay. */
  private sendNotices(choice: Choice): Readonly<Record<string, unknown>> {
    const now = this.now();
    const { nodes } = clusterView({ ...this.content, now, config: this.host.config });
    const ids = spotInstances(choice, nodes, this.content.nodeClaims);
    if (ids.length === 0) throw new Error('no such spot node with an EC2 instance in this cluster');
    for (const id of ids) this.host.bus.sendNotice(spotInterruptionEvent(this.host.origin, id, now), now);
    const claims = this.content.nodeClaims.filter(({ status }) =>
      ids.includes(status?.providerID?.split('/').at(-1) ?? ''),
    );
    const pools = claims.map(({ metadata }) => metadata.labels?.[KARPENTER_NODEPOOL_LABEL] ?? '');
    return { notices: ids.length, ...ruleNote(this.host.config, pools) };
  }

  private async refresh(): Promise<void> {
    const { namespace } = this.host.config.cluster;
    this.content = await readRealCluster(this.options.transport, namespace, this.content);
    const now = this.now();
    const byName = new Map(this.content.headrooms.map((deployment) => [deployment.metadata.name, deployment]));
    for (const { name } of this.host.config.nodePools)
      this.histories.observe(name, byName.get(headroomName(name)), now);
    const { config } = this.host;
    this.histories.observeUses(this.content.morePods ? undefined : nodesInUse({ ...this.content, config }), now);
    this.observer.observe(this.content, config, now);
  }

  /** Repeats with a pause in between, never concurrently; errors are shown and retried. */
  private async repeat(pause: number, work: () => Promise<void>): Promise<void> {
    for (;;) {
      await sleep(pause, undefined, { ref: false });
      if (this.stopped) return;
      try {
        await work();
        this.problem = undefined;
      } catch (error) {
        this.problem = messageOf(error);
      }
    }
  }
}

/** The owner of the headroom in the namespace; without headroom, the console becomes the owner. */
function ownerToActAs(headrooms: readonly LiveHeadroom[], { cluster }: Config, acting: boolean): string {
  const { account = '-', region, name, namespace } = cluster;
  const [owner = ownerText({ account, region, cluster: name, namespace, stack: 'console' }), ...others] =
    ownersIn(headrooms);
  if (others.length === 0 || !acting) return owner;
  throw new Error(
    `the namespace has headroom of ${[owner, ...others].join(' and ')}: the console cannot tell which one to act for`,
  );
}

/** Creates Headstart's own namespace and PriorityClass if they are missing. */
async function ensureClusterObjects(transport: KubeTransport, namespace: string): Promise<void> {
  const objects = {
    '/api/v1/namespaces': namespaceManifest(namespace),
    '/apis/scheduling.k8s.io/v1/priorityclasses': priorityClassManifest(namespace),
  };
  for (const [path, manifest] of Object.entries(objects)) {
    if (await orMissing(transport.get(`${path}/${manifest.metadata.name}`))) continue;
    await transport.create(`${path}?fieldManager=${FIELD_MANAGER}`, manifest as KubernetesObject);
  }
}

/** Which of the ready spot nodes: one by name, the first, or a share of them. */
export type Choice = { readonly name: string } | 'first' | { readonly share: number };

/** The EC2 instances behind the chosen spot nodes. */
export function spotInstances(
  choice: Choice,
  nodes: readonly NodeView[],
  nodeClaims: readonly NodeClaim[],
): readonly string[] {
  const names = chosenNames(choice, nodes);
  return nodeClaims.flatMap(({ status }) => {
    const id = status?.providerID?.split('/').at(-1) ?? '';
    return names.includes(status?.nodeName ?? '') && id.startsWith('i-') ? [id] : [];
  });
}

function chosenNames(choice: Choice, nodes: readonly NodeView[]): readonly string[] {
  if (choice !== 'first' && 'name' in choice) return [choice.name];
  const spot = nodes.filter((node) => node.spot && node.state === 'ready').map(({ name }) => name);
  return spot.slice(0, choice === 'first' ? 1 : Math.ceil(spot.length * choice.share));
}
