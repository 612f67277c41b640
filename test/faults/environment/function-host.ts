import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import { KubeError } from '../../../shared/adapters/kube/kube-error';
import { clusterEvents } from '../../../shared/adapters/kube/kube-events';
import type { KubeTransport, TransportOptions } from '../../../shared/adapters/kube/kube-transport';
import { likePorts } from '../../../shared/adapters/kube/like-ports';
import { liveSchedulesPath } from '../../../shared/adapters/kube/live-ports';
import type { HeadstartEvent } from '../../../shared/core/events/event';
import type { LiveSchedules } from '../../../shared/core/live/live-schedules';
import type { AlarmStates, Log, Metrics, Ports, Runtime } from '../../../shared/core/ports/ports';
import type { FaultPlan } from './fault-plan';
import type { FaultyWire } from './faulty-wire';
import { type Caller, type Ending, FUNCTION_TIMEOUT_MS, type FunctionName, Invocation } from './invocation';
import { textIn } from './live-texts';
import type { Process, Stack } from './stack';
import type { Agent, HandlingStrategy } from './strategy';
import { GONE, isWorkload, UNREAD } from './workloads';
import { NAMESPACE, type World } from './world';

const ACCEPTS: Readonly<Record<FunctionName, HeadstartEvent['kind']>> = {
  reconcile: 'tick',
  alarm: 'alarm',
  interruption: 'interruption',
  inflate: 'override',
  announce: 'announcement',
};
const SKEW_MS = 20_000;
/** Ticks may be late, and the clock they are compared with is believed within five minutes. */
const WRONG_CLOCK_MS = 10 * 60_000;
/** Never used: requests go through the simulated wire. */
const NO_CONNECTION = { server: () => 'https://simulated', tls: () => ({}), authorize: async () => ({}) };

export interface HostOptions {
  readonly world: World;
  readonly strategy: HandlingStrategy;
  readonly plan: FaultPlan;
  readonly random: Random;
  readonly wire: FaultyWire;
  /** Whether there are pods that can be woken up. */
  readonly wakes: boolean;
  readonly onStart: (invocation: Invocation) => void;
  readonly onEnd: (invocation: Invocation, ending: Ending) => void;
  /** A call to CloudWatch. */
  readonly onAlarmsRead: (invocation: Invocation) => void;
  readonly onTimeLimit: (invocation: Invocation) => void;
}

/** Runs the real handlers as Lambda would: in processes with clocks of their own that are frozen between events and may be killed at any await. */
export class FunctionHost {
  readonly running = new Set<Invocation>();
  /** Live schedules that are being read. */
  readonly loading = new Set<Promise<unknown>>();
  private readonly callers = new Map<Invocation, Caller>();
  private invoked = 0;

  constructor(private readonly options: HostOptions) {}

  invoke(stack: Stack, name: FunctionName, raw: unknown, caller: Caller): void {
    const { world, strategy } = this.options;
    const process = this.wrongClock(stack, name, raw) ?? this.processOf(stack, name);
    this.invoked += 1;
    const invocation = new Invocation(this.invoked, stack.name, stack.owner, name, process.config, world.now, raw);
    this.running.add(invocation);
    this.callers.set(invocation, caller);
    this.options.onStart(invocation);
    world.clock.after(FUNCTION_TIMEOUT_MS[name], () => {
      if (!invocation.running) return;
      this.options.onTimeLimit(invocation);
      this.kill(invocation);
    });
    strategy.handle(raw, this.serviceOf(stack, process, invocation)).then(
      (answer) => this.finish(stack, process, invocation, { kind: 'answered', answer }),
      (error) => this.finish(stack, process, invocation, { kind: 'failed', error }),
    );
  }

  /** Kills the process in the middle of its work. */
  kill(invocation: Invocation): void {
    if (!invocation.running) return;
    invocation.dead = true;
    this.end(invocation, { kind: 'killed' });
  }

