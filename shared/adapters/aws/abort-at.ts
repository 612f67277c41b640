/** The longest timer; it must be an integer, too. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Options that make an AWS SDK call give up at the deadline, retries included. */
export function abortAt(deadline: number): { readonly abortSignal: AbortSignal } {
  const left = Math.min(Math.max(deadline - Date.now(), 0), MAX_TIMEOUT_MS);
  return { abortSignal: AbortSignal.timeout(Math.floor(left)) };
}
