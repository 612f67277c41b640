import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import type { Config } from '../../../shared/core/config/config';
import { deploy, tickEvent } from '../../../shared/core/events/heartbeat-and-edges';
import type { Deliveries } from '../environment/deliveries';
import type { FaultCounts } from '../environment/fault-kinds';
import { FUNCTION_TIMEOUT_MS, type FunctionName } from '../environment/invocation';
import type { Stack } from '../environment/stack';
import type { World } from '../environment/world';

/** `announce` is updated together with `alarm`. */
const FUNCTIONS = (Object.keys(FUNCTION_TIMEOUT_MS) as readonly FunctionName[]).filter((name) => name !== 'announce');
const MAX_TRIES = 6;
const RETRY_MS = 5_000;

export interface DeploysOptions {
  readonly world: World;
  readonly deliveries: Deliveries;
  readonly counts: FaultCounts;
  readonly random: Random;
  readonly trace: (line: () => string) => void;
}

/** CloudFormation: updates one function after another, runs the deploy's reconcile last, and rolls back on failure. */
export class Deploys {
  constructor(private readonly options: DeploysOptions) {}

  /** The first deploy of a stack. */
  create(stack: Stack): void {
    stack.deploying = true;
    this.reconcile(stack, Number.POSITIVE_INFINITY, () => {});
  }

  /** Replaces the config of a stack that is not being deployed already. */
  update(stack: Stack, config: Config): void {
    const { counts, random, trace } = this.options;
    if (stack.deploying || config === stack.config) return;
    const before = stack.config;
    const failsEarly = random() < 0.5;
    counts.add('deploy');
    stack.deploying = true;
    stack.config = config;
    trace(() => `deploy ${stack.name}: ${config.headrooms.map(({ name }) => name).join(', ')}`);
    this.updateFunctions(stack, config, failsEarly ? 2 : FUNCTIONS.length, () => {
      if (failsEarly) this.rollBack(stack, before, () => this.done(stack));
      else
        this.reconcile(stack, MAX_TRIES, () =>
          this.rollBack(stack, before, () => this.reconcile(stack, Number.POSITIVE_INFINITY, () => {})),
        );
    });
  }

  private rollBack(stack: Stack, config: Config, then: () => void): void {
    this.options.counts.add('deploy rolled back');
    this.options.trace(() => `deploy of ${stack.name} is rolled back`);
    stack.config = config;
    this.updateFunctions(stack, config, FUNCTIONS.length, then);
  }

  /** In random order, seconds apart, so that old and new functions run side by side. */
  private updateFunctions(stack: Stack, config: Config, count: number, then: () => void): void {
    const { world, random } = this.options;
    const order = [...FUNCTIONS].sort(() => random() - 0.5).slice(0, count);
    let delay = 0;
    for (const name of order) {
      delay += Math.floor(random() * 12_000);
      world.clock.after(delay, () => stack.update(name, config));
    }
    world.clock.after(delay + Math.floor(random() * 3_000), then);
  }

  private reconcile(stack: Stack, triesLeft: number, giveUp: () => void): void {
    const { world, deliveries } = this.options;
    const raw = tickEvent(deploy, new Date(world.now).toISOString());
    deliveries.deploy(stack, raw, ({ kind }, { startedAt }) => {
      if (kind === 'answered') {
        stack.reconciledAt = startedAt;
        this.done(stack);
      } else if (triesLeft <= 1) giveUp();
      else world.clock.after(RETRY_MS, () => this.reconcile(stack, triesLeft - 1, giveUp));
    });
  }

  private done(stack: Stack): void {
    stack.deploying = false;
    this.options.trace(() => `deploy of ${stack.name} is done`);
  }
}
