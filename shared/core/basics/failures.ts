import { messageOf } from './errors';

/** A step that failed while the others went on. */
export interface Failure {
  readonly what: string;
  readonly error: unknown;
}

export function failureText({ what, error }: Failure): string {
  return `${what}: ${messageOf(error)}`;
}

export async function attempt<T>(what: string, work: Promise<T>, failures: Failure[]): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    failures.push({ what, error });
    return undefined;
  }
}
