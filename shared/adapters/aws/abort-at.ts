/** A timer cannot be longer; nor can it be a fraction. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Options by which a call of an AWS SDK client gives up at the deadline, retries included. */
export function abortAt(deadline: number): { readonly abortSignal: AbortSignal } {
  const left = Math.min(Math.max(deadline - Date.now(), 0), MAX_TIMEOUT_MS);
  return { abortSignal: AbortSignal.timeout(Math.floor(left)) };
}
