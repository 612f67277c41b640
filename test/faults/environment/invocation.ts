import type { Config } from '../../../shared/core/config/config';

/** The Lambda functions of a stack, and how long each may take. */
export const FUNCTION_TIMEOUT_MS = {
  reconcile: 45_000,
  alarm: 60_000,
  interruption: 20_000,
  inflate: 60_000,
} as const;
export type FunctionName = keyof typeof FUNCTION_TIMEOUT_MS;

/** How an invocation ended. A killed one never says anything. */
export type Ending =
  | { readonly kind: 'answered'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'killed' };

/** One run of a function, from the event to its end. */
export class Invocation {
  /** Set when the process is killed: what it waits for never comes. */
  dead = false;
  ended = false;
  /** Calls that it has made. */
  calls = 0;
  /** Faults that the transport and the conflict loop are there to absorb. */
  absorbable = 0;
  /** How often its token was refused; a fresh one is tried once in each call. */
  refusals = 0;
  /** How often a list had to be started again; that is done twice. */
  restarts = 0;
  /** Whether it found connections dead that were open before it slept. */
  woke = false;
  /** How often it waited in vain for a response. */
  timeouts = 0;
  /** Whether it counts nodes for an opening or an order. */
  counting = false;
  /** Whether it met something that it need not get over. */
  excused = false;
  /** The time by its own clock at which it looked first. */
  receivedAt: number | undefined;

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

/** Who waits for an invocation hears how it ended. */
export type Caller = (ending: Ending, invocation: Invocation) => void;
