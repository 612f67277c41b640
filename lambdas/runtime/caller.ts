import type { Log } from '../../shared/core/ports/ports';

/** The part of Lambda's context that identifies the caller. */
export interface InvocationContext {
  readonly awsRequestId?: string;
  /** Only for callers through Amazon Cognito. */
  readonly identity?: { readonly cognitoIdentityId?: string };
}

/**
 * A log that adds the invocation's request id to every line, by which CloudTrail's data events identify
 * the caller, and the caller itself in the one case in which Lambda knows it.
 */
export function logOfInvocation(log: Log, { awsRequestId, identity }: InvocationContext = {}): Log {
  const origin = {
    ...(awsRequestId !== undefined && { requestId: awsRequestId }),
    ...(identity?.cognitoIdentityId !== undefined && { caller: identity.cognitoIdentityId }),
  };
  return {
    info: (message, fields) => log.info(message, { ...fields, ...origin }),
    warn: (message, fields) => log.warn(message, { ...fields, ...origin }),
    error: (message, fields) => log.error(message, { ...fields, ...origin }),
  };
}
