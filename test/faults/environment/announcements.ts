import { handle, handleAnnounced } from '../../../shared/core/handle';
import type { Runtime } from '../../../shared/core/ports/ports';

/** The NodePool of the first stack whose peaks are announced, and the config of its events; a deploy may take them away. */
export const ANNOUNCED_POOL = 'sale';
const CAMPAIGN =
  '{name: campaign, pattern: {source: [shop.cms]}, cancel: {source: [shop.cms]}, from: $.detail.from, to: $.detail.to, key: $.detail.id, desiredReplicas: 6}';
const IMPORT = '{name: import, pattern: {source: [aws.s3]}, cancel: {source: [aws.s3]}, hold: 90s, desiredReplicas: 4}';
const FLASH = CAMPAIGN.replace('name: campaign', 'name: flash').replace('desiredReplicas: 6', 'desiredReplicas: 5');
const adding = (event: string) => event.replace(/desiredReplicas: \d/, 'addNodes: 3');
/** The labels and sizes of nodes are those of the other floor. */
const FLOOR =
  'unit: {floor: {cpu: 4}}, nodeSelector: {karpenter.sh/nodepool: sale}, nodeAffinity: [{key: kubernetes.io/arch, operator: NotIn, values: [arm64]}, {key: example.com/old, operator: DoesNotExist}, {key: example.com/rack, operator: Exists}, {key: example.com/disk, operator: Lt, values: ["8"]}]';
/** After the first deploy, campaigns are those of an event that is not named any more. */
export const ANNOUNCED_POOLS = [
  `\n  sale: {max: 9, leadTime: 2m, events: [${CAMPAIGN}, ${IMPORT}]}`,
  `\n  sale: {${FLOOR}, base: 1, max: 7, leadTime: 2m, events: [${adding(FLASH)}, ${adding(IMPORT).replace('90s', '2m')}]}`,
  `\n  sale: {base: 2, max: 5, leadTime: 2m, events: [${FLASH}, ${IMPORT}]}`,
];

/** A message of the queue of announced peaks. */
export interface Announcement {
  readonly event: 'campaign' | 'flash' | 'import';
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
    announced: { headroom: ANNOUNCED_POOL, event, cancel },
    ingestedAt: iso(ingestedAt),
    event: { source: event === 'import' ? 'aws.s3' : 'shop.cms', time: iso(time), detail },
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

/** What the log says of a message that is dated more than a minute ahead of the function's clock. */
export function aheadText(body: string, clock: number): string | undefined {
  if (!readAnnouncement(body)) return undefined;
  const { ingestedAt, event } = JSON.parse(body);
  const times = { 'event.time': event.time, 'the top.ingestedAt': ingestedAt };
  const [path, got] = Object.entries(times).find(([, time]) => Date.parse(time) > clock + 60_000) ?? [];
  return path && aheadOf(path, String(got), clock);
}

export function aheadOf(path: string, got: string, clock: number): string {
  const says = new Date(clock).toISOString();
  return `event has a time that lies ahead at ${path}, got "${got}"; the clock of this function says ${says}`;
}

/** The handler of each function. */
export function handleAny(raw: unknown, runtime: Runtime): Promise<unknown> {
  return runtime.accepts === 'announcement' ? handleAnnounced(raw, runtime) : handle(raw, runtime);
}

function iso(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}
