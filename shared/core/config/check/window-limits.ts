import { MAX_PEAKS } from '../../basics/record-limits';

/** Each has a count in the record, which has to stay small. */
export const MAX_RELATIVE = 25;
/** With a learned lead time each may have an occurrence in the record that is requested. */
export const MAX_AUTO = 25;

/** How many windows the events of a NodePool may announce at once. */
export function peaksAmong(events: readonly unknown[] = []): number {
  return events.length > 0 ? MAX_PEAKS : 0;
}