  private finish(stack: Stack, process: Process, invocation: Invocation, ending: Ending): void {
    if (invocation.dead) return;
    if (this.options.plan.happens('process killed before its answer')) {
      this.kill(invocation);
      return;
    }
    invocation.ended = true;
    if (!isClockWrong(invocation)) stack.giveBack(invocation.functionName, process);
    this.end(invocation, ending);
  }

  private end(invocation: Invocation, ending: Ending): void {
    this.running.delete(invocation);
    const caller = this.callers.get(invocation);
    this.callers.delete(invocation);
    this.options.onEnd(invocation, ending);
    caller?.(ending, invocation);
  }

  /** A process whose clock is wrong by more than minutes, and by more than a tick may be dated ahead: only ticks carry a time that shows it. */
  private wrongClock(stack: Stack, name: FunctionName, raw: unknown): Process | undefined {
    const { plan, random } = this.options;
    const { source, time } = (raw ?? {}) as { readonly source?: unknown; readonly time?: unknown };
    const isTick = source === 'headstart.schedule' && !Number.isNaN(Date.parse(String(time)));
    if (!isTick || !plan.happens('clock wrong by hours')) return undefined;
    const skewMs = (random() < 0.5 ? -1 : 1) * Math.round(2 * WRONG_CLOCK_MS + random() * 5 * 3_600_000);
    return { ...this.newProcess(stack, name), skewMs };
  }

  private processOf(stack: Stack, name: FunctionName): Process {
    const { plan } = this.options;
    const idle = stack.takeIdle(name);
    if (idle) {
      const agent = idle.agent();
      if (agent.open > 0 && plan.happens('connection dead after sleep')) agent.dead = agent.open;
      return idle;
    }
    return this.newProcess(stack, name);
  }

  private newProcess(stack: Stack, name: FunctionName): Process {
    const { plan, strategy, random } = this.options;
    let agent = newAgent();
    const renew = () => {
      agent = newAgent();
      return agent;
    };
    return {
      config: stack.configOf(name),
      skewMs: plan.happens('clock skewed') ? Math.round((random() * 2 - 1) * SKEW_MS) : 0,
      connections: strategy.connections(renew, () => {}),
      agent: () => agent,
    };
  }

  private serviceOf(stack: Stack, process: Process, invocation: Invocation): Runtime {
    const { world, strategy, wire, random } = this.options;
    const now = () => {
      const time = world.now + process.skewMs;
      invocation.receivedAt ??= time;
      return time;
    };
    const sleep = (ms: number) => this.sleep(invocation, ms);
    invocation.skewMs = process.skewMs;
    invocation.deadline = now() + FUNCTION_TIMEOUT_MS[invocation.functionName] - 2_000;
    const options: TransportOptions = {
      sleep,
      now,
      random,
      deadline: invocation.deadline,
      send: wire.sendOf(invocation, process.connections),
    };
    invocation.receivedAt = undefined;
    const transport = watchingSight(strategy.transport(NO_CONNECTION, options), invocation, world);
    const { live } = strategy.live(invocation.functionName, process.config, transport);
    const eventCalls = strategy.transport(NO_CONNECTION, { ...options, maxTries: 1, budgetMs: 2_000 });
    const { delete: repeated } = strategy.transport(NO_CONNECTION, { ...options, timeoutMs: 2_000 });
    const wakeCalls = { ...eventCalls, delete: repeated };
    const cluster = strategy.cluster(transport, NAMESPACE);
    const log = logOf(invocation);
    const woken =
      this.options.wakes && invocation.functionName === 'reconcile'
        ? strategy.wakeUp(process.config, { transport: wakeCalls, cluster, owner: stack.owner, log })
        : {};
    return {
      config: process.config,
      owner: stack.owner,
      now,
      accepts: ACCEPTS[invocation.functionName],
      ports: {
        cluster,
        ...woken,
        ...(woken.preemptions && { preemptions: noted(woken.preemptions, invocation) }),
        ...(live && { live: this.tracked(live) }),
        ...likePorts(process.config, transport),
        ...clusterEvents(eventCalls, NAMESPACE),
        alarms: this.alarmsOf(invocation),
        log,
        metrics: metricsOf(invocation),
        sleep: (attempt) => sleep(random() * Math.min(40 * 2 ** (attempt - 1), 1_000)),
      },
    } as Runtime;
  }

