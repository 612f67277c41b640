import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse } from 'aws-lambda';
import { messageOf } from '../../../shared/core/basics/errors';
import { deadlineOf, type LambdaContext } from '../../deadline';
import { knownStatus, type RollbackPorts } from './stack-rollback';

/** CloudFormation limits the whole response to 4 KB. */
const MAX_ATTRIBUTE = 1_000;
const CUT = ' ...';

export interface CustomResourceResponse {
  /** A new id makes CloudFormation delete the old resource afterwards. */
  readonly physicalResourceId: string;
  /** Attributes for `Fn::GetAtt`; few, since the response is limited to 4 KB. */
  readonly data?: Readonly<Record<string, string>>;
}

/** Handles a request, and must be done by the deadline. */
export type CustomResourceHandler = (
  event: CloudFormationCustomResourceEvent,
  deadline: number,
) => Promise<CustomResourceResponse>;

/** A refusal with attributes, which other resources use even while an update is rolled back. */
export class RefusedError extends Error {
  constructor(
    message: string,
    readonly data: Readonly<Record<string, string>>,
  ) {
    super(message);
  }
}

export interface CustomResourcePorts extends RollbackPorts {
  readonly send: (url: string, body: string) => Promise<void>;
}

/** The id of a resource that could not be created. CloudFormation requests its deletion, and there is nothing to delete. */
export const NOT_CREATED = 'not-created';
const MAX_REASON = 2_000;
/** For the response, with a few tries, and for reading the stack's status before it. */
const RESERVE_MS = 60_000;

/**
 * Makes a Lambda handler of a custom resource. CloudFormation waits for a response at a URL, up to an hour, so every
 * outcome sends one. A failure is not reported while an update is rolled back, where it would only leave the stack
 * stuck. Deleting what could not be created succeeds at once: its handler already removed what it had created.
 */
export function customResource(
  handle: CustomResourceHandler,
  ports: CustomResourcePorts,
  /** The attributes of a failure that is not reported; CloudFormation requires those that are referenced. */
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
  const forgiven = request === 'Update' && (await knownStatus(event.StackId, ports)).includes('ROLLBACK');
  ports.log.error('custom resource failed', { request, resource, forgiven, error });
  return forgiven
    ? { Status: 'SUCCESS' as const, PhysicalResourceId }
    : { Status: 'FAILED' as const, PhysicalResourceId, Reason };
}

/** Cuts between words, so that no name is cut: people run these commands. */
export function shortAttribute(text: string): string {
  if (text.length <= MAX_ATTRIBUTE) return text;
  return `${text.slice(0, text.lastIndexOf(' ', MAX_ATTRIBUTE - CUT.length))}${CUT}`;
}
