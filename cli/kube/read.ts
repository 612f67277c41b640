import { KubeError } from '../../shared/adapters/kube/kube-error';
import { messageOf } from '../../shared/core/basics/errors';
import { plain } from '../terminal/plain';

export type Read<T> = { readonly ok: true; readonly value: T } | Unread;

export interface Unread {
  readonly ok: false;
  readonly why: string;
  /** The cluster has no such object, or does not serve its kind. */
  readonly notFound: boolean;
}

export async function read<T>(reading: Promise<T>): Promise<Read<T>> {
  try {
    return { ok: true, value: await reading };
  } catch (error) {
    return { ok: false, why: plain(messageOf(error)), notFound: error instanceof KubeError && error.status === 404 };
  }
}

export function mapRead<T, R>(found: Read<T>, map: (value: T) => R): Read<R> {
  return found.ok ? { ok: true, value: map(found.value) } : found;
}

export function readOr<T>(found: Read<T>, otherwise: T): T {
  return found.ok ? found.value : otherwise;
}
