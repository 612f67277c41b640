import { EVENT_PREFIX } from '../basics/names';
import { MAX_PEAKS } from '../basics/record-limits';
import type { AnnouncedEvent, HeadroomConfig } from '../config/config';
import { type AnnouncedRecord, entryOf, type HeadroomRecord } from '../record/record';
import type { Window } from '../windows/window';
import type { Intent } from './intent';

const CLOCKS_DIFFER_MS = 300_000;
/** An older message is refused, so that nothing can come back after this. */
const KEPT_MS = 86_400_000 + CLOCKS_DIFFER_MS;

type Entry = readonly [key: string, message: AnnouncedRecord];
type Peak = AnnouncedRecord & { readonly from: number; readonly to: number };

/**
 * Whether one message about a peak counts instead of another. The later one does; within one second an announcement
 * counts over a cancellation, and of two announcements the one that begins, then ends, later.
 */
export function isNewerMessage(a: AnnouncedRecord, b: AnnouncedRecord): boolean {
  const [x, y] = [a, b].map(({ at, from = 0, to = 0 }) => [at, from, to]) as [number[], number[]];
  const differs = x.findIndex((value, index) => value !== y[index]);
  return differs >= 0 && Number(x[differs]) > Number(y[differs]);
}

/** Separates the messages that are dated further ahead than clocks differ: they would silence all that follow. */
export function splitAhead(
  record: HeadroomRecord,
  now: number,
): { readonly record: HeadroomRecord; readonly ahead: readonly string[] } {
  const { announced = {}, ...rest } = record;
  const ahead = Object.entries(announced).filter(([, one]) => isAhead(one, now));
  if (ahead.length === 0) return { record, ahead: [] };
  const others = Object.entries(announced).filter(([, one]) => !isAhead(one, now));
  return {
    record: others.length === 0 ? rest : { ...rest, announced: Object.fromEntries(others) },
    ahead: ahead.map(([key, { at }]) => `${key}, dated ${new Date(at).toISOString()}`),
  };
}

/**
 * Throws for a message about a peak whose stored one is dated ahead and would outrank it. Which of the two clocks is wrong
 * is not known here: SQS delivers the message again, and by then a heartbeat, whose clock is proven, has removed the other.
 */
export function refuseOutranked(
  intents: readonly Intent[],
  { announced = {} }: Pick<HeadroomRecord, 'announced'>,
  now: number,
): void {
  for (const { peak } of intents.filter((one) => one.kind === 'peak')) {
    const stored = entryOf(announced, peak.key);
    if (stored && isAhead(stored, now))
      throw new Error(
        `the stored message about "${peak.key}" of ${new Date(stored.at).toISOString()} lies ahead; the new one is tried again once a heartbeat has removed it`,
      );
  }
}

function isAhead({ at }: AnnouncedRecord, now: number): boolean {
  return at > now + CLOCKS_DIFFER_MS;
}

/** What is kept of the messages, and the keys of those that fall out because there are too many. */
export function keepMessages(
  record: HeadroomRecord,
  { events = [] }: HeadroomConfig,
  now: number,
): { readonly record: HeadroomRecord; readonly dropped: readonly string[] } {
  const { announced = {}, ...rest } = record;
  const sources = new Map(events.map((event) => [event.name, event]));
  const sourceOf = ([key]: Entry) => sources.get(eventIn(key));
  // What the config does not name may be of a newer deploy: it is kept, but takes no place from what counts.
  const isOther = (entry: Entry) => Number(!sourceOf(entry) || isAhead(entry[1], now));
  const inOrder = (entries: Entry[], compare: (a: Entry, b: Entry) => number) =>
    entries.sort((a, b) => isOther(a) - isOther(b) || compare(a, b) || (a[0] < b[0] ? -1 : 1));
  const all = Object.entries(announced);
  const standing = inOrder(
    all.filter(([, { to = 0 }]) => to > now),
    ([, a], [, b]) => (a.from ?? 0) - (b.from ?? 0) || (a.to ?? 0) - (b.to ?? 0),
  );
  const others = inOrder(
    all.filter((entry) => isKept(entry, sourceOf(entry), now)),
    ([, a], [, b]) => Number(isPeak(a)) - Number(isPeak(b)) || b.at - a.at,
  );
  // As they are written and read again, so that of equal peaks the same one is the reason.
  const kept = [...standing.slice(0, MAX_PEAKS), ...others.slice(0, MAX_PEAKS)].sort(([a], [b]) => (a < b ? -1 : 1));
  // A peak that is over is missed by nobody; one that was taken back could come back.
  const missed = others.slice(MAX_PEAKS).filter(([, message]) => !isPeak(message));
  const dropped = [...standing.slice(MAX_PEAKS), ...missed].map(([key]) => key);
  return { record: kept.length === 0 ? rest : { ...rest, announced: Object.fromEntries(kept) }, dropped };
}

/** Cancellations and peaks that are over, for a day. What is held for some time and over needs no memory: an older message of it is over too. */
function isKept([, { at, to }]: Entry, source: AnnouncedEvent | undefined, now: number): boolean {
  if (to !== undefined && (to > now || source?.holdSeconds !== undefined)) return false;
  return at + KEPT_MS > now;
}

/** The NodePool with a window for each announced peak. Its size is the config's; what the config does not name counts nothing. */
export function withPeaks(pool: HeadroomConfig, { announced = {} }: Pick<HeadroomRecord, 'announced'>): HeadroomConfig {
  const { events = [] } = pool;
  const windows = Object.entries(announced).flatMap(([key, message]): Window[] => {
    const source = events.find(({ name }) => name === eventIn(key));
    return source && isPeak(message) ? [peakWindow(key, message, source)] : [];
  });
  return windows.length === 0 ? pool : { ...pool, windows: [...pool.windows, ...windows] };
}

function peakWindow(key: string, { at, from, to }: Peak, source: AnnouncedEvent): Window {
  const { replicas, share, pods, relative, earlyMinutes, pattern } = source;
  return {
    kind: 'once',
    name: `${EVENT_PREFIX}${key}`,
    timezone: 'UTC',
    replicas,
    ...(share !== undefined && { share }),
    ...(pods !== undefined && { pods }),
    ...(relative && { relative }),
    from: localText(from),
    to: localText(to),
    live: { since: at, by: sendersIn(pattern), earlyMinutes, announced: true },
  };
}

function isPeak(message: AnnouncedRecord): message is Peak {
  return message.from !== undefined && message.to !== undefined;
}

/** The sources that the pattern names; one that is matched in another way says nothing to people. */
function sendersIn({ source }: AnnouncedEvent['pattern']): string {
  const names = Array.isArray(source) ? source.filter((one) => typeof one === 'string') : [];
  return names.length > 0 ? names.join(' or ') : 'an event';
}

/** The name of the event: keys have no spaces. */
function eventIn(key: string): string {
  return key.slice(0, key.lastIndexOf(' '));
}

function localText(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19);
}
