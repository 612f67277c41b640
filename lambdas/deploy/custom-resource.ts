import type { CloudFormationCustomResourceEvent, CloudFormationCustomResourceResponse } from 'aws-lambda';
import { credentialsFrom } from '../../shared/adapters/cluster-connection';
import { jsonLog } from '../../shared/adapters/json-log';
import { messageOf } from '../../shared/core/basics/errors';
import type { Log } from '../../shared/core/ports/ports';
import { sendCfnResponse } from './cfn-response';

/** What a custom resource tells CloudFormation when it went well. */
export interface CustomResourceResponse {
  /** Another one than before makes CloudFormation delete the old resource afterwards. */
  readonly physicalResourceId: string;
  /** Attributes for `Fn::GetAtt`; a few, since the whole answer holds 4 KB. */
  readonly data?: Readonly<Record<string, string>>;
}

export type CustomResourceHandler = (event: CloudFormationCustomResourceEvent) => Promise<CustomResourceResponse>;

/** A refusal that still knows the attributes: others use them also while an update is taken back. */
export class RefusedError extends Error {
  constructor(
    message: string,
    readonly data: Readonly<Record<string, string>>,
  ) {
    super(message);
  }
}

/** What answering needs of the world. */
export interface CustomResourcePorts {
  readonly send: (url: string, body: string) => Promise<void>;
  /** Whether CloudFormation is taking an update back. */
  readonly rollingBack: (stackId: string) => Promise<boolean>;
  readonly log: Log;
}

/** The id of a resource that could not be created; CloudFormation asks to delete it right away. */
export const NOT_CREATED = 'not-created';
const MAX_REASON = 2_000;

/**
 * Makes a Lambda handler of a custom resource: CloudFormation waits for an answer
 * at a URL, and without one for an hour, so every outcome is answered. A failure is
 * not reported where it would only leave the stack stuck: while an update is being
 * taken back, and when what could not be created is deleted.
 */
export function customResource(
  handle: CustomResourceHandler,
  ports: CustomResourcePorts = PORTS,
  /** The attributes that go with a failure that is not reported; CloudFormation insists on those that are used. */
  forgivenData: Readonly<Record<string, string>> = {},
) {
  return async (event: CloudFormationCustomResourceEvent): Promise<void> => {
    const { StackId, RequestId, LogicalResourceId, ResponseURL } = event;
    const same = { StackId, RequestId, LogicalResourceId };
    const answer = await handle(event).then(
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
    await ports.send(ResponseURL, JSON.stringify(answer));
  };
}

async function failure(event: CloudFormationCustomResourceEvent, error: unknown, ports: CustomResourcePorts) {
  const { RequestType: request, LogicalResourceId: resource } = event;
  const PhysicalResourceId = 'PhysicalResourceId' in event ? event.PhysicalResourceId : NOT_CREATED;
  const Reason = messageOf(error).slice(0, MAX_REASON);
  const forgiven =
    (request === 'Delete' && PhysicalResourceId === NOT_CREATED) ||
    (request === 'Update' && (await isRollback(event, ports)));
  ports.log.error('custom resource failed', { request, resource, forgiven, error });
  return forgiven
    ? { Status: 'SUCCESS' as const, PhysicalResourceId }
    : { Status: 'FAILED' as const, PhysicalResourceId, Reason };
}

async function isRollback({ StackId }: CloudFormationCustomResourceEvent, { rollingBack, log }: CustomResourcePorts) {
  return rollingBack(StackId).catch((error: unknown) => {
    log.warn('status of the stack unknown', { reason: messageOf(error) });
    return false;
  });
}

const PORTS: CustomResourcePorts = { send: sendCfnResponse, rollingBack, log: jsonLog() };

async function rollingBack(stackId: string): Promise<boolean> {
  return (await statusOf(stackId)).includes('ROLLBACK');
}

/** Whether an update of the stack is being taken back, and not its creation. */
export async function updateRollingBack(stackId: string): Promise<boolean> {
  return (await statusOf(stackId)).startsWith('UPDATE_ROLLBACK');
}

async function statusOf(stackId: string): Promise<string> {
  const { stackStatus } = await import('../../shared/adapters/stack-status');
  const { env } = process;
  return stackStatus(stackId, {
    region: env.AWS_REGION ?? '',
    credentials: async () => credentialsFrom(env),
    endpoint: env.AWS_ENDPOINT_URL_CLOUDFORMATION ?? env.AWS_ENDPOINT_URL,
  });
}
