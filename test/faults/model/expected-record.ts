import type { HeadroomConfig } from '../../../shared/core/config/config';
import type { AlarmReading } from '../../../shared/core/ports/ports';
import type { WrittenAlarm, WrittenOverride, WrittenRecord, WrittenRelease, WrittenSurge } from './written-record';

/** How far ahead of a function's clock an event's time is believed, and how long a release is remembered. */
export const BELIEVED_AHEAD_MS = 60_000;
const RELEASE_KEPT_MS = 24 * 3_600_000;
/** How long the count of an alarm that a deploy has taken out is kept. */
const COUNT_KEPT_MS = 65 * 60_000;

/** What an event asks of one NodePool, with times by the clock of the function that got it. */
export interface Requested {
  readonly override?: WrittenOverride;
  readonly released?: WrittenRelease;
  readonly alarm?: AlarmChange;
  readonly surges: readonly (WrittenSurge & { readonly instanceId: string })[];
}

export interface AlarmChange {
  readonly alarmName: string;
  readonly state: string;
  readonly previous?: string;
  /** As the event says. */
  readonly at: number;
}

export interface RecordInput {
  readonly pool: HeadroomConfig;
  readonly before: WrittenRecord;
  readonly requested: Requested;
  /** What CloudWatch answered; absent if it was not asked, or did not answer. */
  readonly readings: ReadonlyMap<string, AlarmReading> | undefined;
  readonly receivedAt: number;
  readonly now: number;
}

/** The newest override or release; one that has ended leaves its time behind for a day, so that a late, older one cannot come back. */
export function expectedOverride({
  before,
  requested,
  now,
}: RecordInput): Pick<WrittenRecord, 'override' | 'released'> {
  const known = [before, requested].flatMap(({ override, released }) => [
    ...(override ? [{ override }] : []),
    ...(released ? [{ released }] : []),
  ]);
  const newest = known.reduce<OverrideOrEnd | undefined>(
    (best, one) => (best && !isNewerOverride(one, best) ? best : one),
    undefined,
  );
  if (!newest) return {};
  const { override } = newest;
  if (override && Date.parse(override.until) > now) return { override };
  const released = override ? { at: override.at } : newest.released;
  return released && Date.parse(released.at) + RELEASE_KEPT_MS > now ? { released } : {};
}

/** An override, or the release of one. */
export interface OverrideOrEnd {
  readonly override?: WrittenOverride;
  readonly released?: WrittenRelease;
}

/** The later one; at one instant the release, and of two of a kind the one whose text is the last. */
export function isNewerOverride(a: OverrideOrEnd, b: OverrideOrEnd): boolean {
  const [x, y] = [keyOf(a), keyOf(b)];
  for (const [index, part] of x.entries()) {
    const other = y[index] as typeof part;
    if (part !== other) return part > other;
  }
  return false;
}

function keyOf({ override, released }: OverrideOrEnd): readonly [number, number, string] {
  if (!override)
    return [Date.parse(released?.at ?? ''), 1, JSON.stringify([released?.by ?? '', released?.reason ?? ''])];
  const { at, until, mode, replicas, by, reason } = override;
  return [Date.parse(at), 0, JSON.stringify([Date.parse(until), mode, replicas, by, reason])];
}

/** The newest state of each configured alarm, and when it last left ALARM; without what was counted for it. */
export function expectedAlarms(input: RecordInput): Readonly<Record<string, WrittenAlarm>> {
  const { pool, before, requested, readings, receivedAt, now } = input;
  const alarms: Record<string, WrittenAlarm> = {};
  for (const { alarmName } of pool.alarms) {
    const reading = readings?.get(alarmName);
    const recorded = stateIn(before.alarms, alarmName);
    // CloudWatch's own reading outranks what lies in the future.
    const isDoubtful = recorded && reading && Date.parse(recorded.at) > now + BELIEVED_AHEAD_MS;
    let known = isDoubtful ? undefined : recorded;
    if (reading) known = laterState(known, reading);
    const change = requested.alarm?.alarmName === alarmName ? requested.alarm : undefined;
    const believed = change && change.at >= 0 && change.at <= receivedAt + BELIEVED_AHEAD_MS;
    if (change && (believed || !reading))
      known = laterState(known, { ...change, at: believed ? change.at : receivedAt });
    if (known) alarms[alarmName] = known;
  }
  return { ...alarms, ...countsOfGone(input) };
}

function stateIn(alarms: WrittenRecord['alarms'], name: string): WrittenAlarm | undefined {
  const known = Object.hasOwn(alarms, name) ? alarms[name] : undefined;
  if (!known) return undefined;
  const { counted: _counted, of: _of, ...state } = known;
  return state;
}

/** An alarm that a deploy has taken out stays with its count, as if its hold had ended by now. */
function countsOfGone({ pool, before, now }: RecordInput): Readonly<Record<string, WrittenAlarm>> {
  const alarms: Record<string, WrittenAlarm> = {};
  for (const [name, { state, at, ended, counted }] of Object.entries(before.alarms)) {
    if (!counted || pool.alarms.some(({ alarmName }) => alarmName === name)) continue;
    const over = state === 'ALARM' || ended === undefined ? new Date(now).toISOString() : ended;
    if (Date.parse(over) + COUNT_KEPT_MS > now) alarms[name] = { state: 'OK', at, ended: over };
  }
  return alarms;
}

function laterState(
  known: WrittenAlarm | undefined,
  change: { readonly state: string; readonly at: number; readonly previous?: string },
): WrittenAlarm {
  const [before, at] = [Date.parse(known?.at ?? ''), new Date(change.at).toISOString()];
  const isLater = !known || change.at > before || (change.at === before && change.state === 'ALARM');
  const wasAlarm = change.previous ? change.previous === 'ALARM' : known?.state === 'ALARM' && before < change.at;
  const ends = [known?.ended ?? '', change.state !== 'ALARM' && wasAlarm ? at : ''].toSorted();
  const ended = ends.at(-1);
  return { ...(isLater ? { state: change.state, at } : { state: known.state, at: known.at }), ...(ended && { ended }) };
}

/** Every instance once, until the latest end, and no more than can count: those that end last, of equal ones those that stand. */
export function expectedSurges({ pool, before, requested, now }: RecordInput): Readonly<Record<string, WrittenSurge>> {
  const { interruptions } = pool;
  const all = new Map(Object.entries(before.surges));
  for (const { instanceId, cause, until } of interruptions ? requested.surges : []) {
    const known = all.get(instanceId);
    const isLonger = !known || until > known.until || (until === known.until && cause > known.cause);
    if (isLonger) all.set(instanceId, { cause, until });
  }
  const live = [...all].filter(([, { until }]) => Date.parse(until) > now);
  if (!interruptions) return Object.fromEntries(live);
  const isNew = (id: string) => Number(!Object.hasOwn(before.surges, id));
  const byEnd = live.toSorted(
    ([a, x], [b, y]) => Date.parse(y.until) - Date.parse(x.until) || isNew(a) - isNew(b) || (a < b ? -1 : 1),
  );
  const most = interruptions.surge === 0 ? 0 : Math.ceil(interruptions.max / interruptions.surge);
  return Object.fromEntries(byEnd.slice(0, most));
}
