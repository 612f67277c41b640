import { handle, handleAnnounced } from '../../../shared/core/handle';
import type { Service } from '../../../shared/core/ports/ports';

/** The NodePool of the first stack whose peaks are announced, and the config of its events; a deploy may take them away. */
export const ANNOUNCED_POOL = 'sale';
const CAMPAIGN =
  '{name: campaign, pattern: {source: [shop.cms]}, cancel: {source: [shop.cms]}, from: $.detail.from, to: $.detail.to, key: $.detail.id, desiredReplicas: 6}';
const IMPORT = '{name: import, pattern: {source: [aws.s3]}, cancel: {source: [aws.s3]}, hold: 90s, desiredReplicas: 4}';
export const ANNOUNCED_POOLS = [
  `\n  sale: {max: 9, leadTime: 2m, events: [${CAMPAIGN}, ${IMPORT}]}`,
  `\n  sale: {base: 1, max: 7, leadTime: 2m, events: [${CAMPAIGN}, ${IMPORT.replace('90s', '2m')}]}`,
  `\n  sale: {base: 2, max: 5, leadTime: 2m, events: [${IMPORT}]}`,
];

/** A message of the queue of announced peaks. */
export interface Announcement {
  readonly event: 'campaign' | 'import';
  readonly key: string;
  readonly cancel: boolean;
  /** The event's own time and when EventBridge took it in. */
  readonly time: number;
  readonly ingestedAt: number;
  readonly from?: number;
  readonly to?: number;
}

/** As the rule's input transformer writes it. */
export function announcementBody({ event, key, cancel, time, ingestedAt, from, to }: Announcement): string {
  const detail = { id: key, ...(from !== undefined && { from: iso(from) }), ...(to !== undefined && { to: iso(to) }) };
  return JSON.stringify({
    announced: { nodePool: ANNOUNCED_POOL, event, cancel },
    ingestedAt: iso(ingestedAt),
    event: { source: event === 'campaign' ? 'shop.cms' : 'aws.s3', time: iso(time), detail },
  });
}

/** `undefined` if the message is malformed; campaigns that are to be refused have other keys. */
export function readAnnouncement(body: string): Announcement | undefined {
  try {
    const { announced, ingestedAt, event } = JSON.parse(body);
    const { id, from, to } = event.detail;
    if (announced.event === 'campaign' && !/^c\d+$/.test(String(id))) return undefined;
    const dated = from === undefined ? {} : { from: Date.parse(from), to: Date.parse(to) };
    const times = { time: Date.parse(event.time), ingestedAt: Date.parse(ingestedAt), ...dated };
    return { event: announced.event, key: id, cancel: announced.cancel, ...times };
  } catch {
    return undefined;
  }
}

/** The handler of each function. */
export function handleAny(raw: unknown, service: Service): Promise<unknown> {
  return service.accepts === 'announcement' ? handleAnnounced(raw, service) : handle(raw, service);
}

function iso(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}
