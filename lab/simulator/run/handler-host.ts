import type { Config } from '../../../shared/core/config/config';
import { deliveriesOf } from '../../../shared/core/events/deliveries';
import { parseEvent } from '../../../shared/core/events/parse-event';
import { type HandlerResponse, respond } from '../../../shared/core/handle';
import { overrideIntents } from '../../../shared/core/intents/override-intents';
import type { Cluster, Log, Metrics, Preemption, Runtime } from '../../../shared/core/ports/ports';
import { processEvents } from '../../../shared/core/process-event';
import { AlarmTable } from '../bus/alarm-table';
import type { Origin } from '../bus/aws-events';
import { EventBus } from '../bus/event-bus';
import type { Random } from '../deterministic/seeded-random';
import { DecisionHistory } from './decision-history';

export interface HostOptions {
  readonly config: Config;
  readonly now: () => number;
  readonly random: Random;
  /** Returns the cluster that the handlers act on; called at each invocation. */
  readonly cluster: () => Cluster;
  readonly lateSchedules?: boolean;
  readonly keepAllDecisions?: boolean;
  /** Returns what kube-scheduler's Events show of preempted pause pods. */
  readonly preemptions?: () => readonly Preemption[];
  /** Returns how the live schedules are read. @default they are not */
  readonly live?: (config: Config) => Pick<Runtime['ports'], 'live' | 'emit'>;
}

/** The example account of the AWS documentation. */
const ACCOUNT = '111122223333';
const OWNER = 'sandbox';

/** Stands in for AWS: runs the real handlers, with the bus that invokes them and the alarms that they read. */
export class HandlerHost {
  readonly alarms = new AlarmTable();
  readonly bus: EventBus;
  readonly decisions: DecisionHistory;
  config: Config;
  /** What the handlers report; discarded unless somebody listens. */
  log: Log = { info: () => {}, warn: () => {}, error: () => {} };
  metrics: Metrics = { headroom: () => {}, count: () => {} };
  private readonly options: HostOptions;
  private lastOverrideAt = Number.NEGATIVE_INFINITY;

  constructor(options: HostOptions) {
    this.options = options;
    this.config = options.config;
    this.decisions = new DecisionHistory(options);
    const invoke = (raw: unknown, trigger: string) => this.invoke(raw, trigger);
    this.bus = new EventBus({ ...options, origin: this.origin, invoke });
  }

  get origin(): Origin {
    const { region, account = ACCOUNT } = this.config.cluster;
    return { region, account };
  }

  /** Simulates `cdk deploy`: new functions, schedules and alarms, and one reconcile. */
  deploy(config: Config): void {
    const now = this.options.now();
    this.config = config;
    this.alarms.watch(
      config.headrooms.flatMap(({ alarms }) => alarms.map(({ alarmName }) => alarmName)),
      now,
    );
    this.bus.deploy(config, now);
  }

  /** Changes an alarm's state and sends the event that CloudWatch would send. */
  setAlarm(alarmName: string, firing: boolean): void {
    const change = this.alarms.set(alarmName, firing ? 'ALARM' : 'OK', this.options.now());
    if (change) this.bus.sendAlarm(change);
  }

  /** Invokes the emergency function, to set or release an override. */
  async override(request: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    // The clock may stand still between two overrides, but the later one must be newer.
    this.lastOverrideAt = Math.max(this.options.now(), this.lastOverrideAt + 1);
    const timed = { ...request, at: new Date(this.lastOverrideAt).toISOString() };
    const response = await this.invoke(timed, triggerOf(request));
    if ('rejected' in response) throw new Error(response.rejected);
    return { ...response };
  }

  private async invoke(raw: unknown, trigger: string): Promise<HandlerResponse> {
    const { now, cluster, preemptions } = this.options;
    const runtime: Runtime = {
      config: this.config,
      owner: OWNER,
      now,
      ports: {
        cluster: cluster(),
        alarms: this.alarms,
        log: this.log,
        metrics: this.metrics,
        // The simulated clock stands still while a handler runs.
        sleep: async () => {},
        ...(preemptions && { preemptions: async () => preemptions() }),
        ...this.options.live?.(this.config),
      },
    };
    const processed = await processEvents(deliveriesOf(raw), parseEvent, runtime, overrideIntents);
    this.decisions.add(trigger, processed);
    return respond(raw, processed);
  }
}

function triggerOf({ release, by }: Readonly<Record<string, unknown>>): string {
  return `${release === true ? 'release' : 'inflate'}${typeof by === 'string' ? ` by ${by}` : ''}`;
}
