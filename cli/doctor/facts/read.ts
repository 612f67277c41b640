import { messageOf } from '../../../shared/core/basics/errors';

/** What could be read, or the reason why not. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string };

/** Waits for a reading; one that fails is an answer too. */
export async function read<T>(reading: Promise<T>): Promise<Read<T>> {
  try {
    return { ok: true, value: await reading };
  } catch (error) {
    return { ok: false, why: messageOf(error) };
  }
}

export function mapRead<T, R>(found: Read<T>, map: (value: T) => R): Read<R> {
  return found.ok ? { ok: true, value: map(found.value) } : found;
}
