/** How long a deploy waits for a new access entry to be known everywhere: seconds as a rule, and minutes at worst. */
export const PATIENCE_MS = 120_000;

/** Lets time pass. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
