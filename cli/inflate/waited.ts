/** How the waiting for nodes ended. */
export interface Waited {
  /** `replaced`: somebody else's word stands by now. */
  readonly kind: 'ready' | 'late' | 'interrupted' | 'ended' | 'replaced';
  readonly wanted: number;
  readonly ready: number;
  readonly afterMs: number;
  /** What stands instead of the override, where it was replaced. */
  readonly instead?: string;
  /** Why capacity is missing, in sentences; what is on its way where nothing is refused. */
  readonly why: readonly string[];
}
