import type { KubeRequest } from '../../shared/adapters/kube/send';
import { heartbeat, tickEvent } from '../../shared/core/events/ticks';
import { type Random, seededRandom, seedFor } from '../deterministic/seeded-random';
import { DEPLOYMENTS } from '../kube/kinds';
import type { Change } from '../kube/object-store';
import type { Deployment } from '../kube/objects';
import { Activities } from './activities';
import { Deliveries } from './deliveries';
import { Deploys } from './deploys';
import type { FaultCounts } from './fault-kinds';
import { FaultPlan } from './fault-plan';
import { FaultyWire } from './faulty-wire';
import { startFloorNodes } from './floor-nodes';
import { FunctionHost } from './function-host';
import { Hands } from './hands';
import type { Ending, Invocation } from './invocation';
import { KubeWire } from './kube-wire';
import { Ledger } from './ledger';
import { NodeCounts } from './node-counts';
import { startOtherWriter } from './other-writer';
import { People } from './people';
import { Referee, shownEnding } from './referee';
import { unsettled } from './settled';
import { Stack } from './stack';
import { stackConfigs } from './stack-configs';
import { Tolerations } from './tolerations';
import { watchWrites } from './watch-writes';
import { REAL_WAY, type WayThrough } from './way-through';
import { World, type Writer } from './world';
import { NodeTimes } from './written-openings';

const MINUTE = 60_000;
const EPOCH = Date.parse('2026-11-16T00:00:00Z');
const WEEK = 7 * 86_400_000;
/** Longer than anything that is still on its way needs to arrive, and than clocks were wrong. */
const SETTLE_MS = 5 * MINUTE;
/** A contested field is left alone for ten minutes. */
const CONTESTED_MS = 12 * MINUTE;
/** So many heartbeats are enough for one that writes nothing. */
const LAST_BEATS = 4;
/** No scenario is meant to get here: something goes round in circles. */
const MAX_STEPS = 20_000;

export interface ScenarioOptions {
  readonly seed: number;
  /** @default the real code */
  readonly way?: WayThrough;
  /** Hears of everything that happens, for a replay. */
  readonly trace?: (line: string, at: number) => void;
  /** Hears of every write to a headroom's Deployment, and who made it. */
  readonly onWrite?: (change: Change<Deployment>, writer: Writer, at: number) => void;
}

export interface ScenarioResult {
  readonly seed: number;
  /** Calls that the code made, and events that were delivered. */
  readonly steps: number;
  readonly counts: FaultCounts;
  /** What must never be; the scenario ends with the first. */
  readonly violations: readonly string[];
  readonly startedAt: number;
  readonly endedAt: number;
}

