import type { HeadroomConfig } from '../../../shared/core/config/config';
import type { OnceWindow, Window } from '../../../shared/core/windows/window';
import { type Announcement, aheadText, readAnnouncement } from '../environment/announcements';
import type { Invocation } from '../environment/invocation';

const [SECOND, MINUTE, DAY] = [1_000, 60_000, 86_400_000];
const BELIEVED_AHEAD = MINUTE;
const CLOCKS_DIFFER = 5 * MINUTE;
const MOST = 12;

/** The newest message about a peak, as the record shows it. */
export interface WrittenPeak {
  readonly at: string;
  readonly from?: string;
  readonly to?: string;
}
export type WrittenPeaks = Readonly<Record<string, WrittenPeak>>;

/** What the messages of a batch say, by key; what the config does not name, or is dated ahead, says nothing. */
export function peaksIn(
  messages: readonly { readonly body: string }[],
  pool: HeadroomConfig,
  clock: number,
): [string, WrittenPeak][] {
  return messages.flatMap(({ body }) => {
    const message = aheadText(body, clock) === undefined ? readAnnouncement(body) : undefined;
    const source = pool.events?.find(({ name }) => name === message?.event);
    return message && source && isWhole(message, source.holdSeconds) ? [peakOf(message, source.holdSeconds)] : [];
  });
}

/** A peak without a hold says from when to when. */
function isWhole({ cancel, from, to }: Announcement, holdSeconds: number | undefined): boolean {
  return cancel || holdSeconds !== undefined || (from !== undefined && to !== undefined);
}

function peakOf(message: Announcement, holdSeconds: number | undefined): [string, WrittenPeak] {
  const { event, key, cancel, time, ingestedAt } = message;
  const dated = time <= ingestedAt + BELIEVED_AHEAD ? time : ingestedAt;
  const at = dated - (dated % SECOND);
  const named = holdSeconds === undefined ? `${event} ${key}` : `${event} *`;
  if (cancel) return [named, { at: iso(at) }];
  const minutes = Math.ceil((at + (holdSeconds ?? 0) * SECOND) / MINUTE);
  const { from = at, to = minutes * MINUTE } = message;
  return [named, { at: iso(at), from: iso(from), to: iso(to) }];
}

/** The latest; of one second the one that announces, then the one that begins, then the one that ends last. */
export function newest(a: WrittenPeak, b: WrittenPeak): WrittenPeak {
  const text = ({ at, from = '', to = '' }: WrittenPeak) => [at, from, to].join(' ');
  return text(a) >= text(b) ? a : b;
}

/** The newest message about each peak. */
export function newestOf(all: readonly (readonly [string, WrittenPeak])[]): ReadonlyMap<string, WrittenPeak> {
  const found = new Map<string, WrittenPeak>();
  for (const [key, one] of all) found.set(key, newest(found.get(key) ?? one, one));
  return found;
}

/** What the record has to hold after an invocation: twelve peaks that begin first, and of the last day twelve others, cancellations before peaks that are over. */
export function expectedPeaks(
  before: WrittenPeaks,
  { functionName, raw, receivedAt = 0 }: Pick<Invocation, 'functionName' | 'raw' | 'receivedAt'>,
  pool: HeadroomConfig,
  now: number,
): WrittenPeaks {
  const records = functionName === 'announce' ? (raw as { readonly Records: readonly { body: string }[] }).Records : [];
  const all = newestOf([...Object.entries(before), ...peaksIn(records, pool, receivedAt)]);
  const latest = [...all].map(([key, one]) => ({ key, ...one }));
  const sourceOf = (key: string) => pool.events?.find(({ name }) => key.startsWith(`${name} `));
  const order = <T extends { readonly key: string }>(list: readonly T[], by: (one: T) => string) =>
    list.toSorted((a, b) => {
      const [x, y] = [a, b].map((one) => `${sourceOf(one.key) ? 0 : 1} ${by(one)} ${one.key}`) as [string, string];
      return x < y ? -1 : 1;
    });
  const standing = latest.filter(({ to = '' }) => Date.parse(to) > now);
  const others = latest.filter(
    ({ key, at, to }) =>
      !(Date.parse(to ?? '') > now) &&
      !(to !== undefined && sourceOf(key)?.holdSeconds !== undefined) &&
      Date.parse(at) + DAY + CLOCKS_DIFFER > now,
  );
  const late = (time: string) => String(9e15 - Date.parse(time));
  const kept = [
    ...order(standing, ({ from = '', to = '' }) => `${from} ${to}`).slice(0, MOST),
    ...order(others, ({ at, to }) => `${to === undefined ? 0 : 1} ${late(at)}`).slice(0, MOST),
  ];
  return Object.fromEntries(kept.map(({ key, ...one }) => [key, one]));
}

/** The NodePool with a one-off window for each peak that the config names. */
export function poolWithPeaks(pool: HeadroomConfig, peaks: WrittenPeaks = {}): HeadroomConfig {
  const windows = Object.entries(peaks).flatMap(([key, { at, from, to }]): Window[] => {
    const source = pool.events?.find(({ name }) => key.startsWith(`${name} `));
    if (!source || from === undefined || to === undefined) return [];
    const by = (source.pattern.source as readonly string[]).join(' or ');
    const live = { since: Date.parse(at), by, earlyMinutes: pool.autoLead ? 0 : 1, announced: true as const };
    const relative = source.relative ? { relative: true as const } : {};
    const times = { from: from.slice(0, 19), to: to.slice(0, 19), timezone: 'UTC' };
    return [{ kind: 'once', name: `event:${key}`, replicas: source.replicas, ...relative, live, ...times }];
  });
  return { ...pool, windows: [...pool.windows, ...windows] };
}

/** The one occurrence of a one-off window, from when it is requested until its end. */
export function onceOccurrence(window: OnceWindow, now: number, lead = 0): { start: number; end: number } | undefined {
  const [start, end] = [Date.parse(`${window.from}Z`), Date.parse(`${window.to}Z`)];
  return start - lead * MINUTE <= now && end > now ? { start, end } : undefined;
}

/** What a reason says about an announced peak. */
export function peakText(window: OnceWindow, size: string, isLate: boolean): string {
  const name = window.name.replace(/^event:/, '').replace(/ \*$/, '');
  const minute = (text: string) => `${text.slice(0, 16)}Z`;
  const since = minute(iso(window.live?.since ?? 0));
  const late = isLate ? ', too late for its lead time' : '';
  return `${name}: ${size} from ${minute(window.from)} to ${minute(window.to)} (announced ${since} by ${window.live?.by}${late})`;
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}
