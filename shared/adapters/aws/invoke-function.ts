import { parseJson } from '../../core/basics/json';
import { doubling, retry } from '../../core/basics/retry';
import type { Log } from '../../core/ports/ports';
import { abortAt } from './abort-at';

/** The error type that Lambda reports for a function that timed out. */
export const TIMED_OUT = 'Sandbox.Timedout';
/** Longer than any of our functions may run. */
const REQUEST_TIMEOUT_MS = 330_000;

/** Lambda's answers about a function in a VPC that was idle for weeks: `Inactive` first, then `Pending`. */
const WAKING = /^(ResourceNotReady|ResourceConflict)Exception$/;
const PATIENCE_MS = 120_000;
const [FIRST_MS, MAX_MS] = [1_000, 5_000];

export interface WakePorts {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Tells the person, once, what is being waited for. */
  readonly onWait: (sentence: string) => void;
  /** @default two minutes from now */
  readonly deadline?: number;
}

/** Whether Lambda is still preparing the network interfaces of a function that was idle. */
export function isWaking(error: unknown): error is Error {
  return error instanceof Error && WAKING.test(error.name);
}

/** Calls a function until Lambda has woken it: the first call after weeks fails, and causes Lambda to prepare it. */
export function untilAwake<T>(functionName: string, call: () => Promise<T>, ports: WakePorts): Promise<T> {
  const { now, sleep, onWait, deadline = Number.POSITIVE_INFINITY } = ports;
  const until = Math.min(now() + PATIENCE_MS, deadline);
  return retry(call, {
    sleep,
    delayMs: (error, attempt) => {
      const delay = doubling(FIRST_MS, attempt, MAX_MS);
      if (!isWaking(error) || now() + delay > until) return undefined;
      if (attempt === 1)
        onWait(`function ${functionName} was idle for weeks; waiting up to two minutes until Lambda has prepared it`);
      return delay;
    },
  });
}

/** The error after that wait. */
export function stillAsleep(functionName: string, { message }: Error): string {
  return `function ${functionName} was idle, and Lambda has not prepared it in time (${message}); try again`;
}

/**
 * Invokes a function through @aws-sdk/client-lambda, which is loaded only then, and returns its result. A function that
 * is idle is waited for. An error of the function, or of Lambda, is thrown here under the same name.
 */
export async function invokeFunction(
  functionName: string,
  region: string,
  event: unknown,
  deadline: number,
  { log, ...clock }: Pick<WakePorts, 'now' | 'sleep'> & { readonly log: Log },
): Promise<unknown> {
  const { LambdaClient, InvokeCommand } = await import('@aws-sdk/client-lambda');
  const client = new LambdaClient({
    region,
    requestHandler: { requestTimeout: REQUEST_TIMEOUT_MS, throwOnRequestTimeout: true },
  });
  const command = new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(JSON.stringify(event)) });
  const send = () => client.send(command, abortAt(deadline));
  const waking = { ...clock, deadline, onWait: (sentence: string) => log.info(sentence, {}) };
  const response = await untilAwake(functionName, send, waking).catch((error: unknown) => {
    throw isWaking(error) ? Object.assign(new Error(stillAsleep(functionName, error)), { name: error.name }) : error;
  });
  const text = response.Payload ? Buffer.from(response.Payload).toString('utf8') : '';
  if (response.FunctionError !== undefined) throw functionError(text);
  return parseJson(text);
}

export function functionError(text: string): Error {
  const { errorType, errorMessage = text } = (parseJson(text) ?? {}) as {
    readonly errorType?: string;
    readonly errorMessage?: string;
  };
  // Lambda does not always set an error type for a timeout.
  const name = errorType ?? (errorMessage.includes('Task timed out') ? TIMED_OUT : 'Error');
  return Object.assign(new Error(errorMessage), { name });
}
