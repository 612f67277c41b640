import { setTimeout as sleep } from 'node:timers/promises';
import { headroomName } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { NO_FAULTS } from '../../simulator/bus/faults';
import { DEPLOYMENTS } from '../../simulator/kube/kinds';
import { inProcessTransport } from '../../simulator/run/in-process-transport';
import { Simulation, type SimulationOptions } from '../../simulator/run/simulation';
import { scenarioOf } from '../../simulator/scenarios/scenarios';
import { PoolHistories } from '../snapshot/pool-histories';
import type { Action, Command, Snapshot } from '../snapshot/snapshot';
import { ruleNote } from './common-view';
import type { ConsoleSource } from './console-source';
import { orderOf } from './override-of';
import { simulationSnapshot } from './simulation-snapshot';

const TICK_MS = 40;
/** After the machine slept, the clock does not catch up. */
const MAX_TICK_MS = 250;
/** A jump runs this much simulated time at once, and then lets others have their turn. */
const JUMP_STEP_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
const MAX_REPLAY_MS = 14 * DAY_MS;
/** What changes the run, and belongs to a link that shows it again. */
const ACTIONS: readonly Command['kind'][] = ['inflate', 'release', 'alarm', 'takeNode', 'spotStorm', 'faults'];

export interface SimulationSourceOptions extends SimulationOptions {
  readonly speed: number;
  /** Called with every new simulation once it is warmed up; may give its handlers another way to the API. */
  readonly connect?: (simulation: Simulation) => Promise<void>;
}

/** A simulation that runs at a chosen speed and takes commands from the page. */
export class SimulationSource implements ConsoleSource {
  configProblems: readonly string[] = [];
  private simulation: Simulation;
  private histories: PoolHistories;
  private readonly options: SimulationSourceOptions;
  private config: Config;
  private speed: number;
  private paused = false;
  private jumpingTo: number | undefined;
  private run: { readonly seed: number; readonly start: number };
  private did: Action[] = [];
  /** What is still to be done of a run that is shown again. */
  private script: Action[] = [];
  private stopped = false;
  private turn: Promise<unknown> = Promise.resolve();
  private running: Promise<void> = Promise.resolve();

  constructor(options: SimulationSourceOptions) {
    this.options = options;
    this.config = options.config;
    this.speed = options.speed;
    this.run = { seed: options.seed, start: options.after };
    this.simulation = new Simulation(options);
    this.histories = new PoolHistories(options.config);
  }

