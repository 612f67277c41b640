import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../../shared/core/config/config';
import { NO_FAULTS } from '../../simulator/bus/faults';
import { inProcessTransport } from '../../simulator/run/in-process-transport';
import { type SideBySide, sideBySide } from '../../simulator/run/side-by-side';
import { Simulation, type SimulationOptions } from '../../simulator/run/simulation';
import { scenarioOf } from '../../simulator/scenarios/scenarios';
import { type Action, type Command, isAction } from '../snapshot/page-command';
import { PoolHistories } from '../snapshot/pool-histories';
import type { PeakView, Snapshot } from '../snapshot/snapshot';
import type { ConsoleSource } from './console-source';
import { followSimulation } from './follow-simulation';
import { overrideOf, ruleNote } from './page-commands';
import { peakView } from './peak-view';
import { simulationSnapshot } from './simulation-snapshot';

const TICK_MS = 40;
/** The clock does not catch up after the machine slept. */
const MAX_TICK_MS = 250;
/** The simulated time that a jump runs before it yields to other commands. */
const JUMP_STEP_MS = 10 * 60_000;
const READY_STEP_MS = 2_000;
const LOOKS_FOR_MS = 10 * 60_000;
/** The last pods of the first minutes have a node by then, or never get one. */
const SETTLED_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MAX_REPLAY_MS = 14 * DAY_MS;

export interface SimulationSourceOptions extends SimulationOptions {
  readonly speed: number;
  /** Called with every new simulation once it is warmed up; may replace the transport of its handlers. */
  readonly connect?: (simulation: Simulation) => Promise<void>;
}

export class SimulationSource implements ConsoleSource {
  configProblems: readonly string[] = [];
  /** Said first of what is simulated: that the config is a demo. */
  notes: readonly string[] = [];
  /** Set by `start`. */
  private simulation!: Simulation;
  private histories!: PoolHistories;
  private peak: SideBySide | undefined;
  private settled: PeakView | undefined;
  private readonly options: SimulationSourceOptions;
  private config: Config;
  private speed: number;
  private paused = false;
  /** Until somebody looks, there is nothing to miss. */
  private unseen = true;
  private jumpingTo: number | undefined;
  /** Until then a jump also stops where nodes that start are ready, which nobody knows ahead. */
  private looksUntil = 0;
  private run!: { readonly seed: number; readonly start: number };
  private actions: Action[] = [];
  /** The remaining actions of a replay. */
  private script: Action[] = [];
  private stopped = false;
  private turn: Promise<unknown> = Promise.resolve();
  private running: Promise<void> = Promise.resolve();

  constructor(options: SimulationSourceOptions) {
    this.options = options;
    this.config = options.config;
    this.speed = options.speed;
  }

