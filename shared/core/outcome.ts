import type { HeadroomOutcome } from './apply/apply-decision';
import type { Removed } from './apply/remove-forgotten';
import { type Failure, failureText } from './basics/failures';
import type { HeadroomConfig } from './config/config';
import type { Rejection } from './events/deliveries';
import type { EventIntents } from './intents/collect-intents';
import type { Observed } from './observe/observe';
import type { Preemption } from './ports/ports';

/** What a reconcile did. A failure of one part does not undo the others. */
export interface Outcome {
  readonly at: number;
  readonly headrooms: readonly HeadroomOutcome[];
  readonly removed: readonly string[];
  /** Our own headroom that the config no longer contains; the next deploy removes it. */
  readonly leftovers: readonly string[];
  /** The headrooms that could not be reconciled. */
  readonly failedHeadrooms: readonly string[];
  /** Absent if they were not read. */
  readonly preemptions?: readonly Preemption[];
  readonly failures: readonly Failure[];
}

export interface Processed {
  readonly at: number;
  readonly events: readonly EventIntents[];
  readonly rejected: readonly Rejection[];
  /** Reading the NodeClaims failed, so interrupted instances have no known NodePool. */
  readonly unread?: Failure;
  /** Absent when there was nothing to reconcile. */
  readonly outcome?: Outcome;
}

/** Failures that a retry may fix. */
export class ReconcileError extends AggregateError {
  override readonly name = 'ReconcileError';

  constructor(failures: readonly Failure[]) {
    const texts = failures.map(failureText);
    super(
      failures.map(({ error }, index) => new Error(texts[index], { cause: error })),
      texts.join('; '),
    );
  }
}

interface Parts {
  readonly now: number;
  readonly seen: Pick<Observed, 'failures' | 'liveText' | 'preemptions'>;
  /** The headrooms to bring to their size: all, or those that an override with a local config names. */
  readonly decided: readonly Pick<HeadroomConfig, 'name'>[];
  /** One for each of them; none when the headroom could not be read. */
  readonly results: readonly PromiseSettledResult<HeadroomOutcome>[];
  readonly removed: Removed;
  readonly isDeploy?: boolean;
}

export function outcomeOf({ decided, now, seen, results, removed, isDeploy = false }: Parts): Outcome {
  const headrooms: HeadroomOutcome[] = [];
  const failedHeadrooms: string[] = [];
  const failures: Failure[] = [...seen.failures];
  for (const [index, { name }] of decided.entries()) {
    const result = results[index];
    if (result?.status === 'fulfilled') headrooms.push(result.value);
    else failedHeadrooms.push(name);
    if (result?.status === 'rejected') failures.push({ what: `headroom ${name}`, error: result.reason });
  }
  // People edit it between deploys, so that it never fails one; a time-out or two are no failure either.
  if (seen.liveText?.kind === 'unread' && headrooms.some(({ live }) => live?.isUnread) && !isDeploy)
    failures.push({ what: 'reading the live schedules', error: new Error(seen.liveText.problem) });
  // Nor does a workload of the user.
  if (!isDeploy) failures.push(...headrooms.flatMap(({ like }) => like?.failures ?? []));
  return {
    at: now,
    headrooms,
    removed: removed.names,
    leftovers: removed.leftovers,
    failedHeadrooms,
    ...(seen.preemptions && { preemptions: seen.preemptions }),
    failures: [...failures, ...removed.failures],
  };
}
