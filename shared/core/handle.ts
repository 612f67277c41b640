import type { Config } from './config/config';
import { deliveriesOf } from './events/deliveries';
import { parseAwsEvent, parseEvent } from './events/parse-event';
import { isConfigQuestion, isStatusQuestion } from './events/parse-override';
import { overrideIntents } from './intents/override-intents';
import { announcementParser } from './intents/parse-announced';
import type { Processed } from './outcome';
import type { Runtime } from './ports/ports';
import { processEvents } from './process-event';
import {
  type BatchResponse,
  batchResponse,
  eventResponse,
  type Ignored,
  type OverrideResponse,
  overrideResponse,
  type Rejected,
  type Response,
} from './respond';
import { type HeadroomStatus, statusOf } from './status';

export interface StatusResponse {
  readonly at: string;
  readonly status: readonly HeadroomStatus[];
}

/** The deployed config, to compare with one that is about to be deployed. */
export interface ConfigResponse {
  readonly at: string;
  readonly config: Config;
}

export type EventResponse = Response | BatchResponse | Rejected | Ignored;
export type HandlerResponse = EventResponse | OverrideResponse | StatusResponse | ConfigResponse;

/** Handles what AWS delivers. Functions that never get overrides use this, so that their bundles leave the rest out. */
export async function handleEvent(raw: unknown, runtime: Runtime): Promise<EventResponse> {
  return respondToEvent(raw, await processEvents(deliveriesOf(raw), parseAwsEvent, runtime));
}

export async function handleAnnounced(raw: unknown, runtime: Runtime): Promise<EventResponse> {
  return respondToEvent(raw, await processEvents(deliveriesOf(raw), announcementParser(runtime.config), runtime));
}

/** Handles AWS events, overrides, and status and config requests. */
export async function handle(raw: unknown, runtime: Runtime): Promise<HandlerResponse> {
  if (isConfigQuestion(raw)) return { at: new Date(runtime.now()).toISOString(), config: runtime.config };
  if (isStatusQuestion(raw)) {
    const at = runtime.now();
    return { at: new Date(at).toISOString(), status: await statusOf(runtime, at) };
  }
  return respond(raw, await processEvents(deliveriesOf(raw), parseEvent, runtime, overrideIntents));
}

/** The response that the sender expects: a queue, a person, or EventBridge. */
export function respond(raw: unknown, processed: Processed): HandlerResponse {
  const isOverride = processed.events.some(({ event }) => event.kind === 'override');
  return isOverride && !isBatch(raw) ? overrideResponse(processed) : respondToEvent(raw, processed);
}

function respondToEvent(raw: unknown, processed: Processed): EventResponse {
  return isBatch(raw) ? batchResponse(processed) : eventResponse(processed);
}

function isBatch(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && 'Records' in raw;
}
