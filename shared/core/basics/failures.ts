import { messageOf } from './errors';

/** Something that was tried and failed, while the rest went on. */
export interface Failure {
  readonly what: string;
  readonly error: unknown;
}

export function failureText({ what, error }: Failure): string {
  return `${what}: ${messageOf(error)}`;
}

/** Attempts one thing among several: what fails is noted, and the others go on. */
export async function attempt<T>(what: string, work: Promise<T>, failures: Failure[]): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    failures.push({ what, error });
    return undefined;
  }
}
