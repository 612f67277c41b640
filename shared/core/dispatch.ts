import { parseEvent } from './events/parse-event';
import { handleAlarm, handleTick } from './handle-event';
import { handleInterruptions, type QueueMessage } from './handle-interruptions';
import { handleOrder } from './handle-order';
import { run } from './run';
import type { Service } from './service';

/** Any event through the very handler that AWS would have called; for the command line and the sandbox. */
export async function dispatch(raw: unknown, service: Service): Promise<unknown> {
  return run(service, raw, async () => {
    if (isBatch(raw)) return handleInterruptions(raw.Records, service);
    if (isOrder(raw)) return handleOrder(raw, service);
    const event = parseEvent(raw);
    switch (event?.kind) {
      case 'tick':
        return handleTick(raw, service);
      case 'alarm':
        return handleAlarm(raw, service);
      case 'interruption':
        return handleInterruptions([{ messageId: 'single', body: JSON.stringify(raw) }], service);
      default:
        return { ignored: 'there is nothing in this event for Headstart' };
    }
  });
}

function isBatch(raw: unknown): raw is { Records: QueueMessage[] } {
  return typeof raw === 'object' && raw !== null && 'Records' in raw && Array.isArray(raw.Records);
}

/** An order is the one thing that carries no sender. */
function isOrder(raw: unknown): boolean {
  return (
    typeof raw === 'object' && raw !== null && !('source' in raw) && !('detail-type' in raw) && !('alarmData' in raw)
  );
}