  /** Prepares the first simulation and lets the clock run until `stop`. */
  async start(): Promise<void> {
    await this.open(this.simulation, this.run);
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
    });
  }

  snapshot(): Snapshot {
    const { simulation, histories, speed, paused, configProblems } = this;
    const run = { ...this.run, did: this.did };
    return simulationSnapshot(simulation, histories, { speed, paused }, configProblems, run);
  }

  command(command: Command): Promise<Readonly<Record<string, unknown>>> {
    return this.exclusive(async () => {
      if (!ACTIONS.includes(command.kind)) return this.carryOut(command);
      const before = this.did;
      // Noted before its effect can be seen: a link to what is shown must not miss it.
      this.did = [...before, { at: this.simulation.now, command }];
      return this.carryOut(command).catch((error: unknown) => {
        this.did = before;
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
        return simulation.host.order(orderOf(command));
      case 'alarm':
        simulation.host.setAlarm(command.alarmName, command.firing);
        return {};
      case 'takeNode':
        return this.takeNode(command.node);
      case 'spotStorm':
        return this.takeHalf();
      case 'scenario':
        await this.open(
          new Simulation({
            ...this.options,
            config: this.config,
            scenario: scenarioOf(command.id),
            faults: simulation.faults,
          }),
          { seed: this.options.seed, start: this.options.after },
        );
        return {};
      case 'replay':
        return this.replay(command);
      case 'faults':
        simulation.faults = command.faults;
        return {};
      case 'act':
        throw new Error('act is for a real cluster: everything here is simulated');
    }
  }

  private jump(): Readonly<Record<string, unknown>> {
    const { next } = this.snapshot().clock;
    if (!next)
      throw new Error(
        'nothing to jump to: no window opens again, and no override, alarm boost or interruption surge ends',
      );
    this.jumpingTo = next.at;
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
    const taken = config.nodePools.map(({ name }) => ({ name, nodes: this.simulation.takeShare(name, 0.5) }));
    const losing = taken.filter(({ nodes }) => nodes > 0).map(({ name }) => name);
    return { nodes: taken.reduce((sum, { nodes }) => sum + nodes, 0), ...ruleNote(config, losing) };
  }

  /** Runs what somebody saw once more, up to the moment at which they saw it. */
  private async replay(seen: Extract<Command, { kind: 'replay' }>): Promise<Readonly<Record<string, unknown>>> {
    const { seed, at, did = [] } = seen;
    const start = seen.start ?? at - DAY_MS;
    if (at < start || at - start > MAX_REPLAY_MS)
      throw new Error(`at must lie within ${MAX_REPLAY_MS / DAY_MS} days after start`);
    const scenario = scenarioOf(seen.scenario);
    await this.open(
      new Simulation({ ...this.options, config: this.config, scenario, seed, after: start, faults: NO_FAULTS }),
      {
        seed,
        start,
      },
    );
    this.did = [...did];
    this.script = did.filter((deed) => deed.at <= at);
    this.paused = true;
    this.jumpingTo = at;
    return { to: at };
  }

  private async open(simulation: Simulation, run: { readonly seed: number; readonly start: number }): Promise<void> {
    const histories = new PoolHistories(simulation.config);
    followHeadroom(simulation, histories);
    await simulation.begin();
    await this.options.connect?.(simulation);
    this.simulation = simulation;
    this.histories = histories;
    this.jumpingTo = undefined;
    this.run = run;
    this.script = [];
    const faulty = Object.values(simulation.faults).some((share) => share > 0);
    this.did = faulty ? [{ at: simulation.now, command: { kind: 'faults', faults: simulation.faults } }] : [];
  }

  private async keepTime(): Promise<void> {
    let before = performance.now();
    let owed = 0;
    while (!this.stopped) {
      await sleep(this.jumpingTo === undefined ? TICK_MS : 0);
      const now = performance.now();
      owed += Math.min(now - before, MAX_TICK_MS) * (this.paused ? 0 : this.speed);
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
    // Nobody watches single requests during a jump, so they skip HTTP.
    const overHttp = simulation.lane.transport;
    simulation.lane.transport = inProcessTransport(simulation.cluster.engine.api, () => simulation.lane.drawFault());
    try {
      const next = this.script[0]?.at ?? Number.POSITIVE_INFINITY;
      await simulation.runUntil(Math.max(simulation.now, Math.min(jumpingTo, next, simulation.now + JUMP_STEP_MS)));
      while (this.script[0] && this.script[0].at <= simulation.now) await this.repeat(this.script.shift());
    } finally {
      simulation.lane.transport = overHttp;
    }
    if (simulation.now >= jumpingTo) this.jumpingTo = undefined;
  }

  /** What failed then may fail again. */
  private async repeat(deed: Action | undefined): Promise<void> {
    if (deed) await this.carryOut(deed.command).catch(() => undefined);
  }

  /** One thing at a time: the clock and the commands take turns. */
  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }
}

/** Lets histories observe every change of a simulation's headroom. */
function followHeadroom(simulation: Simulation, histories: PoolHistories): void {
  simulation.cluster.engine.store.subscribe(DEPLOYMENTS, ({ type, object }) => {
    const { name, namespace } = object.metadata;
    if (namespace !== simulation.config.cluster.namespace) return;
    const pool = simulation.config.nodePools.find((one) => headroomName(one.name) === name);
    if (pool) histories.observe(pool.name, type === 'DELETED' ? undefined : object, simulation.now);
  });
}
