import type { Config } from '../../../shared/core/config/config';
import type { QueueMessage } from '../../../shared/core/events/deliveries';
import { ASYNC_RETRIES, EVENT_QUEUE, TICK_RETRIES } from '../../../shared/core/events/delivery-limits';
import { deploy, heartbeat, tickEvent, windowEdge } from '../../../shared/core/events/heartbeat-and-edges';
import type { BatchResponse } from '../../../shared/core/respond';
import { compileSchedules, heartbeatExpression } from '../../../shared/core/schedules/schedules';
import type { Random } from '../deterministic/seeded-random';
import { TimerQueue } from '../deterministic/timer-queue';
import { type AlarmChange, alarmStateChangeEvent, type Origin } from './aws-events';
import { arrivals, type Faults, NO_FAULTS } from './faults';
import { MessageQueue } from './message-queue';
import { type Firing, readExpression } from './scheduler-expression';

/** More than fit in any stack. */
const MAX_SCHEDULES = 1_000;

/** Lambda retries an asynchronous event after one minute, and then after two. */
const LAMBDA_WAITS_MS = [60_000, 120_000];
const BATCHING_MS = EVENT_QUEUE.batchingSeconds * 1_000;
/** EventBridge Scheduler is precise to a minute; most invocations come within seconds. */
const SCHEDULER_LATENESS_MS = 60_000;

export type Invoke = (raw: unknown, trigger: string) => Promise<unknown>;

export interface BusOptions {
  readonly origin: Origin;
  readonly random: Random;
  readonly invoke: Invoke;
  /** Whether schedules fire up to a minute late, as the real ones do. */
  readonly lateSchedules?: boolean;
}

interface Delivery {
  readonly raw: unknown;
  readonly trigger: string;
  readonly failures: number;
  /** How many failures are retried. */
  readonly retries: number;
}

interface Due {
  readonly schedule: Schedule;
  readonly at: number;
}

/**
 * EventBridge, its Scheduler, Lambda's asynchronous invocation and SQS, on one virtual clock.
 * It knows what AWS sends and when, but not what the handlers do with it.
 */
export class EventBus {
  faults: Faults = NO_FAULTS;
  private readonly schedules = new TimerQueue<Due>();
  private readonly deliveries = new TimerQueue<Delivery>();
  private readonly queue = new MessageQueue();
  private givenUp = 0;

  constructor(private readonly options: BusOptions) {}

  /** Events and notices that failed too often. */
  get deadLetters(): number {
    return this.givenUp + this.queue.deadLetters.length;
  }

  get nextAt(): number | undefined {
    const times = [this.schedules.nextAt, this.deliveries.nextAt, this.queue.nextAt];
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }

  /** Simulates a deploy: replaces the schedules with those of this config, and triggers one reconcile. */
  deploy(config: Config, now: number): void {
    this.schedules.clear();
    for (const schedule of schedulesOf(config, now)) this.arm(schedule, now - 1);
    const raw = tickEvent(deploy, new Date(now).toISOString());
    this.deliveries.add(now, { raw, trigger: 'deploy', failures: 0, retries: TICK_RETRIES });
  }

  sendAlarm(change: AlarmChange): void {
    const raw = alarmStateChangeEvent(this.options.origin, change);
    this.send(raw, `alarm ${change.alarmName}: ${change.state}`, change.at, ASYNC_RETRIES);
  }

  /** Queues an interruption notice, which waits for its batch. */
  sendNotice(raw: unknown, now: number): void {
    const body = JSON.stringify(raw);
    for (const at of arrivals(this.faults, this.options.random, now)) this.queue.send(body, at + BATCHING_MS);
  }

  /** Delivers everything that is due, including what follows from it at the same instant. */
  async runDue(now: number): Promise<void> {
    for (;;) {
      for (const due of this.schedules.takeDue(now)) this.fire(due);
      const deliveries = this.deliveries.takeDue(now);
      const batch = this.queue.receive(now);
      if (deliveries.length === 0 && batch.length === 0) return;
      await Promise.all([...deliveries.map((one) => this.deliver(one, now)), this.deliverBatch(batch)]);
    }
  }

  private arm(schedule: Schedule, after: number): void {
    const at = schedule.next(after);
    if (at !== undefined) this.schedules.add(at, { schedule, at });
  }

  private fire({ schedule, at }: Due): void {
    const late = this.options.lateSchedules ? Math.floor(this.options.random() ** 3 * SCHEDULER_LATENESS_MS) : 0;
    this.send(schedule.event(at), schedule.trigger, at + late, TICK_RETRIES);
    this.arm(schedule, at);
  }

  private send(raw: unknown, trigger: string, at: number, retries: number): void {
    for (const arrival of arrivals(this.faults, this.options.random, at))
      this.deliveries.add(arrival, { raw, trigger, failures: 0, retries });
  }

  private async deliver(delivery: Delivery, now: number): Promise<void> {
    const { failures, retries } = delivery;
    try {
      await this.options.invoke(delivery.raw, delivery.trigger);
    } catch {
      // The handler has logged the error; retry as Lambda does.
      const wait = failures < retries ? LAMBDA_WAITS_MS[failures] : undefined;
      if (wait !== undefined) this.deliveries.add(now + wait, { ...delivery, failures: failures + 1 });
      else if (retries > 0) this.givenUp += 1;
    }
  }

  private async deliverBatch(batch: readonly QueueMessage[]): Promise<void> {
    if (batch.length === 0) return;
    const all = new Set(batch.map(({ messageId }) => messageId));
    const trigger = batch.length === 1 ? 'spot notice' : `${batch.length} spot notices`;
    const failed = await this.options.invoke({ Records: batch }, trigger).then(
      (answer) => new Set((answer as BatchResponse).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)),
      () => all,
    );
    this.queue.settle(batch, failed);
  }
}

/** One schedule of EventBridge Scheduler: when it is due, and the event that it sends. */
interface Schedule extends Firing {
  /** The console's label for a window edge; absent for the heartbeat. */
  readonly label?: string;
  readonly trigger: string;
  event(due: number): unknown;
}

/** The schedules that a deploy of the config creates: window edges and the heartbeat. */
function schedulesOf(config: Config, now: number): readonly Schedule[] {
  const { schedules } = compileSchedules(config, { now, max: MAX_SCHEDULES });
  const edges = schedules.map(({ name, expression, timezone, description }) => ({
    ...readExpression(expression, timezone),
    label: description,
    trigger: `schedule ${description}`,
    event: (due: number) => tickEvent(windowEdge, scheduledTime(due), { schedule: name }),
  }));
  const beat = {
    ...readExpression(heartbeatExpression(config), 'UTC', now),
    trigger: 'heartbeat',
    event: (due: number) => tickEvent(heartbeat, scheduledTime(due)),
  };
  return [...edges, beat];
}

function scheduledTime(due: number): string {
  return `${new Date(due).toISOString().slice(0, 19)}Z`;
}
