import { EVENT_QUEUE } from '../../shared/core/events/delivery-limits';
import type { Delivered } from '../../test/cluster/functions/queue';
import { time } from '../cluster/statistics';
import type { Storm } from './notices';
import { poll } from './poller';

const RECEIVES_MS = [10, 20, 50];
const ARRIVALS_MS = [0, 60_000];

interface Measured {
  readonly storm: Storm;
  readonly batchSize: number;
  readonly delivered: Delivered;
}

/** A storm that was measured with several batch sizes, as Lambda's poller would deliver it. */
export function pollerTable(rows: readonly Measured[]): string {
  const first = rows.find(({ batchSize }) => batchSize < EVENT_QUEUE.batchSize);
  if (!first) return 'No storm was measured with several batch sizes.';
  const compared = rows.filter(({ storm }) => storm.own.length === first.storm.own.length);
  const measured = compared.map(({ batchSize, delivered }) => ({
    size: batchSize,
    ms: delivered.busyMs / delivered.invocations,
  }));
  const windowMs = EVENT_QUEUE.batchingSeconds * 1000;
  const cell = (batchSize: number, receiveMs: number, arrivalMs: number) => {
    const serviceMs = (messages: number) => between(measured, messages);
    const messages = first.storm.bodies.length;
    const polled = poll({ messages, arrivalMs, batchSize, windowMs, receiveMs, concurrency: 2, serviceMs });
    return `${Math.round(polled.perBatch)}, ${time(polled.handledMs)}`;
  };
  return [
    `Computed, not measured: Lambda gathers a batch for up to ${EVENT_QUEUE.batchingSeconds} s, ten messages for each call to SQS, and AWS does not say how long a call takes. For the storm of ${first.storm.own.length} notices, with the time that its invocations took above: the messages in a batch on average, and when all are handled. In a quiet queue AWS says that Lambda may hold a message for up to 20 s.`,
    '',
    `| they arrive | one call to SQS takes | ${measured.map(({ size }) => `batches of up to ${size}`).join(' | ')} |`,
    `|---|---|${measured.map(() => '---|').join('')}`,
    ...ARRIVALS_MS.flatMap((arrivalMs) =>
      RECEIVES_MS.map((receiveMs) => {
        const cells = measured.map(({ size }) => cell(size, receiveMs, arrivalMs));
        const arrival = arrivalMs === 0 ? 'at once' : `within ${arrivalMs / 1000} s`;
        return `| ${arrival} | ${receiveMs} ms | ${cells.join(' | ')} |`;
      }),
    ),
  ].join('\n');
}

/** The time of a batch, between those that were measured; a smaller one takes as long as the smallest. */
function between(measured: readonly { readonly size: number; readonly ms: number }[], size: number): number {
  const above = measured.find((one) => one.size >= size) ?? measured.at(-1);
  const below = measured.filter((one) => one.size < size).at(-1);
  if (!above || !below || above === below) return above?.ms ?? 0;
  return below.ms + ((above.ms - below.ms) * (size - below.size)) / (above.size - below.size);
}
