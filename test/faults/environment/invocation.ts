import type { Change } from '../../../lab/simulator/kube/object-store';
import type { Deployment } from '../../../lab/simulator/kube/object-types';
import type { Config } from '../../../shared/core/config/config';
import type { AlarmReading, HeadroomFigures, Preemption } from '../../../shared/core/ports/ports';
import type { Sight } from './live-texts';
import type { WorkloadSight } from './workloads';

/** The Lambda functions of a stack, and how long each may take. */
export const FUNCTION_TIMEOUT_MS = {
  reconcile: 45_000,
  alarm: 60_000,
  interruption: 20_000,
  inflate: 60_000,
  announce: 20_000,
} as const;
export type FunctionName = keyof typeof FUNCTION_TIMEOUT_MS;

/** How an invocation ended. A killed one returns nothing. */
export type Ending =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'killed' };

/** One run of a function, from the event to its end. */
export class Invocation {
  /** Set when the process is killed: its pending promises never settle. */
  dead = false;
  ended = false;
  /** The number of calls it has made. */
  calls = 0;
  /** Faults that the transport and the conflict loop should absorb. */
  absorbable = 0;
  /** How often its token was rejected; each call retries once with a fresh one. */
  refusals = 0;
  /** How often a list had to restart; the client does so twice. */
  restarts = 0;
  /** Whether it has met a connection that died while the process was frozen. */
  woke = false;
  /** How many of its requests timed out. */
  timeouts = 0;
  /** Whether it may not read the NodeClaims. */
  blind: boolean | undefined;
  /** Whether it may not read the ConfigMap with the live schedules. */
  liveForbidden: boolean | undefined;
  /** Whether it may not read pause pods and Events. */
  podsForbidden: boolean | undefined;
  /** What it found where the ConfigMap is; absent if it did not look. */
  sight: Sight | undefined;
  /** Whether it may not read workloads. */
  workloadForbidden: boolean | undefined;
  /** What it found of each workload that it asked for, by path. */
  readonly workloads = new Map<string, WorkloadSight>();
  /** Whether it is counting nodes for an occurrence or an override. */
  counting = false;
  /** Whether it met a fault that it is allowed to fail on. */
  excused = false;
  /** When it first read its own clock, by that clock. */
  receivedAt: number | undefined;
  /** What CloudWatch answered; absent if it was not asked, or did not answer. */
  readings: ReadonlyMap<string, AlarmReading> | undefined;
  /** The preemptions that it read; absent if it read none, or got no answer. */
  preempted: readonly Preemption[] | undefined;
  /** By how much its clock is wrong. */
  skewMs = 0;
  /** Its deadline, by its own clock. */
  deadline = Number.POSITIVE_INFINITY;
  /** What it logged, counted and measured. */
  readonly logged: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] = [];
  readonly counted = new Map<string, number>();
  figures: readonly HeadroomFigures[] = [];
  /** The version that its last apply carried. */
  guard = '';
  /** Its last write of each Deployment. */
  readonly writes = new Map<string, Change<Deployment>>();
  /** The headrooms that have been its stack's while it ran. */
  readonly owned = new Set<string>();

  constructor(
    readonly number: number,
    readonly stack: string,
    readonly owner: string,
    readonly functionName: FunctionName,
    readonly config: Config,
    readonly startedAt: number,
    readonly raw: unknown,
  ) {}

  get running(): boolean {
    return !this.dead && !this.ended;
  }

  get isDeploy(): boolean {
    return (this.raw as { readonly source?: unknown })?.source === 'headstart.deploy';
  }

  get label(): string {
    return `${this.stack}/${this.functionName}#${this.number}`;
  }
}

/** Called with the outcome of an invocation. */
export type Caller = (ending: Ending, invocation: Invocation) => void;
