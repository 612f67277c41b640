import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse } from 'aws-lambda';
import { jsonLog } from '../shared/adapters/json-log';
import { messageOf } from '../shared/core/errors';
import type { Log } from '../shared/core/ports';

/** What a custom resource tells CloudFormation when it went well. */
export interface CustomResourceAnswer {
  /** Another one than before makes CloudFormation delete the old resource afterwards. */
  readonly physicalResourceId: string;
  /** Attributes for `Fn::GetAtt`; a few, since the whole answer holds 4 KB. */
  readonly data?: Readonly<Record<string, string>>;
}

export type CustomResourceHandler = (event: CloudFormationCustomResourceEvent) => Promise<CustomResourceAnswer>;

interface Outside {
  readonly send: (url: string, body: string) => Promise<void>;
  readonly log: Log;
}

/**
 * Makes a Lambda handler of a custom resource: CloudFormation waits for an answer
 * at a URL, and without one for an hour, so every outcome is answered.
 */
export function customResource(handle: CustomResourceHandler, { send, log }: Outside = OUTSIDE) {
  return async (event: CloudFormationCustomResourceEvent): Promise<void> => {
    const { RequestType, StackId, RequestId, LogicalResourceId, ResponseURL } = event;
    const same = { StackId, RequestId, LogicalResourceId };
    const known = 'PhysicalResourceId' in event ? event.PhysicalResourceId : RequestId;
    const answer = await handle(event).then(
      ({ physicalResourceId, data }): CloudFormationCustomResourceResponse => ({
        ...same,
        Status: 'SUCCESS',
        PhysicalResourceId: physicalResourceId,
        ...(data && { Data: { ...data } }),
      }),
      (error: unknown): CloudFormationCustomResourceResponse => {
        log.error('custom resource failed', { request: RequestType, resource: LogicalResourceId, error });
        return { ...same, Status: 'FAILED', PhysicalResourceId: known, Reason: messageOf(error).slice(0, 2_000) };
      },
    );
    await send(ResponseURL, JSON.stringify(answer));
  };
}

const OUTSIDE: Outside = { send: putAnswer, log: jsonLog() };

async function putAnswer(url: string, body: string): Promise<void> {
  // The URL is signed for an empty content type; text would get one of its own.
  const response = await fetch(url, { method: 'PUT', body: Buffer.from(body), headers: { 'content-type': '' } });
  if (!response.ok)
    throw new Error(`CloudFormation did not take the answer: ${response.status} ${await response.text()}`);
}
