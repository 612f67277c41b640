import { type Random, seededRandom, seedFor } from '../../lab/simulator/deterministic/seeded-random';
import { DEPLOYMENTS } from '../../lab/simulator/kube/kinds';
import type { Change } from '../../lab/simulator/kube/object-store';
import type { Deployment } from '../../lab/simulator/kube/object-types';
import type { KubeRequest } from '../../shared/adapters/kube/send';
import { heartbeat, tickEvent } from '../../shared/core/events/heartbeat-and-edges';
import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import { Activities } from './activities/activities';
import { startAnnouncers } from './activities/announcers';
import { startBursts } from './activities/bursts';
import { Deploys } from './activities/deploys';
import { startFloorNodes } from './activities/floor-nodes';
import { startLiveEdits } from './activities/live-edits';
import { ManualEdits } from './activities/manual-edits';
import { Operators } from './activities/operators';
import { startOtherWriter } from './activities/other-writer';
import { startPods } from './activities/pods';
import { startWorkloadChanges } from './activities/workload-changes';
import { beginning } from './environment/beginnings';
import { Deliveries } from './environment/deliveries';
import { EventLog } from './environment/event-log';
import type { FaultCounts, FaultKind } from './environment/fault-kinds';
import { FaultPlan } from './environment/fault-plan';
import { FaultyWire } from './environment/faulty-wire';
import { FunctionHost } from './environment/function-host';
import { type Ending, Invocation } from './environment/invocation';
import { KubeWire } from './environment/kube-wire';
import { deploymentIn, PausePods } from './environment/pause-pods';
import { RefusedMessages } from './environment/refused-messages';
import { Stack } from './environment/stack';
import { type StackFeatures, secondConfigs, stackConfigs } from './environment/stack-configs';
import { type HandlingStrategy, REAL_STRATEGY } from './environment/strategy';
import { NAMESPACE, World, type Writer } from './environment/world';
import { AcceptedInputs } from './invariants/accepted-inputs';
import { AnnouncedInvariants } from './invariants/announced-invariants';
import { CallInvariants } from './invariants/call-invariants';
import { endingText, InvocationInvariants } from './invariants/invocation-invariants';
import { LikeInvariants } from './invariants/like-invariants';
import { LiveInvariants } from './invariants/live-invariants';
import { NodeCounts } from './invariants/node-counts';
import { NodeTimes } from './invariants/recorded-occurrences';
import { LiveFigures } from './invariants/reports';
import { settledViolations } from './invariants/settled-invariants';
import { Tolerations } from './invariants/tolerations';
import { WakeUpInvariants } from './invariants/wake-up-invariants';
import { checkWrites } from './invariants/write-invariants';

const MINUTE = 60_000;
/** Longer than any delivery in flight takes, its retries included, and than any clock is wrong. */
const SETTLE_MS = 4 * MINUTE;
/** A contested field is left alone for ten minutes. */
const CONTESTED_MS = 12 * MINUTE;
/** What followed an autoscaler up goes down in twice five minutes, counted by heartbeats. */
const SHRUNK_MS = 14 * MINUTE;
/** One of this many final heartbeats must write nothing. */
const LAST_BEATS = 7;
/** Every other time pods become ready and nodes initialized in between, which a verdict shows. */
const LAST_BEATS_APART_MS = 30_000;
/** A scenario that gets here is in an endless loop. */
const MAX_STEPS = 20_000;

export interface ScenarioOptions {
  readonly seed: number;
  /** @default the real code */
  readonly strategy?: HandlingStrategy;
  /** Called with everything that happens, for a replay. */
  readonly onTrace?: (entry: TraceEntry) => void;
  /** Called with every write to a headroom's Deployment. */
  readonly onWrite?: (write: HeadroomWrite) => void;
}

/** Something that happened, with the step and the time of the simulated clock. */
export interface TraceEntry {
  readonly at: number;
  readonly step: number;
  readonly text: string;
}

export interface HeadroomWrite {
  readonly at: number;
  readonly step: number;
  readonly change: Change<Deployment>;
  readonly writer: Writer;
}

