/**
 * Retrying cannot help: the event or the request itself is wrong.
 * Anything else that is thrown counts as transient and is retried.
 */
export abstract class PermanentError extends Error {
  /** What could have been sent instead. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** An event that we handle, without the content that its source documents. */
export class InvalidEventError extends PermanentError {
  override readonly name = 'InvalidEventError';
}

/** An override that cannot be carried out as written; the message says what to write instead. */
export class InvalidOverrideError extends PermanentError {
  override readonly name = 'InvalidOverrideError';
  override readonly example = { headroom: 'default', atLeast: 6, for: '30m', reason: 'flash sale', by: 'ana' };
}

/** The object changed, appeared or vanished since it was read: read again and decide again. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/** One line for any thrown value. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
