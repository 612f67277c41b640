import { InvalidEventError } from '../shared/core/errors';
import type { HeadstartEvent } from '../shared/core/events/event';
import { parseEvent } from '../shared/core/events/parse-event';
import { intentsFor } from '../shared/core/intents';
import { decisionTime } from '../shared/core/now';
import { reconcile } from '../shared/core/reconcile';
import { type Answer, answerOf } from './answer';
import type { Service } from './service';

/** A schedule edge, the heartbeat or a deploy: look, and bring everything to what is wanted now. */
export async function handleTick(raw: unknown, service: Service): Promise<Answer> {
  const event = expect(raw, 'tick');
  const { config, outside, now } = service;
  return answerOf(await reconcile(config, decisionTime(now(), event.at), [], outside));
}

/** An alarm's new state: record it, then the same as ever. */
export async function handleAlarm(raw: unknown, service: Service): Promise<Answer> {
  const event = expect(raw, 'alarm');
  const { config, outside, now } = service;
  const { intents, foreign } = intentsFor(event, config);
  if (foreign.length > 0) {
    outside.metrics.count('foreignEvents', foreign.length);
    outside.log.info('alarm not configured', { alarmName: event.alarmName });
  }
  return answerOf(await reconcile(config, now(), intents, outside));
}

function expect<K extends HeadstartEvent['kind']>(raw: unknown, kind: K): Extract<HeadstartEvent, { kind: K }> {
  const event = parseEvent(raw);
  if (event?.kind === kind) return event as Extract<HeadstartEvent, { kind: K }>;
  const got = (raw as Record<string, unknown>)['detail-type'];
  throw new InvalidEventError(`event is not for this function: expected ${kind}, got ${JSON.stringify(got)}`);
}
