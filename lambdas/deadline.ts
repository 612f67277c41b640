/** The part of Lambda's context with the remaining time. */
export interface LambdaContext {
  getRemainingTimeInMillis(): number;
}

/**
 * When every call of this invocation must have ended. The reserve is left to report a
 * failure before Lambda kills the function. Without Lambda there is no deadline.
 */
export function deadlineOf(context: LambdaContext | undefined, reserveMs: number): number {
  if (!context) return Number.POSITIVE_INFINITY;
  const left = context.getRemainingTimeInMillis();
  // With very little time left, the reserve takes at most a quarter.
  return Date.now() + left - Math.min(reserveMs, left / 4);
}
