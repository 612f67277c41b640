import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Run, startRuntimeApi } from './runtime-api';
import { installation } from './shared-installation';

export interface LambdaProcessProps {
  /** The folder with the bundle. */
  readonly folder: string;
  /** `index.handler` */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What Lambda says is left at the start of a run. */
  readonly timeoutMs?: number;
}

/** A function in a process of its own, started the way Lambda does it. */
export interface LambdaProcess {
  run(event: unknown): Promise<Run>;
  /** What it wrote to its log. */
  log(): string;
  stop(): Promise<void>;
}

/** Starts the real runtime interface client on the Node.js version of the deployed functions. */
export async function startLambda({
  folder,
  handler,
  environment,
  timeoutMs,
}: LambdaProcessProps): Promise<LambdaProcess> {
  const { node, runtimeClient } = installation();
  const api = await startRuntimeApi(timeoutMs);
  const child = spawn(node, [runtimeClient, handler], {
    cwd: folder,
    // Nothing of ours, as in Lambda: only what the function is given.
    env: {
      PATH: process.env.PATH,
      TZ: ':UTC',
      _HANDLER: handler,
      LAMBDA_TASK_ROOT: folder,
      AWS_LAMBDA_RUNTIME_API: api.address,
      AWS_LAMBDA_FUNCTION_NAME: 'test',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
      AWS_LAMBDA_LOG_GROUP_NAME: 'test',
      AWS_LAMBDA_LOG_STREAM_NAME: 'test',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const log = () => said.join('');
  child.on('error', (error) => api.abort(`${node} did not start: ${error.message}`));
  child.on('exit', (code, signal) => api.abort(`the function's process ended with ${signal ?? code}: ${log()}`));
  return {
    run: api.run,
    log,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }
      await api.close();
    },
  };
}
