import { InvokeCommand, ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import type { awsClients } from './aws-clients';
import { ACCOUNT, type Emulator } from './emulator';

type Clients = Pick<ReturnType<typeof awsClients>, 'lambda' | 'sqs'>;

/** What a batch of a queue came to. */
export interface Taken {
  readonly bodies: readonly string[];
  readonly failed: number;
}

export interface EventSource {
  readonly functionName: string;
  readonly queueArn: string;
  /** One batch to the function, as Lambda does it; what failed is there again at once. */
  take(): Promise<Taken>;
  waiting(): Promise<number>;
  deadLetters(): Promise<number>;
  /** As the start of a redrive in the console, message by message. */
  redrive(): Promise<void>;
}

/** The event source mapping of a deployed function, with the authorization of each call that Lambda makes as its role. */
export async function eventSourceOf(
  emulator: Emulator,
  { lambda, sqs }: Clients,
  functionName: string,
  authorize: (action: string, resource: string) => Promise<void>,
): Promise<EventSource> {
  const { EventSourceMappings = [] } = await lambda.send(
    new ListEventSourceMappingsCommand({ FunctionName: functionName }),
  );
  const [{ EventSourceArn: queueArn = '', BatchSize = 0 } = {}] = EventSourceMappings;
  const urlOf = (arn: string) => `${emulator.url}/${ACCOUNT}/${arn.split(':').pop()}`;
  const QueueUrl = urlOf(queueArn);
  const attributes = async (url: string) =>
    (await sqs.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }))).Attributes ?? {};
  const { RedrivePolicy = '{}' } = await attributes(QueueUrl);
  const deadLetterUrl = urlOf(JSON.parse(RedrivePolicy).deadLetterTargetArn ?? '');
  const countOf = async (url: string) => Number((await attributes(url)).ApproximateNumberOfMessages);

  async function receive(url: string, most: number): Promise<Message[]> {
    const all: Message[] = [];
    while (all.length < most) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: Math.min(10, most - all.length) }),
      );
      if (Messages.length === 0) break;
      all.push(...Messages);
    }
    return all;
  }

  return {
    functionName,
    queueArn,
    waiting: () => countOf(QueueUrl),
    deadLetters: () => countOf(deadLetterUrl),
    take: async () => {
      await authorize('sqs:ReceiveMessage', queueArn);
      const messages = await receive(QueueUrl, BatchSize);
      if (messages.length === 0) return { bodies: [], failed: 0 };
      const Records = messages.map(({ MessageId: messageId, Body: body }) => ({ messageId, body }));
      const { Payload, FunctionError } = await lambda.send(
        new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify({ Records }) }),
      );
      const { batchItemFailures = [] } = JSON.parse(Buffer.from(Payload ?? []).toString());
      const failed = new Set(batchItemFailures.map((one: { itemIdentifier: string }) => one.itemIdentifier));
      for (const { MessageId, ReceiptHandle } of messages) {
        const isFailed = FunctionError !== undefined || failed.has(MessageId);
        await authorize(isFailed ? 'sqs:ChangeMessageVisibility' : 'sqs:DeleteMessage', queueArn);
        if (isFailed)
          await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
        else await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
      return { bodies: messages.map(({ Body = '' }) => Body), failed: failed.size };
    },
    redrive: async () => {
      for (const { Body, ReceiptHandle } of await receive(deadLetterUrl, 100)) {
        await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: Body }));
        await sqs.send(new DeleteMessageCommand({ QueueUrl: deadLetterUrl, ReceiptHandle }));
      }
    },
  };
}
