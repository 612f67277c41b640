/** How AWS delivers events to the functions. The CDK app sets it up with these values, and the simulator works by them. */

/** The queue between the notices and the function that handles them. */
export const INTERRUPTION_QUEUE = {
  /** One look at the NodeClaims serves a whole burst. */
  batchSize: 100,
  /** How long a batch waits for more messages. */
  batchingSeconds: 1,
  /** How long the function may take for one batch. */
  functionTimeoutSeconds: 20,
  /** A message that was not handled comes again after this: longer than the function may take, and four times before a spot node is gone. */
  visibilitySeconds: 25,
  /** A message that was received so often without success goes to the dead-letter queue: after ten minutes. */
  maxReceives: 24,
} as const;

/** How often Lambda tries an alarm's state change again before it goes to the dead-letter queue. */
export const ASYNC_RETRIES = 2;
/** Heartbeats and window edges are never tried again, and never become dead letters: the next heartbeat is the retry. */
export const TICK_RETRIES = 0;