  /** Reading a text loads code, which takes real time: the simulated clock waits for it. */
  private tracked(live: LiveSchedules): LiveSchedules {
    return {
      ...live,
      effective: (input) => {
        const loading = live.effective(input);
        const done = () => void this.loading.delete(loading);
        this.loading.add(loading);
        loading.then(done, done);
        return loading;
      },
    };
  }

  private alarmsOf(invocation: Invocation): AlarmStates {
    const { plan, world, random } = this.options;
    return {
      read: async (names) => {
        this.options.onAlarmsRead(invocation);
        const fails = plan.happens('alarms not readable');
        const readings = await world.alarms.read(names);
        await this.sleep(invocation, 5 + random() * (fails ? 3_000 : 50));
        if (!fails) {
          invocation.readings = readings;
          return readings;
        }
        invocation.excused = true;
        throw new Error('CloudWatch does not answer');
      },
    };
  }

  private sleep(invocation: Invocation, ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.options.world.clock.after(Math.ceil(ms), () => {
        if (!invocation.dead) resolve();
      });
    });
  }
}

/** Whether its clock is off by more than any tick is late. */
export function isClockWrong({ skewMs }: Invocation): boolean {
  return Math.abs(skewMs) >= WRONG_CLOCK_MS;
}

/** Notes what an invocation finds where the ConfigMap with the live schedules is, and where workloads are. */
function watchingSight(
  transport: KubeTransport,
  invocation: Invocation,
  { liveEdits, workloads }: World,
): KubeTransport {
  const path = liveSchedulesPath(NAMESPACE);
  const get: KubeTransport['get'] = async <T extends object>(asked: string, accept?: string) => {
    if (isWorkload(asked)) {
      invocation.workloads.set(asked, UNREAD);
      const found = await transport.get<T>(asked).catch((error: unknown) => {
        if (error instanceof KubeError && error.status === 404) invocation.workloads.set(asked, GONE);
        throw error;
      });
      invocation.workloads.set(asked, workloads.seenIn(found));
      return found;
    }
    if (asked !== path) return transport.get<T>(asked, accept);
    try {
      const found = await transport.get<T>(asked);
      const { metadata } = found as { readonly metadata?: { readonly resourceVersion: string } };
      const [text, edit] = [textIn(found), liveEdits.get(metadata?.resourceVersion ?? '')];
      invocation.sight = text && edit ? { kind: 'found', text, edit } : { kind: 'unread' };
      return found;
    } catch (error) {
      invocation.sight = { kind: error instanceof KubeError && error.status === 404 ? 'gone' : 'unread' };
      throw error;
    }
  };
  return { ...transport, get };
}

/** Notes which preemptions an invocation gets to know. */
function noted(read: NonNullable<Ports['preemptions']>, invocation: Invocation): Ports['preemptions'] {
  return async () => {
    invocation.preempted = await read();
    return invocation.preempted;
  };
}

function logOf({ logged }: Invocation): Log {
  const note = (message: string, fields: Readonly<Record<string, unknown>>) => void logged.push({ message, fields });
  return { info: note, warn: note, error: note };
}

function metricsOf(invocation: Invocation): Metrics {
  return {
    headroom: (figures) => {
      invocation.figures = figures;
    },
    count: (name, count) => void invocation.counted.set(name, (invocation.counted.get(name) ?? 0) + count),
  };
}

function newAgent(): Agent {
  return { open: 0, dead: 0 };
}
