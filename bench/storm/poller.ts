/** What is sent, and how Lambda takes it from the queue. */
export interface Polling {
  readonly messages: number;
  /** Over how long they arrive, evenly; 0 for all at once. */
  readonly arrivalMs: number;
  readonly batchSize: number;
  readonly windowMs: number;
  /** How long one ReceiveMessage takes. */
  readonly receiveMs: number;
  /** How many batches are gathered or handled at a time. */
  readonly concurrency: number;
  /** How long the function takes for a batch of this many messages. */
  readonly serviceMs: (messages: number) => number;
}

export interface Polled {
  readonly invocations: number;
  readonly perBatch: number;
  readonly handledMs: number;
}

/** SQS returns no more at once. */
const PER_RECEIVE = 10;

/**
 * How full batches become. As AWS documents it, Lambda goes on polling until the batch is full, its window has passed since
 * its first message, or its payload is 6 MB (1,000 spot notices are 1.5 MB). One batch is gathered by one poller, one receive
 * after the other, and handled before that poller gathers the next: AWS does not say how it is, and this is the slow way.
 */
export function poll({ messages, arrivalMs, batchSize, windowMs, receiveMs, concurrency, serviceMs }: Polling): Polled {
  const arrivesAt = (index: number) => (index * arrivalMs) / messages;
  const pollers = Array.from({ length: concurrency }, () => ({ at: 0, batch: 0, since: 0 }));
  let [taken, invocations, handledMs] = [0, 0, 0];
  while (taken < messages || pollers.some(({ batch }) => batch > 0)) {
    const busy = pollers.filter(({ batch }) => batch > 0 || taken < messages);
    // Of two that wait for the same message, the one with fewer gets it: in the long run they share.
    const poller = busy.reduce((first, one) =>
      one.at < first.at || (one.at === first.at && one.batch < first.batch) ? one : first,
    );
    const before = poller.batch;
    while (
      poller.batch < Math.min(batchSize, before + PER_RECEIVE) &&
      taken < messages &&
      arrivesAt(taken) <= poller.at
    ) {
      poller.batch += 1;
      taken += 1;
    }
    if (before === 0) poller.since = poller.at;
    const closesAt = poller.since + windowMs;
    if (poller.batch === batchSize || (poller.batch > 0 && poller.at >= closesAt)) {
      invocations += 1;
      poller.at += serviceMs(poller.batch);
      poller.batch = 0;
      handledMs = Math.max(handledMs, poller.at);
    } else {
      // An empty receive waits for the next message, and no longer than the window.
      const next = Math.max(poller.at + receiveMs, taken < messages ? arrivesAt(taken) : Number.POSITIVE_INFINITY);
      poller.at = poller.batch > 0 ? Math.min(next, closesAt) : next;
    }
  }
  return { invocations, perBatch: messages / invocations, handledMs };
}
