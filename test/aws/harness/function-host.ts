import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, loopbackServer } from '../../fakes/loopback-server';
import { openAnswerDesk } from './answer-desk';
import { type LambdaProcess, startLambda } from './lambda-process';

/** What the emulator wants to be run. */
interface Job {
  readonly kind: 'custom' | 'invoke' | 'policy';
  readonly name: string;
  readonly folder: string;
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly event: Readonly<Record<string, unknown>>;
}

/** Runs the functions that were deployed to the emulator, each time in a new process. */
export interface FunctionHost {
  readonly url: string;
  /** Where the emulator unpacks their code. */
  readonly folder: string;
  /** What was run, such as `Create Custom::HeadstartClusterObjects`, in order. */
  readonly ran: readonly string[];
  /** The same of what is not ours: CDK's own functions need a Lambda that has an SDK and kubectl. */
  readonly notRun: readonly string[];
  /** Added to the environment of every function. */
  environment: Readonly<Record<string, string>>;
  /** Gets the log of every run, as CloudWatch would. */
  onLog: (log: string) => Promise<void>;
  /** The same for one function, by its name; it wins. */
  environmentOf: (functionName: string) => Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function openFunctionHost(): Promise<FunctionHost> {
  const desk = await openAnswerDesk();
  const folder = mkdtempSync(join(tmpdir(), 'headstart-host-'));
  const [ran, notRun]: [string[], string[]] = [[], []];
  const running = new Set<LambdaProcess>();
  const server = await loopbackServer((seen, response) => {
    work(JSON.parse(seen.body)).then(
      (answer) => json(response, 200, answer),
      (error: Error) => json(response, 500, { message: error.message }),
    );
  });
  const host = {
    url: server.url,
    folder,
    ran,
    notRun,
    environment: {} as Readonly<Record<string, string>>,
    onLog: async (_log: string) => {},
    environmentOf: (_: string): Readonly<Record<string, string>> => ({}),
    close: async () => {
      await Promise.all([...running].map((lambda) => lambda.stop()));
      await Promise.all([server.close(), desk.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return host;

  async function work(job: Job): Promise<unknown> {
    const { kind, event } = job;
    if (kind === 'policy') {
      ran.push(`Disassociate ${job.name}`);
      return {};
    }
    const what = kind === 'custom' ? `${event.RequestType} ${event.ResourceType}` : `Invoke ${job.name}`;
    if (kind === 'custom' && !String(event.ResourceType).startsWith('Custom::Headstart')) {
      notRun.push(what);
      return { Status: 'SUCCESS', PhysicalResourceId: 'not-run', Data: {} };
    }
    ran.push(what);
    const lambda = await startLambda({
      ...job,
      environment: { ...job.environment, ...host.environment, ...host.environmentOf(job.name) },
    });
    running.add(lambda);
    try {
      return kind === 'custom' ? await desk.ask(event, lambda.run) : await lambda.run(event);
    } finally {
      running.delete(lambda);
      await host.onLog(lambda.log());
      await lambda.stop();
    }
  }
}
