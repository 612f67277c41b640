import { MessageQueue } from '../../../lab/simulator/bus/message-queue';
import type { FreshAfterIdle } from '../../../shared/adapters/http/fresh-after-idle';
import type { Config } from '../../../shared/core/config/config';
import type { FunctionName } from './invocation';
import type { Agent } from './strategy';

/** A Lambda process that is kept warm between invocations. */
export interface Process {
  readonly config: Config;
  /** By how much its clock is wrong. */
  readonly skewMs: number;
  readonly connections: FreshAfterIdle<Agent>;
  /** The agent that holds its connections now. */
  readonly agent: () => Agent;
}

/** One deployed stack: its functions, each with the config that it was deployed with, and its queue. */
export class Stack {
  readonly queue = new MessageQueue();
  readonly announcements = new MessageQueue();
  /** The config that is deployed, or being deployed. */
  config: Config;
  deploying = false;
  /** When the last successful deploy reconcile started. */
  reconciledAt = 0;
  private readonly deployed = new Map<FunctionName, Config>();
  private idle = new Map<FunctionName, Process[]>();

  constructor(
    readonly name: string,
    readonly owner: string,
    readonly configs: readonly [Config, ...Config[]],
  ) {
    this.config = configs[0];
  }

  configOf(name: FunctionName): Config {
    return this.deployed.get(name) ?? this.config;
  }

  /** Replaces the function's code and config: idle processes end, running invocations finish. */
  update(name: FunctionName, config: Config): void {
    // At the same moment, so that scenarios without announced peaks stay as they are.
    for (const one of name === 'alarm' ? (['alarm', 'announce'] as const) : [name]) {
      this.deployed.set(one, config);
      this.idle.delete(one);
    }
  }

  /** Ends all idle processes; the next invocations start cold. */
  forgetProcesses(): void {
    this.idle = new Map();
  }

  takeIdle(name: FunctionName): Process | undefined {
    return this.idle.get(name)?.pop();
  }

  giveBack(name: FunctionName, process: Process): void {
    if (process.config !== this.configOf(name)) return;
    this.idle.set(name, [...(this.idle.get(name) ?? []), process]);
  }
}
