/** What a function answered, or why it failed. */
export type Invoked =
  | { readonly kind: 'answered'; readonly payload: unknown }
  | { readonly kind: 'failed'; readonly message: string };

/** Longer than any of our functions may run. */
const REQUEST_TIMEOUT_MS = 180_000;

/** Invokes a function and waits for it, through @aws-sdk/client-lambda; rejects when it could not be invoked. */
export async function invokeFunction(functionName: string, region: string, event: unknown): Promise<Invoked> {
  const { LambdaClient, InvokeCommand } = await import('@aws-sdk/client-lambda');
  const client = new LambdaClient({
    region,
    requestHandler: { requestTimeout: REQUEST_TIMEOUT_MS, throwOnRequestTimeout: true },
  });
  const payload = Buffer.from(JSON.stringify(event));
  const answer = await client.send(new InvokeCommand({ FunctionName: functionName, Payload: payload }));
  const text = answer.Payload ? Buffer.from(answer.Payload).toString('utf8') : '';
  const value = parsed(text);
  if (answer.FunctionError === undefined) return { kind: 'answered', payload: value };
  const { errorMessage } = (value ?? {}) as { readonly errorMessage?: string };
  return { kind: 'failed', message: errorMessage ?? text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