export interface ScenarioResult {
  readonly seed: number;
  /** Calls that the code made, and events that were delivered. */
  readonly steps: number;
  readonly counts: FaultCounts;
  /** Violated invariants; the scenario ends with the first. */
  readonly violations: readonly string[];
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Runs one seed: some minutes with faults, then some without, then the check that everything has settled. */
export async function runScenario(options: ScenarioOptions): Promise<ScenarioResult> {
  const scenario = new Scenario(options);
  await scenario.run();
  const { steps, plan, violations, world } = scenario;
  const { startedAt, now: endedAt } = world;
  return { seed: options.seed, steps, counts: plan.counts, violations, startedAt, endedAt };
}

class Scenario {
  readonly violations: string[] = [];
  readonly plan: FaultPlan;
  steps = 0;
  private readonly random: Random;
  readonly world: World;
  readonly accepted = new AcceptedInputs();
  readonly tolerations: Tolerations;
  private readonly stacks: readonly Stack[];
  private readonly invocationInvariants: InvocationInvariants;
  private readonly announced: AnnouncedInvariants;
  private readonly host: FunctionHost;
  private readonly deliveries: Deliveries;
  private readonly deploys: Deploys;
  private readonly activities: Activities;
  private readonly faultsUntil: number;
  /** Writes to Deployments by functions. */
  private writes = 0;
  /** Whether another writer reverts a field, which only many heartbeats show. */
  private readonly contested: boolean;
  private readonly beatMs: number;
  private readonly isAligned: boolean;
  /** Whether windows are edited in the cluster. */
  private readonly isLive: boolean;
  /** Whether headroom is for workloads, and what happens to them. */
  private readonly isLike: boolean;
  private readonly liking: Random;
  /** Only where work takes pause pods in bursts. */
  private readonly bursting: Random;
  private readonly wakeUps: WakeUpInvariants | undefined;

  constructor(private readonly options: ScenarioOptions) {
    const { seed, strategy = REAL_STRATEGY } = options;
    this.random = seededRandom(seedFor(seed, 'world'));
    this.plan = new FaultPlan(seededRandom(seedFor(seed, 'faults')), (kind) => this.trace(() => `[${kind}]`));
    const { random, plan, accepted } = this;
    const startedAt = beginning(random);
    // On whole minutes heartbeats meet the exact ends of holds, overrides and windows.
    this.isAligned = random() < 0.5;
    this.world = new World(this.isAligned ? Math.floor(startedAt / MINUTE) * MINUTE : startedAt);
    const { world } = this;
    world.kubernetesMinor = seededRandom(seedFor(seed, 'version'))() < 0.7 ? 35 : 34;
    this.contested = random() < 0.05;
    this.beatMs = this.contested ? MINUTE / 3 : MINUTE;
    const liveRandom = seededRandom(seedFor(seed, 'live'));
    this.isLive = liveRandom() < 0.4;
    this.liking = seededRandom(seedFor(seed, 'like'));
    this.isLike = this.liking() < 0.4;
    const longer = (this.isLive ? liveRandom() * 3 : 0) + (this.isLike ? 1 + this.liking() * 6 : 0);
    this.faultsUntil =
      world.now + Math.floor((longer + (this.contested ? 4 + random() * 4 : 1.2 + random() * 2)) * MINUTE);
    const announcing = seededRandom(seedFor(seed, 'announced'));
    const isAnnounced = announcing() < 0.4;
    this.stacks = stacksOf(random, { isLive: this.isLive, isAnnounced, isLike: this.isLike });
    const violated = (what: string) => this.violated(what);
    const trace = (line: () => string) => this.trace(line);
    const nodeCounts = new NodeCounts(world);
    const nodeTimes = new NodeTimes(world);
    const refused = new RefusedMessages();
    const like = new LikeInvariants(world);
    const common = {
      world,
      plan,
      random,
      accepted,
      refused,
      nodeCounts,
      nodeTimes,
      like,
      counts: plan.counts,
      violated,
      trace,
    };
    checkWrites(common);
    this.tolerations = new Tolerations(world);
    const bursting = seededRandom(seedFor(seed, 'bursts'));
    this.bursting = bursting;
    const wakes = bursting() < 0.4;
    const events = new EventLog();
    const kube = new KubeWire(world.api, world.kubernetesMinor, world.workloads, wakes ? events : undefined);
    const figures = new LiveFigures(world);
    this.announced = new AnnouncedInvariants(common);
    const live = new LiveInvariants(common);
    this.invocationInvariants = new InvocationInvariants({ ...common, wire: kube, wakes, figures, live });
    const manualEdits = new ManualEdits({
      ...common,
      stackOf: (owner) => this.stacks.find((one) => one.owner === owner)?.name,
    });
    const wire = new FaultyWire({
      ...common,
      wire: kube,
      calls: new CallInvariants(violated),
      kill: (invocation) => this.host.kill(invocation),
      touch: (path) => manualEdits.touch(path),
      isWorkloadForbidden: (one) => this.isForbidden(one, 'workloadForbidden', this.liking, 'workload not readable'),
      isWakeForbidden: (one) => wakes && this.isForbidden(one, 'podsForbidden', bursting, 'pause pods not readable'),
      onPerformed: (invocation, request, response) => {
        this.wakeUps?.performed(invocation, request, response);
        if (!wakes || !request.path.includes('reason%3DWoken') || world.now > this.faultsUntil) return;
        // Somebody takes a headroom over that is about to be woken up.
        const taken = events.of('Preempted').at(-1);
        if (taken && bursting() < 0.5)
          manualEdits.edit('owner removed by hand', deploymentIn(taken.regarding.name).replace(/^headroom-/, ''));
      },
      onCall: (invocation, request, fault) => this.called(invocation, request, fault),
    });
    this.host = new FunctionHost({
      ...common,
      strategy,
      wire,
      wakes,
      onStart: (invocation) => this.started(invocation),
      onEnd: (invocation, ending) => this.ended(invocation, ending),
      onAlarmsRead: () => this.step(),
      onTimeLimit: (invocation) => violated(`${invocation.label} did not answer in its time`),
    });
    this.deliveries = new Deliveries({
      ...common,
      host: this.host,
      onEvent: () => this.step(),
      onHandled: (invocation, handled) => this.invocationInvariants.handled(invocation, handled),
      onAnnounced: (invocation, handled) => this.announced.handled(invocation, handled),
      onAlarm: (invocation, raw) => this.invocationInvariants.alarmHandled(invocation, raw),
    });
    const [deliveries, stacks] = [this.deliveries, this.stacks];
    this.deploys = new Deploys({ ...common, deliveries });
    const operators = new Operators({ ...common, deliveries });
    const until = this.faultsUntil;
    this.activities = new Activities({
      ...common,
      stacks,
      deliveries,
      deploys: this.deploys,
      operators,
      manualEdits,
      until,
      isAligned: this.isAligned,
    });
    startFloorNodes(common);
    startPods(common);
    if (wakes) {
      const pods = new PausePods(world, bursting);
      this.wakeUps = new WakeUpInvariants({ ...common, pods, events });
      startBursts({ ...common, random: bursting, pods, events, until: this.faultsUntil + 2 * MINUTE });
    }
    const [shop] = stacks;
    if (isAnnounced && shop) startAnnouncers({ ...common, random: announcing, stack: shop, deliveries, until });
    if (this.isLike)
      startWorkloadChanges({ ...common, random: this.liking, until, flipAlarm: () => this.activities.flipAlarm() });
    if (this.isLive) startLiveEdits({ ...common, random: liveRandom, until });
    this.world.store.subscribe(DEPLOYMENTS, (change) => {
      if (world.writer instanceof Invocation) this.writes += 1;
      for (const invocation of this.host.running) noteOwned(invocation, change.object);
      options.onWrite?.({ at: world.now, step: this.steps, change, writer: world.writer });
    });
    if (this.contested) startOtherWriter({ ...common, until });
  }

