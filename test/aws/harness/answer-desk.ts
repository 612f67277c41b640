import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';

/** What a custom resource answered. */
export interface CustomAnswer {
  readonly Status: 'SUCCESS' | 'FAILED';
  readonly Reason?: string;
  readonly PhysicalResourceId: string;
  readonly Data?: Readonly<Record<string, string>>;
}

/** The place where CloudFormation receives the answers of custom resources. */
export interface AnswerDesk {
  /** Puts the address for one answer into the event, runs the function and gives what arrived there. */
  ask(event: Readonly<Record<string, unknown>>, run: (event: unknown) => Promise<unknown>): Promise<CustomAnswer>;
  close(): Promise<void>;
}

export async function openAnswerDesk(): Promise<AnswerDesk> {
  const answers = new Map<string, CustomAnswer>();
  const server: LoopbackServer = await loopbackServer(({ method, url, body }, response) => {
    if (method === 'PUT') answers.set(url, JSON.parse(body));
    json(response, method === 'PUT' ? 200 : 405, {});
  });
  let asked = 0;
  return {
    ask: async (event, run) => {
      const path = `/answers/${++asked}`;
      const outcome = await run({ ...event, ResponseURL: `${server.url}${path}` });
      const answer = answers.get(path);
      if (!answer) throw new Error(`the custom resource never answered: ${JSON.stringify(outcome)}`);
      return answer;
    },
    close: server.close,
  };
}
