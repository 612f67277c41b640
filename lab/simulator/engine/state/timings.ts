/** Delays of the simulated components, in milliseconds. */
export type Timings = Readonly<Record<keyof typeof DEFAULT_TIMINGS, number>>;

export const DEFAULT_TIMINGS = {
  /** Until a controller acts on a change. */
  controller: 20,
  /**
   * Until the scheduler considers a new pod, or one that preempted others. With this value a pod replaces a pause pod
   * within 110 ms; a real cluster with KWOK took 110 to 150.
   */
  scheduler: 50,
  /** From binding to Running. */
  podStart: 10,
  podStop: 1_000,
  /** Karpenter closes a batch after this time without new pods, or after `batchMax`. */
  batchIdle: 1_000,
  batchMax: 10_000,
  /** Until Karpenter retries pods that are still pending. */
  provisionRetry: 10_000,
  /** How often Karpenter looks for nodes to consolidate, and how long it validates before it acts. */
  disruptionPoll: 10_000,
  disruptionValidation: 15_000,
  /** From an EC2 notice until Karpenter drains the node. */
  interruptionReaction: 2_000,
  /** From an EC2 notice until the instance is reclaimed. */
  interruptionNotice: 120_000,
  /** From the removal of the last pod until the instance is gone. */
  instanceStop: 5_000,
};
