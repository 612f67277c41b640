import type { Window } from '../windows/window';

/** What an opening of a window is known by in the record: `lunch@2026-11-17T02:30:00.000Z`. */
export function openingKey({ name }: Window, start: number): string {
  return `${name}@${new Date(start).toISOString()}`;
}

/** A name may have any character, and the time has none like this. */
export function windowIn(key: string): string {
  return key.slice(0, key.lastIndexOf('@'));
}

export function startIn(key: string): number {
  return Date.parse(key.slice(key.lastIndexOf('@') + 1));
}
