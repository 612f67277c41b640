import type { MessageQueue } from '../../../lab/simulator/bus/message-queue';
import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import type { QueueMessage } from '../../../shared/core/events/deliveries';
import { ASYNC_RETRIES } from '../../../shared/core/events/delivery-limits';
import type { FaultPlan } from './fault-plan';
import type { FunctionHost } from './function-host';
import type { Caller, Ending, FunctionName, Invocation } from './invocation';
import type { Stack } from './stack';
import type { World } from './world';

const MINUTE = 60_000;
/** Lambda waits a minute before it tries an asynchronous event again, and two before it tries once more. */
const RETRY_AFTER_MS = [MINUTE, 2 * MINUTE].slice(0, ASYNC_RETRIES);
/** The longest delay of a late event. */
const LATEST_MS = 90_000;

export interface DeliveriesOptions {
  readonly world: World;
  readonly plan: FaultPlan;
  readonly random: Random;
  readonly host: FunctionHost;
  /** An event reaches its function. */
  readonly onEvent: (stack: Stack, raw: unknown) => void;
  /** Messages of a batch were deleted from the queue. */
  readonly onHandled: (invocation: Invocation, handled: readonly QueueMessage[]) => void;
  /** The same for messages about announced peaks. */
  readonly onAnnounced: (invocation: Invocation, handled: readonly QueueMessage[]) => void;
  /** An alarm's state change was handled. */
  readonly onAlarm: (invocation: Invocation, raw: unknown) => void;
}

/** EventBridge, its Scheduler, Lambda's asynchronous invocation and SQS: delivery may repeat, reorder, delay or lose events. */
export class Deliveries {
  private readonly newest = new Map<string, number>();
  private readonly polls = new Map<MessageQueue, number>();

  constructor(private readonly options: DeliveriesOptions) {}

  /** Heartbeats and window edges; not retried, because the next heartbeat does the same. */
  sendTick(stack: Stack, raw: unknown): void {
    this.arrive(stack, () => this.invoke(stack, 'reconcile', raw, () => {}));
  }

  sendAlarm(stack: Stack, raw: unknown): void {
    this.arrive(stack, () => this.deliverAlarm(stack, raw, 0));
  }

  /** A notice waits in the queue for its batch. */
  sendNotice(stack: Stack, raw: unknown): void {
    this.sendMessage(stack, JSON.stringify(raw));
  }

  sendMessage(stack: Stack, body: string): void {
    this.enqueue(stack, 'interruption', body);
  }

  /** A message about an announced peak. */
  announce(stack: Stack, body: string): void {
    this.enqueue(stack, 'announce', body);
  }

  private enqueue(stack: Stack, name: Queued, body: string): void {
    this.arrive(stack, () => {
      queueOf(stack, name).send(body, this.options.world.now + 1_000);
      this.poll(stack, name);
    });
  }

  /** Synchronous: the operator waits for the answer. */
  override(stack: Stack, raw: unknown, caller: Caller): void {
    this.invoke(stack, 'inflate', raw, caller);
  }

  /** Synchronous: CloudFormation waits for the answer. */
  deploy(stack: Stack, raw: unknown, caller: Caller): void {
    this.invoke(stack, 'reconcile', raw, caller);
  }

  private deliverAlarm(stack: Stack, raw: unknown, failures: number): void {
    this.invoke(stack, 'alarm', raw, ({ kind }, invocation) => {
      const wait = RETRY_AFTER_MS[failures];
      if (kind === 'answered') this.options.onAlarm(invocation, raw);
      if (kind === 'answered' || wait === undefined) return;
      this.options.world.clock.after(wait, () => this.deliverAlarm(stack, raw, failures + 1));
    });
  }

  private invoke(stack: Stack, name: FunctionName, raw: unknown, caller: Caller): void {
    this.options.onEvent(stack, raw);
    this.options.host.invoke(stack, name, raw, caller);
  }

  /** Delivers an event zero, one or two times, each after a delay. */
  private arrive(stack: Stack, deliver: () => void): void {
    const { plan, world } = this.options;
    if (plan.happens('event lost')) return;
    const times = plan.happens('event doubled') ? 2 : 1;
    const sentAt = world.now;
    for (let time = 0; time < times; time += 1)
      world.clock.after(this.delay(), () => {
        const newest = this.newest.get(stack.name) ?? 0;
        if (sentAt < newest) plan.counts.add('event out of order');
        this.newest.set(stack.name, Math.max(newest, sentAt));
        deliver();
      });
  }

  private delay(): number {
    const { plan, random } = this.options;
    if (plan.happens('event late')) return 20_000 + Math.floor(random() * (LATEST_MS - 20_000));
    return Math.floor(random() ** 2 * 2_000);
  }

  /** Polls a queue as soon as a message is visible. */
  private poll(stack: Stack, name: Queued): void {
    const { world } = this.options;
    const queue = queueOf(stack, name);
    const at = queue.nextAt;
    if (at === undefined || (this.polls.get(queue) ?? Number.POSITIVE_INFINITY) <= at) return;
    this.polls.set(queue, at);
    world.clock.at(at, () => {
      this.polls.delete(queue);
      const batch = queue.receive(world.now);
      if (batch.length > 0) this.deliverBatch(stack, name, batch);
      this.poll(stack, name);
    });
  }

  private deliverBatch(stack: Stack, name: Queued, batch: readonly QueueMessage[]): void {
    const { onHandled, onAnnounced } = this.options;
    this.invoke(stack, name, { Records: batch }, (ending, invocation) => {
      // A killed process does not respond: the messages return when their visibility timeout ends.
      if (ending.kind === 'killed') return;
      const failed = ending.kind === 'failed' ? new Set(batch.map(({ messageId }) => messageId)) : failedOf(ending);
      queueOf(stack, name).settle(batch, failed);
      const handled = batch.filter(({ messageId }) => !failed.has(messageId));
      if (name === 'announce') onAnnounced(invocation, handled);
      else onHandled(invocation, handled);
      this.poll(stack, name);
    });
  }
}

/** The functions that a queue calls. */
type Queued = Extract<FunctionName, 'interruption' | 'announce'>;

function queueOf({ queue, announcements }: Stack, name: Queued): MessageQueue {
  return name === 'announce' ? announcements : queue;
}

function failedOf({ answer }: Extract<Ending, { kind: 'answered' }>): ReadonlySet<string> {
  const { batchItemFailures } = answer as { readonly batchItemFailures: readonly { itemIdentifier: string }[] };
  return new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
}
