import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse } from 'aws-lambda';
import { messageOf } from '../../../shared/core/basics/errors';
import { deadlineOf, type LambdaContext } from '../../deadline';
import { isRollingBack, type RollbackPorts } from './stack-rollback';

/** The whole response to CloudFormation holds 4 KB. */
const MAX_ATTRIBUTE = 1_000;
const CUT = ' ...';

/** What a custom resource tells CloudFormation when it went well. */
export interface CustomResourceResponse {
  /** Another one than before makes CloudFormation delete the old resource afterwards. */
  readonly physicalResourceId: string;
  /** Attributes for `Fn::GetAtt`; a few, since the whole response holds 4 KB. */
  readonly data?: Readonly<Record<string, string>>;
}

/** Handles a request, and must be done by the deadline. */
export type CustomResourceHandler = (
  event: CloudFormationCustomResourceEvent,
  deadline: number,
) => Promise<CustomResourceResponse>;

/** A refusal that still knows the attributes: other resources use them even while an update is rolled back. */
export class RefusedError extends Error {
  constructor(
    message: string,
    readonly data: Readonly<Record<string, string>>,
  ) {
    super(message);
  }
}

/** What it takes to respond. */
export interface CustomResourcePorts extends RollbackPorts {
  readonly send: (url: string, body: string) => Promise<void>;
}

/** The id of a resource that could not be created; CloudFormation asks to delete it right away, and there is nothing to delete. */
export const NOT_CREATED = 'not-created';
const MAX_REASON = 2_000;
/** For the response itself, with a few tries, and for a look at the stack's status before it. */
const RESERVE_MS = 60_000;

/**
 * Makes a Lambda handler of a custom resource: CloudFormation waits for a response
 * at a URL, and without one for an hour, so every outcome gets one. A failure is not
 * reported while an update is rolled back, where it would only leave the stack stuck.
 * What could not be created is deleted at once: its handler took back what it had made.
 */
export function customResource(
  handle: CustomResourceHandler,
  ports: CustomResourcePorts,
  /** The attributes that go with a failure that is not reported; CloudFormation insists on those that are used. */
  forgivenData: Readonly<Record<string, string>> = {},
) {
  return async (event: CloudFormationCustomResourceEvent, context?: LambdaContext): Promise<void> => {
    const { StackId, RequestId, LogicalResourceId, ResponseURL } = event;
    const same = { StackId, RequestId, LogicalResourceId };
    if (isDeletionOfNothing(event)) {
      const body = { ...same, Status: 'SUCCESS', PhysicalResourceId: NOT_CREATED };
      return ports.send(ResponseURL, JSON.stringify(body));
    }
    const response = await handle(event, deadlineOf(context, RESERVE_MS)).then(
      ({ physicalResourceId, data }): CloudFormationCustomResourceResponse => ({
        ...same,
        Status: 'SUCCESS',
        PhysicalResourceId: physicalResourceId,
        ...(data && { Data: { ...data } }),
      }),
      async (error: unknown): Promise<CloudFormationCustomResourceResponse> => {
        const failed = await failure(event, error, ports);
        const Data = { ...forgivenData, ...(error instanceof RefusedError ? error.data : {}) };
        return { ...same, ...failed, ...(failed.Status === 'SUCCESS' && { Data }) };
      },
    );
    await ports.send(ResponseURL, JSON.stringify(response));
  };
}

function isDeletionOfNothing(event: CloudFormationCustomResourceEvent): boolean {
  return event.RequestType === 'Delete' && event.PhysicalResourceId === NOT_CREATED;
}

async function failure(event: CloudFormationCustomResourceEvent, error: unknown, ports: CustomResourcePorts) {
  const { RequestType: request, LogicalResourceId: resource } = event;
  const PhysicalResourceId = 'PhysicalResourceId' in event ? event.PhysicalResourceId : NOT_CREATED;
  const Reason = messageOf(error).slice(0, MAX_REASON);
  const forgiven = request === 'Update' && (await isRollingBack(event.StackId, ports));
  ports.log.error('custom resource failed', { request, resource, forgiven, error });
  return forgiven
    ? { Status: 'SUCCESS' as const, PhysicalResourceId }
    : { Status: 'FAILED' as const, PhysicalResourceId, Reason };
}

/** Between two words, so that no name is cut: people run what is printed. */
export function shortAttribute(text: string): string {
  if (text.length <= MAX_ATTRIBUTE) return text;
  return `${text.slice(0, text.lastIndexOf(' ', MAX_ATTRIBUTE - CUT.length))}${CUT}`;
}
