import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../shared/core/config/config';
import { inProcessTransport } from '../../simulator/run/in-process-transport';
import { Simulation, type SimulationOptions } from '../../simulator/run/simulation';
import { scenarioOf } from '../../simulator/scenarios/catalogue';
import { PoolHistories } from '../snapshot/pool-histories';
import type { Command, Snapshot } from '../snapshot/snapshot';
import type { ConsoleSource } from './console-source';
import { followHeadroom } from './follow-headroom';
import { orderOf } from './order-of';
import { simulationSnapshot } from './simulation-snapshot';

const TICK_MS = 40;
/** After the machine slept, the clock does not catch up. */
const MAX_TICK_MS = 250;
/** A jump runs this much simulated time at once, and then lets others have their turn. */
const JUMP_STEP_MS = 10 * 60_000;

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
  private stopped = false;
  private turn: Promise<unknown> = Promise.resolve();
  private running: Promise<void> = Promise.resolve();

  constructor(options: SimulationSourceOptions) {
    this.options = options;
    this.config = options.config;
    this.speed = options.speed;
    this.simulation = new Simulation(options);
    this.histories = new PoolHistories(options.config);
  }

  /** Prepares the first simulation and lets the clock run until `stop`. */
  async start(): Promise<void> {
    await this.open(this.simulation);
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
    return simulationSnapshot(simulation, histories, { speed, paused }, configProblems);
  }

  command(command: Command): Promise<Readonly<Record<string, unknown>>> {
    return this.exclusive(() => this.carryOut(command));
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
        return {
          nodes: simulation.config.nodePools.reduce((sum, { name }) => sum + simulation.takeShare(name, 0.5), 0),
        };
      case 'scenario':
        await this.open(
          new Simulation({
            ...this.options,
            config: this.config,
            scenario: scenarioOf(command.id),
            faults: simulation.faults,
          }),
        );
        return {};
      case 'faults':
        simulation.faults = command.faults;
        return {};
      case 'act':
        throw new Error('act is for a real cluster: everything here is simulated');
    }
  }

  private jump(): Readonly<Record<string, unknown>> {
    const edge = this.simulation.host.bus.nextEdge;
    if (!edge) throw new Error('no schedule is ahead: no window of the config opens again');
    this.jumpingTo = edge.at;
    return { to: edge.at, label: edge.label };
  }

  private takeNode(name: string | undefined): Readonly<Record<string, unknown>> {
    const nodes = this.simulation.cluster.spotNodes();
    const node = name === undefined ? nodes[0] : nodes.find((one) => one.node === name);
    if (!node)
      throw new Error(
        name === undefined ? 'no spot node is ready' : `node ${JSON.stringify(name)} is not a ready spot node`,
      );
    this.simulation.takeNode(node);
    return { node: node.node };
  }

  private async open(simulation: Simulation): Promise<void> {
    const histories = new PoolHistories(simulation.config);
    followHeadroom(simulation, histories);
    await simulation.begin();
    await this.options.connect?.(simulation);
    this.simulation = simulation;
    this.histories = histories;
    this.jumpingTo = undefined;
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
      await simulation.runUntil(Math.min(jumpingTo, simulation.now + JUMP_STEP_MS));
    } finally {
      simulation.lane.transport = overHttp;
    }
    if (simulation.now >= jumpingTo) this.jumpingTo = undefined;
  }

  /** One thing at a time: the clock and the commands take turns. */
  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }
}
