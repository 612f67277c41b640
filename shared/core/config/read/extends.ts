import type { Place } from '../yaml/problem';
import { type ConfigSource, readLocated } from '../yaml/read-located';

export interface Extended {
  /** As it is written, relative to the file that names it. */
  readonly base: string;
  readonly place: Place;
}

/** The file that a config extends; `undefined` if it names none. */
export function extendedBy(source: ConfigSource): Extended | undefined {
  const { tree } = readLocated(source);
  const entry = tree.kind === 'map' ? tree.entries.get('extends') : undefined;
  if (entry?.value.kind !== 'scalar' || typeof entry.value.value !== 'string') return undefined;
  return { base: entry.value.value, place: entry.keyPlace };
}
