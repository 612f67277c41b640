/** Exit codes; 2 also means nodes that were not ready in time, or problems found by `doctor` and `status --check`. */
export const EXIT = { ok: 0, invalidInput: 1, failed: 2 } as const;

export const EXIT_HELP =
  '0 success, 1 invalid input, 2 AWS or the cluster returned an error, or has a problem (doctor, status --check, inflate)';

/** The arguments, the config or an input file is wrong; the message says how to fix it. */
export class InputError extends Error {
  override readonly name = 'InputError';
}
