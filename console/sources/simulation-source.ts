import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeTransport } from '../../shared/adapters/kube-transport';
import type { Config } from '../../shared/core/config/config';
import { inProcessTransport } from '../../simulator/run/in-process-transport';
import { Session, type SessionOptions } from '../../simulator/run/session';
import type { Command, Snapshot } from '../snapshot/snapshot';
import type { ConsoleSource } from './console-source';
import { simulationSnapshot } from './simulation-snapshot';

const TICK_MS = 40;
/** After a pause of the machine the clock does not try to catch up. */
const MAX_TICK_MS = 250;
/** A jump runs so much of the sandbox's time at once, and then lets others have their turn. */
const JUMP_STEP_MS = 10 * 60_000;
const BY = 'console';

export interface SimulationSourceOptions extends SessionOptions {
  readonly speed: number;
  /** Called with every new session; answers how its handlers reach the API. */
  readonly connect: (session: Session) => Promise<KubeTransport>;
}

/** A session that runs at a chosen speed and takes commands from the page. */
export class SimulationSource implements ConsoleSource {
  configProblems: readonly string[] = [];
  private session: Session;
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
    this.session = new Session(options);
  }

  /** Prepares the first session and lets the clock run until `stop`. */
  async start(): Promise<void> {
    await this.open(this.session);
    this.running = this.keepTime();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  useConfig(config: Config): Promise<void> {
    this.config = config;
    return this.exclusive(async () => this.session.useConfig(config));
  }

  snapshot(): Snapshot {
    const { session, speed, paused, configProblems } = this;
    return simulationSnapshot(session, { speed, paused, configProblems });
  }

  command(command: Command): Promise<Readonly<Record<string, unknown>>> {
    return this.exclusive(() => this.carryOut(command));
  }

  private async carryOut(command: Command): Promise<Readonly<Record<string, unknown>>> {
    const { session } = this;
    switch (command.kind) {
      case 'speed':
        this.speed = command.speed;
        return {};
      case 'pause':
        this.paused = command.paused;
        return {};
      case 'jump':
        return this.jump();
      case 'inflate': {
        const { pool, atLeast, reason } = command;
        return session.host.order({ nodePool: pool, atLeast, for: command.for, reason, by: BY });
      }
      case 'release':
        return session.host.order({ nodePool: command.pool, release: true });
      case 'alarm':
        session.host.setAlarm(command.alarmName, command.firing);
        return {};
      case 'takeNode':
        return this.takeNode(command.node);
      case 'spotStorm':
        return { nodes: session.config.nodePools.reduce((sum, { name }) => sum + session.takeShare(name, 0.5), 0) };
      case 'scenario':
        await this.open(
          new Session({ ...this.options, config: this.config, scenario: command.id, faults: session.faults }),
        );
        return {};
      case 'faults':
        session.faults = command.faults;
        return {};
      case 'act':
        throw new Error('the sandbox acts already: everything here is simulated');
    }
  }

  private jump(): Readonly<Record<string, unknown>> {
    const edge = this.session.host.bus.nextEdge;
    if (!edge) throw new Error('no window edge is ahead: the config has no windows that open again');
    this.jumpingTo = edge.at;
    return { to: edge.at, label: edge.label };
  }

  private takeNode(name: string | undefined): Readonly<Record<string, unknown>> {
    const nodes = this.session.world.spotNodes();
    const node = name === undefined ? nodes[0] : nodes.find((one) => one.node === name);
    if (!node)
      throw new Error(
        name === undefined ? 'there is no spot node to take' : `node ${JSON.stringify(name)} is no ready spot node`,
      );
    this.session.takeNode(node);
    return { node: node.node };
  }

  private async open(session: Session): Promise<void> {
    await session.begin();
    session.transport = await this.options.connect(session);
    this.session = session;
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
    const { session, jumpingTo } = this;
    if (jumpingTo === undefined) return milliseconds > 0 ? session.runUntil(session.now + milliseconds) : undefined;
    // On the way nobody looks at single requests, so they spare themselves the wire.
    const overHttp = session.transport;
    session.transport = inProcessTransport(session.world.cluster.api, () => session.drawFault());
    try {
      await session.runUntil(Math.min(jumpingTo, session.now + JUMP_STEP_MS));
    } finally {
      session.transport = overHttp;
    }
    if (session.now >= jumpingTo) this.jumpingTo = undefined;
  }

  /** One thing at a time: the clock and the commands take turns. */
  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.turn.then(work);
    this.turn = result.catch(() => undefined);
    return result;
  }
}
