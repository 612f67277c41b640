/** How AWS delivers events to the functions. Both the CDK app and the simulator use these values. */

/** The queue between notices or announced peaks and the function that handles them. */
export const EVENT_QUEUE = {
  /** The cluster is read once per batch, so that a storm costs what it is long. Lambda ends a batch before its 6 MB. */
  batchSize: 1_000,
  /** How long a batch waits for more messages; Lambda asks for at least this much where a batch may be over ten. */
  batchingSeconds: 1,
  /** How long the function may take for one batch. */
  functionTimeoutSeconds: 20,
  /** Longer than the function may take, and short enough for four retries in the two minutes of a spot warning. */
  visibilitySeconds: 25,
  /** After ten minutes of retries a message goes to the dead-letter queue. */
  maxReceives: 24,
} as const;

/** How often Lambda retries an alarm's state change before it goes to the dead-letter queue. */
export const ASYNC_RETRIES = 2;
/** Heartbeats and window edges are never retried and never become dead letters: the next heartbeat is the retry. */
export const TICK_RETRIES = 0;