  /** Prepares the first simulation and lets the clock run until `stop`. */
  async start(): Promise<void> {
    await this.open({});
    this.running = this.keepTime();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  useConfig(config: Config): Promise<void> {
    this.config = config;
    return this.exclusive(async () => {
      this.histories.useConfig(config);
      this.simulation.useConfig(config);
      if (config.headrooms.some(({ name }) => name === this.peak?.pool.name)) return;
      this.peak = undefined;
      this.settled = undefined;
    });
  }

  /** Begins the scenario anew with another config, of which the cluster so far knows nothing. */
  restart(config: Config): Promise<void> {
    this.config = config;
    const { scenario, faults } = this.simulation;
    return this.exclusive(() => this.open({ scenario, faults }));
  }

  /** Starts the clock when somebody looks for the first time. */
  viewed(): void {
    this.unseen = false;
  }

  get isJumping(): boolean {
    return this.jumpingTo !== undefined;
  }

  snapshot(): Snapshot {
    const { simulation, histories, speed, paused, configProblems, peak } = this;
    const run = { ...this.run, actions: this.actions };
    const pace = { speed, paused, ...(this.unseen && { unseen: true as const }) };
    const seen = simulationSnapshot(simulation, histories, pace, configProblems, run);
    const simulated = [...this.notes, ...seen.simulated];
    const view = this.settled ?? (peak && peakView(peak, simulation, histories));
    // Later nothing of it changes.
    if (peak && simulation.now > peak.to + SETTLED_MS) this.settled = view;
    return { ...seen, simulated, ...(view && { peak: view }) };
  }

  command(command: Command): Promise<Readonly<Record<string, unknown>>> {
    return this.exclusive(async () => {
      if (!isAction(command)) return this.carryOut(command);
      const before = this.actions;
      // Recorded before it takes effect, so that no link can miss it.
      this.actions = [...before, { at: this.simulation.now, command }];
      return this.carryOut(command).catch((error: unknown) => {
        this.actions = before;
        throw error;
      });
    });
  }

  private async carryOut(command: Command): Promise<Readonly<Record<string, unknown>>> {
    const { simulation } = this;
    switch (command.kind) {
      case 'speed':
        this.speed = command.speed;
        return {};
      case 'pause':
        this.paused = command.paused;
        return {};
      case 'jump':
        return this.jump();
      case 'inflate':
      case 'release':
        return simulation.host.override(overrideOf(command));
      case 'alarm':
        simulation.host.setAlarm(command.alarmName, command.firing);
        return {};
      case 'takeNode':
        return this.takeNode(command.node);
      case 'spotStorm':
        return this.takeHalf();
      case 'scenario':
        await this.open({ scenario: scenarioOf(command.id), faults: simulation.faults });
        this.paused = false;
        return {};
      case 'replay':
        return this.replay(command);
      case 'faults':
        simulation.faults = command.faults;
        return {};
    }
  }

  private jump(): Readonly<Record<string, unknown>> {
    const moments = [this.snapshot().clock.next, this.simulation.nextMoment];
    const [next] = moments.filter((one) => one !== undefined).sort((a, b) => a.at - b.at);
    if (!next)
      throw new Error(
        'nothing to jump to: no window opens again, and no override, alarm boost or interruption surge ends',
      );
    this.jumpingTo = next.at;
    this.looksUntil = this.simulation.now + LOOKS_FOR_MS;
    return { to: next.at, label: next.label };
  }

  private takeNode(name: string | undefined): Readonly<Record<string, unknown>> {
    const nodes = this.simulation.cluster.spotNodes();
    const node = name === undefined ? nodes[0] : nodes.find((one) => one.node === name);
    if (!node)
      throw new Error(
        name === undefined ? 'no spot node is ready' : `node ${JSON.stringify(name)} is not a ready spot node`,
      );
    this.simulation.takeNode(node);
    return { node: node.node, ...ruleNote(this.simulation.config, [node.nodePool]) };
  }

  private takeHalf(): Readonly<Record<string, unknown>> {
    const { config } = this.simulation;
    const nodePools = [...new Set(config.headrooms.map(({ nodePool }) => nodePool))];
    const taken = nodePools.map((nodePool) => ({ nodePool, nodes: this.simulation.takeShare(nodePool, 0.5) }));
    const losing = taken.filter(({ nodes }) => nodes > 0).map(({ nodePool }) => nodePool);
    return { nodes: taken.reduce((sum, { nodes }) => sum + nodes, 0), ...ruleNote(config, losing) };
  }

  private async replay(seen: Extract<Command, { kind: 'replay' }>): Promise<Readonly<Record<string, unknown>>> {
    const { seed, at, actions = [] } = seen;
    const start = seen.start ?? at - DAY_MS;
    if (at < start || at - start > MAX_REPLAY_MS)
      throw new Error(`at must lie within ${MAX_REPLAY_MS / DAY_MS} days after start`);
    await this.open({ scenario: scenarioOf(seen.scenario), seed, after: start, faults: NO_FAULTS });
    this.actions = [...actions];
    this.script = actions.filter((action) => action.at <= at);
    this.paused = true;
    this.jumpingTo = at;
    this.looksUntil = 0;
    return { to: at };
  }

  private async open(changed: Partial<SimulationOptions>): Promise<void> {
    const options = { ...this.options, config: this.config, ...changed };
    const simulation = new Simulation(options);
    const histories = new PoolHistories(simulation.config);
    followSimulation(simulation, histories);
    const peak = sideBySide(simulation);
    await simulation.begin();
    await this.options.connect?.(simulation);
    this.simulation = simulation;
    this.histories = histories;
    this.peak = peak;
    this.settled = undefined;
    this.jumpingTo = undefined;
    this.run = { seed: options.seed, start: options.after };
    this.script = [];
    const faulty = Object.values(simulation.faults).some((share) => share > 0);
    this.actions = faulty ? [{ at: simulation.now, command: { kind: 'faults', faults: simulation.faults } }] : [];
  }

  private async keepTime(): Promise<void> {
    let before = performance.now();
    let owed = 0;
    while (!this.stopped) {
      await sleep(this.jumpingTo === undefined ? TICK_MS : 0);
      const now = performance.now();
      owed += Math.min(now - before, MAX_TICK_MS) * (this.paused || this.unseen ? 0 : this.speed);
      before = now;
      const whole = Math.floor(owed);
      owed -= whole;
      await this.exclusive(() => this.pass(whole));
    }
  }

  private async pass(milliseconds: number): Promise<void> {
    const { simulation, jumpingTo } = this;
    if (jumpingTo === undefined)
      return milliseconds > 0 ? simulation.runUntil(simulation.now + milliseconds) : undefined;
    // Single requests cannot be observed during a jump, so skip HTTP.
    const overHttp = simulation.underTest.transport;
    simulation.underTest.transport = inProcessTransport(simulation.cluster.engine.api, () =>
      simulation.underTest.drawFault(),
    );
    const looks = simulation.now < this.looksUntil;
    const starting = looks ? startingHeadrooms(simulation) : [];
    const step = looks ? READY_STEP_MS : JUMP_STEP_MS;
    try {
      const next = this.script[0]?.at ?? Number.POSITIVE_INFINITY;
      await simulation.runUntil(Math.max(simulation.now, Math.min(jumpingTo, next, simulation.now + step)));
      while (this.script[0] && this.script[0].at <= simulation.now) await this.repeat(this.script.shift());
    } finally {
      simulation.underTest.transport = overHttp;
    }
    const still = startingHeadrooms(simulation);
    const gotReady = starting.some((name) => !still.includes(name));
    if (simulation.now >= jumpingTo || gotReady) this.jumpingTo = undefined;
  }

  /** An action that failed in the original run may fail again. */
  private async repeat(action: Action | undefined): Promise<void> {
    if (action) await this.carryOut(action.command).catch(() => undefined);
  }

  /** Runs one task at a time, so that the clock and commands do not interleave. */
  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }
}

/** Headrooms that wait for their nodes. */
function startingHeadrooms(simulation: Simulation): readonly string[] {
  return simulation.headrooms().flatMap(({ name, wanted, ready }) => (ready < wanted ? [name] : []));
}
