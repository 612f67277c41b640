import { abortAt } from './abort-at';

/** The error type that Lambda reports for a function that timed out. */
export const TIMED_OUT = 'Sandbox.Timedout';
/** Longer than any of our functions may run. */
const REQUEST_TIMEOUT_MS = 330_000;

/**
 * Invokes a function through @aws-sdk/client-lambda, which is loaded only then, and
 * returns its result. An error of the function, or of Lambda, is thrown here under
 * the same name.
 */
export async function invokeFunction(
  functionName: string,
  region: string,
  event: unknown,
  deadline: number,
): Promise<unknown> {
  const { LambdaClient, InvokeCommand } = await import('@aws-sdk/client-lambda');
  const client = new LambdaClient({
    region,
    requestHandler: { requestTimeout: REQUEST_TIMEOUT_MS, throwOnRequestTimeout: true },
  });
  const command = new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(JSON.stringify(event)) });
  const response = await client.send(command, abortAt(deadline));
  const text = response.Payload ? Buffer.from(response.Payload).toString('utf8') : '';
  if (response.FunctionError !== undefined) throw functionError(text);
  return parsed(text);
}

/** The error that Lambda describes in the payload of a failed invocation. */
export function functionError(text: string): Error {
  const { errorType, errorMessage = text } = (parsed(text) ?? {}) as {
    readonly errorType?: string;
    readonly errorMessage?: string;
  };
  // Lambda does not always set an error type for a timeout.
  const name = errorType ?? (errorMessage.includes('Task timed out') ? TIMED_OUT : 'Error');
  return Object.assign(new Error(errorMessage), { name });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
