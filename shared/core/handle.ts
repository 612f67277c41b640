import { deliveriesOf } from './events/deliveries';
import { isStatusQuestion } from './events/parse-order';
import type { Processed } from './outcome';
import type { Service } from './ports/service';
import { processEvents } from './process-event';
import {
  type BatchResponse,
  batchResponse,
  eventResponse,
  type Ignored,
  type OrderResponse,
  orderResponse,
  type Rejected,
  type Response,
} from './respond';
import { type PoolStatus, statusOf } from './status';

export interface StatusResponse {
  readonly at: string;
  readonly status: readonly PoolStatus[];
}

export type HandlerResponse = Response | BatchResponse | OrderResponse | StatusResponse | Rejected | Ignored;

/** Whatever AWS delivers and whatever a person orders, with the response that its sender expects. */
export async function handle(raw: unknown, service: Service): Promise<HandlerResponse> {
  if (isStatusQuestion(raw)) {
    const at = service.now();
    return { at: new Date(at).toISOString(), status: await statusOf(service, at) };
  }
  return respond(raw, await processEvents(deliveriesOf(raw), service), service);
}

/** The response to what was processed, by what its sender is: a queue, a person, or EventBridge. */
export function respond(raw: unknown, processed: Processed, { config }: Service): HandlerResponse {
  if (isBatch(raw)) return batchResponse(processed);
  if (processed.asked.some(({ event }) => event.kind === 'order')) return orderResponse(processed, config);
  return eventResponse(processed);
}

function isBatch(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && 'Records' in raw;
}
