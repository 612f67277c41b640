import { ANNOTATIONS } from '../manifests/annotations';
import type { Decided } from './last-decided';
import type { HeadroomRecord } from './record';
import { readRecord } from './record-codec';

/** What the Deployment says of earlier intents. */
export interface StoredRecord {
  readonly record: HeadroomRecord;
  /** The part of the annotation that cannot be read, kept for a person to inspect. */
  readonly quarantined: string | undefined;
  /** The counts were in a part that cannot be read, or somebody removed the record. */
  readonly lostCounts: boolean;
}

/** Reads the record of a Deployment. */
export function readStored(current: Pick<Decided, 'annotations'> | undefined): StoredRecord {
  const annotation = current?.annotations[ANNOTATIONS.record];
  const read = readRecord(annotation);
  return {
    record: read.record,
    quarantined: read.quarantined ?? current?.annotations[ANNOTATIONS.quarantined],
    // Every write carries a record, so that a Deployment without one has lost it.
    lostCounts: current !== undefined && (read.lostCounts === true || !annotation),
  };
}