  async run(): Promise<void> {
    this.activities.plan();
    const settleMs = this.isLike ? SHRUNK_MS : this.contested ? CONTESTED_MS : SETTLE_MS;
    const settledAt = this.faultsUntil + settleMs;
    for (const stack of this.stacks) {
      this.deploys.create(stack);
      this.beat(stack, this.world.now + (this.isAligned ? MINUTE : Math.floor(this.random() * MINUTE)));
    }
    await this.runUntil(this.faultsUntil);
    this.trace(() => 'no more faults from here on');
    this.plan.end();
    for (const stack of this.stacks) stack.forgetProcesses();
    await this.runUntil(settledAt);
    for (const stack of this.stacks) await this.checkSettled(stack);
  }

  /** After each final heartbeat every size is right for the heartbeat's time, and soon one writes nothing. */
  private async checkSettled(stack: Stack): Promise<void> {
    for (let beat = 1; beat <= LAST_BEATS; beat += 1) {
      const { writes } = this;
      const last = await this.lastBeat(stack);
      if (!last) return;
      // A clock that is behind counts no more than the heartbeat's own time.
      const now = Math.max(last.startedAt, last.receivedAt ?? 0);
      for (const what of [...settledViolations(stack, this, now), ...this.announced.wrong()]) this.violated(what);
      // A window may just have opened.
      if (beat > 1 && this.writes === writes) return;
      if (beat % 2 === 1) await this.runUntil(this.world.now + LAST_BEATS_APART_MS);
    }
    this.violated(`${stack.name}: heartbeats keep writing`);
  }

  private async lastBeat(stack: Stack): Promise<Invocation | undefined> {
    if (this.violations.length > 0) return undefined;
    let ended: Invocation | undefined;
    const raw = tickEvent(heartbeat, new Date(this.world.now).toISOString());
    this.host.invoke(stack, 'reconcile', raw, (_ending, invocation) => {
      ended = invocation;
    });
    await this.runUntil(this.world.now + MINUTE, () => ended !== undefined);
    return ended;
  }

