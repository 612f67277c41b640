/** How AWS delivers events to the functions. The CDK app sets it up with these values, and the simulator works by them. */

/** The queue between the notices and the function that handles them. */
export const INTERRUPTION_QUEUE = {
  /** One look at the NodeClaims serves a whole burst. */
  batchSize: 100,
  /** How long a batch waits for more messages. */
  batchingSeconds: 1,
  /** How long the function may take for one batch. */
  functionTimeoutSeconds: 20,
  /** A message that was not handled comes again after this; AWS advises six times the function's timeout. */
  visibilitySeconds: 120,
  /** A message that was received so often without success goes to the dead-letter queue. */
  maxReceives: 5,
} as const;

/** How often Lambda tries an asynchronous event again before it goes to the dead-letter queue. */
export const ASYNC_RETRIES = 2;
