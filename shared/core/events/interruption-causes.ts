import type { InterruptionSource } from './event-source';
import { EVENT_SOURCES } from './event-sources';

/** The interruption sources, sorted by their names in `interruptions.on`. */
export const INTERRUPTION_SOURCES: readonly InterruptionSource[] = EVENT_SOURCES.filter(
  (source): source is InterruptionSource => 'cause' in source,
).sort((a, b) => (a.cause < b.cause ? -1 : 1));

export const INTERRUPTION_CAUSES: readonly string[] = INTERRUPTION_SOURCES.map(({ cause }) => cause);

/** The default of `interruptions.on`. */
export const DEFAULT_CAUSES: readonly string[] = INTERRUPTION_SOURCES.filter(({ onByDefault }) => onByDefault).map(
  ({ cause }) => cause,
);