  /** Advances the clock from one timer to the next, and lets pending promises settle in between. */
  private async runUntil(end: number, isDone: () => boolean = () => false): Promise<void> {
    const { clock } = this.world;
    await this.promisesSettled();
    for (let next = clock.nextAt(); next !== undefined && next <= end && !isDone(); next = clock.nextAt()) {
      clock.advanceTo(next);
      await this.promisesSettled();
      if (this.steps > MAX_STEPS) this.violated(`no end after ${MAX_STEPS} steps`);
      if (this.violations.length > 0) return;
    }
    if (!isDone()) clock.advanceTo(end);
  }

  /** Resolves after all pending promises have settled. */
  private async promisesSettled(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.host.loading.size === 0) return;
    await Promise.allSettled(this.host.loading);
    await this.promisesSettled();
  }

  private beat(stack: Stack, at: number): void {
    // What is gone counts after two minutes of heartbeats, and a burst is answered by one.
    const settling = this.isLike ? SHRUNK_MS : this.isLive || this.wakeUps ? SETTLE_MS : MINUTE;
    if (at > this.faultsUntil + settling - MINUTE) return;
    this.world.clock.at(at, () => {
      const tick = tickEvent(heartbeat, new Date(at).toISOString());
      this.deliveries.sendTick(stack, tick);
      // So close that neither knows what the other one does.
      if (this.wakeUps && this.bursting() < 0.3) {
        this.plan.counts.add('event doubled');
        this.host.invoke(stack, 'reconcile', tick, () => {});
      }
      this.beat(stack, at + this.beatMs);
    });
  }

  private started(invocation: Invocation): void {
    const { counts } = this.plan;
    const stack = this.stacks.find(({ name }) => name === invocation.stack);
    if ([...this.host.running].some((other) => other !== invocation && other.stack === invocation.stack))
      counts.add('functions racing');
    if (stack?.deploying && invocation.config !== stack.config) counts.add('old function beside new ones');
    for (const object of this.world.store.list(DEPLOYMENTS, NAMESPACE)) noteOwned(invocation, object);
    this.invocationInvariants.started(invocation);
    this.announced.started(invocation);
    this.trace(() => `${invocation.label} starts: ${JSON.stringify(invocation.raw).slice(0, 300)}`);
  }

  private ended(invocation: Invocation, ending: Ending): void {
    this.trace(() => `${invocation.label} ${endingText(ending)}`);
    this.wakeUps?.ended(invocation, ending);
    if (ending.kind !== 'killed') this.invocationInvariants.ended(invocation, ending);
    else if (invocation.counting) this.plan.counts.add('process killed while it counts nodes');
  }

  private called(invocation: Invocation, request: KubeRequest, fault: string | undefined): void {
    const { method, path } = request;
    this.step();
    this.wakeUps?.called(invocation, request, fault);
    this.noticeCounting(invocation, method, path);
    this.trace(() => `  ${invocation.label} ${method} ${path.split('?')[0]}${fault ? ` [${fault}]` : ''}`);
  }

  /** Interruptions read NodeClaims to find their instances; all other functions read them to count nodes. */
  private noticeCounting(invocation: Invocation, method: string, path: string): void {
    if (invocation.functionName === 'interruption') return;
    const starts = path.includes('/nodeclaims') && !invocation.counting;
    const [rival] = [...this.host.running].filter((one) => one.counting && one.stack === invocation.stack);
    if (starts && rival) this.plan.counts.add('functions racing for a count of nodes');
    // Its next write contains the count.
    invocation.counting = starts || (invocation.counting && method === 'GET');
  }

  /** Whether somebody has taken the rights for wake-ups, or for workloads, away for the time of this invocation. */
  private isForbidden(
    invocation: Invocation,
    what: 'podsForbidden' | 'workloadForbidden',
    random: Random,
    kind: FaultKind,
  ): boolean {
    if (invocation[what] === undefined) {
      invocation[what] = this.world.now < this.faultsUntil && random() < 0.1;
      if (invocation[what]) this.plan.counts.add(kind);
    }
    return invocation[what];
  }

  private step(): void {
    this.steps += 1;
  }

  private violated(what: string): void {
    this.violations.push(what);
    this.trace(() => `VIOLATED: ${what}`);
  }

  private trace(text: () => string): void {
    this.options.onTrace?.({ at: this.world.now, step: this.steps, text: text() });
  }
}

function noteOwned({ owner, owned }: Invocation, { metadata }: Deployment): void {
  if (metadata.annotations?.[ANNOTATIONS.owner] === owner) owned.add(metadata.name);
}

/** One stack, and sometimes a second one in the same namespace. */
function stacksOf(random: Random, features: StackFeatures): readonly Stack[] {
  const shop = new Stack('shop', '111122223333/ap-northeast-2/demo/headroom/shop', stackConfigs(features));
  if (random() >= 0.4) return [shop];
  return [shop, new Stack('other', '111122223333/ap-northeast-2/demo/headroom/other', secondConfigs())];
}
