import type { HeadroomOutcome } from './apply/apply-decision';
import { messageOf } from './basics/errors';
import { type NextDecision, nextDecision } from './decision/next-decision';
import type { Rejection } from './events/deliveries';
import type { OverrideOrRelease } from './intents/newest-wins';
import { type Processed, ReconcileError } from './outcome';
import type { Override, Release } from './record/record';

/** One NodePool's decision, as functions and the command line print it. */
export interface DecisionResponse {
  readonly headroom: string;
  readonly replicas: number;
  readonly from: number;
  readonly change: HeadroomOutcome['change'];
  readonly reasons: readonly string[];
  /** How many pods of a workload one replica makes room for. */
  readonly pods?: number;
  /** Deployed windows that a live one replaces or takes out. */
  readonly replacedLive?: readonly string[];
}

export interface Response {
  readonly at: string;
  readonly decisions: readonly DecisionResponse[];
  readonly removed?: readonly string[];
  readonly leftovers?: readonly string[];
}

/** The response to an event that no retry can fix. */
export interface Rejected {
  readonly rejected: string;
  readonly example?: Rejection['example'];
}

/** The response to an event that does not concern us. */
export interface Ignored {
  readonly ignored: string;
}

/** What SQS expects: the messages to deliver again. */
export interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/** The response to an override: the decision, when it will change by itself, and what was replaced. */
export interface OverrideDecision extends DecisionResponse {
  readonly ready: number;
  readonly shortfall: number;
  readonly next?: NextChange;
  /** The earlier override that this one replaced or released. */
  readonly replaced?: WrittenOverride;
  /** A newer override or release that counts instead of this one. */
  readonly supersededBy?: WrittenOverride | WrittenRelease;
}

export interface NextChange {
  readonly at: string;
  readonly replicas: number;
  /** The nodes to add to those that there will be then. */
  readonly addNodes?: number;
  /** Shares of a workload's replicas that are counted then, in words. */
  readonly lacks?: readonly string[];
}

export type WrittenOverride = Omit<Override, 'until' | 'at'> & { readonly until: string; readonly at: string };
export type WrittenRelease = Omit<Release, 'at'> & { readonly at: string };

export interface OverrideResponse {
  readonly at: string;
  readonly decisions: readonly OverrideDecision[];
  readonly alsoFailed?: string;
}

/** To Lambda, for one event. Failures are thrown, so that Lambda counts them and retries where it is configured to. */
export function eventResponse(processed: Processed): Response | Rejected | Ignored {
  const { rejected, outcome, unread } = processed;
  if (rejected[0]) return rejectedResponse(rejected[0]);
  const failures = [...(unread ? [unread] : []), ...(outcome?.failures ?? [])];
  if (failures.length > 0) throw new ReconcileError(failures);
  if (!outcome) return { ignored: 'there is nothing in this event for Headstart' };
  const { at, headrooms, removed, leftovers } = outcome;
  return {
    at: iso(at),
    decisions: headrooms.map(decisionResponse),
    ...(removed.length > 0 && { removed }),
    ...(leftovers.length > 0 && { leftovers }),
  };
}

/** To SQS: only messages whose NodePool could not be reconciled are delivered again. */
export function batchResponse({ events, outcome, unread }: Processed): BatchResponse {
  const failedPools = new Set(outcome?.failedHeadrooms);
  const failed = events.filter(({ intents }) => unread || intents.some(({ headroom }) => failedPools.has(headroom)));
  return { batchItemFailures: failed.map(({ id }) => ({ itemIdentifier: id })) };
}

/** To the person: throws if the override failed; failures of other NodePools are only reported beside it. */
export function overrideResponse(processed: Processed): OverrideResponse | Rejected {
  const { at, rejected, events, outcome } = processed;
  if (rejected[0]) return rejectedResponse(rejected[0]);
  const requested = new Set(events.flatMap(({ intents }) => intents.map(({ headroom }) => headroom)));
  const { headrooms = [], failures = [], failedHeadrooms = [] } = outcome ?? {};
  const error = failures.length > 0 ? new ReconcileError(failures) : undefined;
  if (error && failedHeadrooms.some((name) => requested.has(name))) throw error;
  return {
    at: iso(at),
    decisions: headrooms.filter(({ headroom }) => requested.has(headroom)).map((one) => overrideDecision(one, at)),
    ...(error && { alsoFailed: messageOf(error) }),
  };
}

function overrideDecision(outcome: HeadroomOutcome, now: number): OverrideDecision {
  const { pool, replicas, ready, record, held, replaced, supersededBy } = outcome;
  const next = nextDecision({ pool, record, now, held });
  return {
    ...decisionResponse(outcome),
    ready,
    shortfall: Math.max(0, replicas - ready),
    ...(next && { next: nextChange(next) }),
    ...(replaced && { replaced: writtenOverride(replaced) }),
    ...(supersededBy && { supersededBy: written(supersededBy) }),
  };
}

export function nextChange({ at, replicas, uncounted, lacks }: NextDecision): NextChange {
  return { at: iso(at), replicas, ...(uncounted !== undefined && { addNodes: uncounted }), ...(lacks && { lacks }) };
}

function written({ override, released }: OverrideOrRelease): WrittenOverride | WrittenRelease {
  return override ? writtenOverride(override) : { ...released, at: iso(released.at) };
}

function writtenOverride(override: Override): WrittenOverride {
  return { ...override, until: iso(override.until), at: iso(override.at) };
}

function decisionResponse({
  headroom,
  replicas,
  from,
  change,
  reasons,
  live,
  pool,
}: HeadroomOutcome): DecisionResponse {
  return {
    headroom,
    replicas,
    from,
    change,
    reasons,
    ...(pool.shaped && { pods: pool.shaped.pods }),
    ...(live?.replaced.length && { replacedLive: live.replaced }),
  };
}

function rejectedResponse({ reason, example }: Rejection): Rejected {
  return { rejected: reason, ...(example && { example }) };
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
