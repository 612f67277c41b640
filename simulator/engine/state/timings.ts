/** Delays of the simulated components, in milliseconds. */
export interface Timings {
  /** Until a controller acts on a change. */
  readonly controller: number;
  /** Until the scheduler considers a new pod, or one that preempted others. */
  readonly scheduler: number;
  /** From binding to Running. */
  readonly podStart: number;
  /** How long containers take to stop. */
  readonly podStop: number;
  /** Karpenter closes a batch after this time without new pods, or after `batchMax`. */
  readonly batchIdle: number;
  readonly batchMax: number;
  /** Until Karpenter retries pods that are still pending. */
  readonly provisionRetry: number;
  /** How often Karpenter looks for nodes to consolidate, and how long it validates before it acts. */
  readonly disruptionPoll: number;
  readonly disruptionValidation: number;
  /** From an EC2 notice until Karpenter drains the node. */
  readonly interruptionReaction: number;
  /** From an EC2 notice until the instance is reclaimed. */
  readonly interruptionNotice: number;
  /** From the removal of the last pod until the instance is gone. */
  readonly instanceStop: number;
}

export const DEFAULT_TIMINGS: Timings = {
  controller: 20,
  // With this value a pod replaces a pause pod within 110 ms; a real cluster with KWOK took 110 to 150.
  scheduler: 50,
  podStart: 10,
  podStop: 1_000,
  batchIdle: 1_000,
  batchMax: 10_000,
  provisionRetry: 10_000,
  disruptionPoll: 10_000,
  disruptionValidation: 15_000,
  interruptionReaction: 2_000,
  interruptionNotice: 120_000,
  instanceStop: 5_000,
};
