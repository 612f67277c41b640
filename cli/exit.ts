import { messageOf } from '../shared/core/basics/errors';
import type { Terminal } from './terminal';

/** 0 fine, 1 the user's input is wrong, 2 the outside world failed. */
export const EXIT = { fine: 0, input: 1, outside: 2 } as const;

/** The user's input is wrong; the message says what to write or run instead. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Says what went wrong on stderr, without a stack trace, and answers the exit code. */
export function report(error: unknown, { err }: Pick<Terminal, 'err'>): number {
  err(`${messageOf(error)}\n`);
  return error instanceof InputError ? EXIT.input : EXIT.outside;
}