/** One short run of everything at once: faults for some minutes, then none, then the invariants. */
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
  readonly ledger = new Ledger();
  readonly tolerations: Tolerations;
  private readonly stacks: readonly Stack[];
  private readonly referee: Referee;
  private readonly host: FunctionHost;
  private readonly deliveries: Deliveries;
  private readonly deploys: Deploys;
  private readonly activities: Activities;
  private readonly faultsUntil: number;
  /** To Deployments; nodes come and go by themselves. */
  private writes = 0;
  /** Whether somebody else sets a field back. */
  private readonly contested: boolean;

  constructor(private readonly options: ScenarioOptions) {
    const { seed, way = REAL_WAY } = options;
    this.random = seededRandom(seedFor(seed, 'world'));
    this.plan = new FaultPlan(seededRandom(seedFor(seed, 'faults')), (kind) => this.trace(() => `[${kind}]`));
    const { random, plan, ledger } = this;
    this.world = new World(EPOCH + Math.floor(random() * WEEK));
    const { world } = this;
    this.faultsUntil = world.now + Math.floor((4 + random() * 8) * MINUTE);
    this.stacks = stacksOf(random);
    const violated = (what: string) => void this.violations.push(what);
    const trace = (line: () => string) => this.trace(line);
    const nodeCounts = new NodeCounts(world);
    const nodeTimes = new NodeTimes(world);
    const common = { world, plan, random, ledger, nodeCounts, nodeTimes, counts: plan.counts, violated, trace };
    watchWrites(common);
    this.tolerations = new Tolerations(world);
    const kube = new KubeWire(world.api);
    this.referee = new Referee({ ...common, wire: kube });
    const hands = new Hands({ ...common, stackOf: (owner) => this.stacks.find((one) => one.owner === owner)?.name });
    const wire = new FaultyWire({
      ...common,
      wire: kube,
      kill: (invocation) => this.host.kill(invocation),
      touch: (path) => hands.touch(path),
      onCall: (invocation, request, fault) => this.called(invocation, request, fault),
    });
    this.host = new FunctionHost({
      ...common,
      way,
      wire,
      onStart: (invocation) => this.started(invocation),
      onEnd: (invocation, ending) => this.ended(invocation, ending),
      onAlarmsRead: () => this.step(),
      onTimeLimit: (invocation) => violated(`${invocation.label} did not answer in its time`),
    });
    this.deliveries = new Deliveries({
      ...common,
      host: this.host,
      onEvent: () => this.step(),
      onHandled: (invocation, handled) => this.referee.handled(invocation, handled),
      onAlarm: (invocation, raw) => this.referee.alarmTaken(invocation, raw),
    });
    const [deliveries, stacks] = [this.deliveries, this.stacks];
    this.deploys = new Deploys({ ...common, deliveries });
    const people = new People({ ...common, deliveries });
    const until = this.faultsUntil;
    this.activities = new Activities({ ...common, stacks, deliveries, deploys: this.deploys, people, hands, until });
    startFloorNodes(common);
    this.world.store.subscribe(DEPLOYMENTS, (change) => {
      this.writes += 1;
      options.onWrite?.(change, world.writer, world.now);
    });
    this.contested = random() < 0.2;
    if (this.contested) startOtherWriter({ ...common, until });
  }

  async run(): Promise<void> {
    this.activities.plan();
    const settledAt = this.faultsUntil + (this.contested ? CONTESTED_MS : SETTLE_MS);
    for (const stack of this.stacks) {
      this.deploys.create(stack);
      this.beat(stack, this.world.now + Math.floor(this.random() * MINUTE), settledAt);
    }
    await this.runUntil(this.faultsUntil);
    this.trace(() => 'nothing goes wrong from here on');
    this.plan.end();
    for (const stack of this.stacks) stack.forgetProcesses();
    await this.runUntil(settledAt);
    for (const stack of this.stacks) await this.checkSettled(stack);
  }

  /** Each heartbeat more leaves everything at its size by its own time, and soon one has nothing to write. */
  private async checkSettled(stack: Stack): Promise<void> {
    for (let beat = 1; beat <= LAST_BEATS; beat += 1) {
      const { writes } = this;
      const last = await this.lastBeat(stack);
      if (!last) return;
      // A clock that is behind counts no more than the heartbeat's own time.
      const now = Math.max(last.startedAt, last.receivedAt ?? 0);
      this.violations.push(...unsettled(stack, this, now));
      // A window may just have opened.
      if (beat > 1 && this.writes === writes) return;
    }
    this.violations.push(`${stack.name}: heartbeats go on writing`);
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

  /** Moves the clock from one thing to the next, and lets everybody who waits for it go on. */
  private async runUntil(end: number, isDone: () => boolean = () => false): Promise<void> {
    const { clock } = this.world;
    await waitersGoOn();
    for (let next = clock.nextAt(); next !== undefined && next <= end && !isDone(); next = clock.nextAt()) {
      clock.advanceTo(next);
      await waitersGoOn();
      if (this.steps > MAX_STEPS) this.violations.push('there is no end to it');
      if (this.violations.length > 0) return;
    }
    if (!isDone()) clock.advanceTo(end);
  }

  private beat(stack: Stack, at: number, until: number): void {
    if (at > until) return;
    this.world.clock.at(at, () => {
      this.deliveries.sendTick(stack, tickEvent(heartbeat, new Date(at).toISOString()));
      this.beat(stack, at + MINUTE, until);
    });
  }

  private started(invocation: Invocation): void {
    const { counts } = this.plan;
    const stack = this.stacks.find(({ name }) => name === invocation.stack);
    if ([...this.host.running].some((other) => other !== invocation && other.stack === invocation.stack))
      counts.add('functions racing');
    if (stack?.deploying && invocation.config !== stack.config) counts.add('old function beside new ones');
    this.referee.started(invocation);
    this.trace(() => `${invocation.label} starts: ${JSON.stringify(invocation.raw).slice(0, 300)}`);
  }

  private ended(invocation: Invocation, ending: Ending): void {
    this.trace(() => `${invocation.label} ${shownEnding(ending)}`);
    if (ending.kind !== 'killed') this.referee.ended(invocation, ending);
    else if (invocation.counting) this.plan.counts.add('process killed while it counts nodes');
  }

  private called(invocation: Invocation, { method, path }: KubeRequest, fault: string | undefined): void {
    this.step();
    this.noticeCounting(invocation, method, path);
    this.trace(() => `  ${invocation.label} ${method} ${path.split('?')[0]}${fault ? ` [${fault}]` : ''}`);
  }

  /** Interruptions look for their instances among the NodeClaims, and all others only count them. */
  private noticeCounting(invocation: Invocation, method: string, path: string): void {
    if (invocation.functionName === 'interruption') return;
    const starts = path.includes('/nodeclaims') && !invocation.counting;
    const [rival] = [...this.host.running].filter((one) => one.counting && one.stack === invocation.stack);
    if (starts && rival) this.plan.counts.add('functions racing for a count of nodes');
    // What it writes next carries the count.
    invocation.counting = starts || (invocation.counting && method === 'GET');
  }

  private step(): void {
    this.steps += 1;
  }

  private trace(line: () => string): void {
    const { now } = this.world;
    this.options.trace?.(`${new Date(now).toISOString().slice(11, 23)} ${this.steps} ${line()}`, now);
  }
}

/** One stack, and at times a second one that somebody has put into the same namespace. */
function stacksOf(random: Random): readonly Stack[] {
  const { first, second } = stackConfigs();
  const shop = new Stack('shop', '111122223333/ap-northeast-2/demo/headroom/shop', first);
  if (random() >= 0.4) return [shop];
  return [shop, new Stack('other', '111122223333/ap-northeast-2/demo/headroom/other', second)];
}

/** Promises are done with before the event loop comes to this. */
function waitersGoOn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
