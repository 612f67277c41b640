import { MAX_COUNTED } from '../basics/record-limits';
import type { HeadroomConfig } from '../config/config';
import { ANNOTATIONS } from '../manifests/annotations';

/** What shows the last decided size. */
export interface Decided {
  readonly annotations: Readonly<Record<string, string>>;
  readonly replicas: number;
  /** Who set the size, if not Headstart. */
  readonly scaledBy?: string;
}

/** The size that Headstart itself decided last, and so the one that stands; one that was set by hand counts only up to max. */
export function lastDecided({ annotations, replicas, scaledBy }: Decided, { max }: HeadroomConfig): number {
  const decided = annotations[ANNOTATIONS.decided] ?? '';
  if (/^\d{1,9}$/.test(decided)) return Math.min(Number(decided), MAX_COUNTED + max);
  return Math.min(replicas, scaledBy === undefined ? MAX_COUNTED + max : max);
}
