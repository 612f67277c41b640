/** The part of Lambda's context that tells how long the function may still run. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/**
 * When every call of this invocation must have ended, so that what is reserved is left
 * to say what failed before Lambda kills the function. Without Lambda there is no such
 * time.
 */
export function deadlineOf(context: LambdaContext | undefined, reserveMs: number): number {
  if (!context) return Number.POSITIVE_INFINITY;
  const left = context.getRemainingTimeInMillis();
  // A very short limit is shared with the work.
  return Date.now() + left - Math.min(reserveMs, left / 4);
}
