type Answers = Readonly<Record<string, (input: never) => unknown>>;

/**
 * Stands in for a client package of the AWS SDK, which takes a second to load: tells what was asked of AWS and how the
 * client was set up. An answer that is a list is what a paginator returns, page by page. AWS itself: `npm run test:aws`.
 */
export function fakeSdk(client: string, answers: Answers) {
  const clients: unknown[] = [];
  const asked: { readonly call: string; readonly input: unknown; readonly options: unknown }[] = [];
  const ask = async (call: string, input: unknown, options: unknown) => {
    asked.push({ call, input, options });
    return answers[call]?.(input as never);
  };
  class Client {
    constructor(settings: unknown) {
      clients.push(settings);
    }
    send({ call, input }: { call: string; input: unknown }, options?: unknown) {
      return ask(call, input, options);
    }
    destroy() {
      clients.push('destroyed');
    }
  }
  class ResourceNotFoundException extends Error {}
  const module: Record<string, unknown> = { __esModule: true, [client]: Client, ResourceNotFoundException };
  for (const call of Object.keys(answers)) {
    module[`${call}Command`] = class {
      readonly call = call;
      constructor(readonly input: unknown) {}
    };
    module[`paginate${call}`] = async function* (
      { client }: { client: unknown },
      input: unknown,
      options?: unknown,
    ): AsyncGenerator<unknown> {
      if (!(client instanceof Client)) throw new Error('a paginator needs its client');
      yield* (await ask(call, input, options)) as unknown[];
    };
  }
  return { module, clients, asked, ResourceNotFoundException };
}
