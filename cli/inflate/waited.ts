/** How the waiting for nodes ended. */
export interface Waited {
  /** `replaced`: another override or a release took its place. */
  readonly kind: 'ready' | 'late' | 'interrupted' | 'ended' | 'replaced';
  readonly wanted: number;
  readonly ready: number;
  readonly afterMs: number;
  /** What replaced the override. */
  readonly instead?: string;
  /** Why capacity is missing, as sentences; if nothing is refused, what is on its way. */
  readonly why: readonly string[];
}
