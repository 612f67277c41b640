/** How long the simulated parts take, in milliseconds. */
export interface Timings {
  /** Until a controller acts on a change. */
  readonly controller: number;
  /** Until the scheduler looks at a new pod, or again at one that made room. */
  readonly scheduler: number;
  /** From binding to Running when the node has the images. */
  readonly podStart: number;
  /** How much longer a node's first pod with an image takes. */
  readonly imagePull: number;
  /** How long containers take to stop when they are asked to. */
  readonly podStop: number;
  /** Karpenter waits for more pods while some came within this time. */
  readonly batchIdle: number;
  readonly batchMax: number;
  /** Karpenter looks again at pods that are still pending. */
  readonly provisionRetry: number;
  /** How often Karpenter looks for nodes to consolidate, and how long after that it acts. */
  readonly disruptionPoll: number;
  readonly disruptionValidation: number;
  /** From a notice of EC2 until Karpenter drains the node. */
  readonly interruptionReaction: number;
  /** From a notice of EC2 until the instance is taken. */
  readonly interruptionNotice: number;
  /** From the last pod until the instance is gone. */
  readonly instanceStop: number;
}

export const DEFAULT_TIMINGS: Timings = {
  controller: 20,
  // With this a pod takes a pause pod's place within 110 ms; a real cluster with KWOK took 110 to 150.
  scheduler: 50,
  podStart: 10,
  imagePull: 0,
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
