import type { HeadroomConfig } from '../../shared/core/config/config';
import { heldSize } from '../../shared/core/decision/held-size';
import { type RecordFacts, updateRecord } from '../../shared/core/process-event';
import type { Decided } from '../../shared/core/record/last-decided';

interface Given extends Partial<RecordFacts> {
  readonly pool: HeadroomConfig;
  readonly current: Decided | undefined;
  readonly now: number;
}

/** The record after all steps that need no look at the cluster, and the size that is held meanwhile. */
export function updatedRecord({ pool: deployed, current, now, intents = [], ...facts }: Given) {
  const { overridden, ...updated } = updateRecord(deployed, current, now, { intents, ...facts });
  const held = heldSize(updated.record, updated.pool, { current, quarantined: updated.quarantined });
  return { ...updated, ...overridden, held };
}
