/** How the waiting for nodes ended. */
export interface Waited {
  readonly kind: 'ready' | 'late' | 'interrupted' | 'ended';
  readonly wanted: number;
  readonly ready: number;
  readonly afterMs: number;
  /** Why capacity is missing, in sentences. */
  readonly why: readonly string[];
}
