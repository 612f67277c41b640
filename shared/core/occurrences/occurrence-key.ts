import type { Window } from '../windows/window';

/** The key of an occurrence in the record: `lunch@2026-11-17T02:30:00.000Z`. */
export function occurrenceKey({ name }: Pick<Window, 'name'>, start: number): string {
  return `${name}@${new Date(start).toISOString()}`;
}

/** The last `@` separates them: a name may contain one, the time never does. */
export function windowIn(key: string): string {
  return key.slice(0, key.lastIndexOf('@'));
}

export function startIn(key: string): number {
  return Date.parse(key.slice(key.lastIndexOf('@') + 1));
}
