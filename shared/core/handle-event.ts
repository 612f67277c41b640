import { InvalidEventError } from './basics/errors';
import { decisionTime } from './decision/decision-time';
import type { HeadstartEvent } from './events/event';
import { parseEvent } from './events/parse-event';
import { intentsFor } from './intents/intents-for';
import { reconcile } from './reconcile';
import { type Response, responseOf } from './response';
import type { Service } from './service';

/** A schedule edge, the heartbeat or a deploy: look, and bring everything to what is wanted now. */
export async function handleTick(raw: unknown, service: Service): Promise<Response> {
  const event = expect(raw, 'tick');
  const { config, ports, now } = service;
  return responseOf(await reconcile(config, decisionTime(now(), event.at), [], ports));
}

/** An alarm's new state: record it, then the same as ever. */
export async function handleAlarm(raw: unknown, service: Service): Promise<Response> {
  const event = expect(raw, 'alarm');
  const { config, ports, now } = service;
  const { intents, foreign } = intentsFor(event, config);
  if (foreign.length > 0) {
    ports.metrics.count('foreignEvents', foreign.length);
    ports.log.info('alarm not configured', { alarmName: event.alarmName });
  }
  return responseOf(await reconcile(config, now(), intents, ports));
}

function expect<K extends HeadstartEvent['kind']>(raw: unknown, kind: K): Extract<HeadstartEvent, { kind: K }> {
  const event = parseEvent(raw);
  if (event?.kind === kind) return event as Extract<HeadstartEvent, { kind: K }>;
  const got = (raw as Record<string, unknown>)['detail-type'];
  throw new InvalidEventError(`event is not for this function: expected ${kind}, got ${JSON.stringify(got)}`);
}
