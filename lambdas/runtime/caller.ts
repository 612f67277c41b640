import type { Log } from '../../shared/core/ports/ports';

/** The part of Lambda's context that tells of an invocation's origin. */
export interface InvocationContext {
  readonly awsRequestId?: string;
  /** Only of callers who come through Amazon Cognito. */
  readonly identity?: { readonly cognitoIdentityId?: string };
}

/**
 * A log whose every line carries the invocation's request id, under which CloudTrail's data events
 * tell who called, and the caller itself in the one case in which Lambda tells it.
 */
export function logOfInvocation(log: Log, { awsRequestId, identity }: InvocationContext = {}): Log {
  const told = {
    ...(awsRequestId !== undefined && { requestId: awsRequestId }),
    ...(identity?.cognitoIdentityId !== undefined && { caller: identity.cognitoIdentityId }),
  };
  return {
    info: (message, fields) => log.info(message, { ...fields, ...told }),
    warn: (message, fields) => log.warn(message, { ...fields, ...told }),
    error: (message, fields) => log.error(message, { ...fields, ...told }),
  };
}
