import { EVENT_PREFIX } from '../../basics/names';
import {
  MAX_BEGUN,
  MAX_EVENT_KEY,
  MAX_INSTANCE_ID,
  MAX_PEAKS,
  MAX_RECORD,
  MAX_REQUESTED,
  MAX_START_ID,
  MAX_STARTS,
  MAX_UNKNOWN,
} from '../../basics/record-limits';
import { PARTS } from '../../record/record';
import type { Config, HeadroomConfig } from '../config';
import { type Located, problemAt } from '../yaml/located';
import type { Problem } from '../yaml/problem';

/** What alarms, surges and an override may take of a record; the rest is for fields of a newer version. */
export const MAX_KNOWN_RECORD = MAX_RECORD - MAX_UNKNOWN;

/** The longest text of a time: years before 0 and after 9999 have a sign and six digits. */
const TIME = '+123456-12-31T23:59:59.999Z';
const NODE_STARTS = MAX_STARTS * entryBytes(`${TIME}/${'i'.repeat(MAX_START_ID)}`, worst('nodeStarts'));

/** The largest entry of a part, as its row in the record says. */
function worst(part: keyof typeof PARTS, without?: readonly string[]): unknown {
  return PARTS[part].entry.worst(without);
}

/**
 * The most bytes that the known part of a NodePool's record can take, written as JSON:
 * - a frame with an override that says as much as an override may;
 * - an entry for each alarm, whatever its state, and the nodes that it adds to;
 * - an entry for each node that can count before `interruptions.max` is reached;
 * - for each window that adds nodes an occurrence that stands and one that is requested;
 * - the same for each window that is a share of a workload's replicas;
 * - the last nodes;
 * - the occurrences that are requested, and the last ones that have begun;
 * - with events as many announced peaks as are kept, each a window of its own, and as many other messages.
 */
export function worstRecordSize({
  alarms,
  interruptions,
  windows: own = [],
  events = [],
  like,
}: Pick<HeadroomConfig, 'alarms' | 'interruptions'> &
  Partial<Pick<HeadroomConfig, 'windows' | 'events' | 'like'>>): number {
  const frame = bytes({
    v: 1,
    nodePool: worst('nodePool'),
    override: worst('override', like ? [] : ['share', 'of']),
    alarms: {},
    surges: {},
    counts: {},
    requests: {},
    nodeStarts: {},
  });
  const peaks = worstPeaks(events);
  const windows = [
    ...own,
    ...peaks.map(({ key, relative, share }) => ({ name: `${EVENT_PREFIX}${key}`, relative, share })),
  ];
  const occurrences = windows
    .filter(({ relative }) => relative)
    .reduce((sum, { name }) => sum + 2 * entryBytes(`${name}@${TIME}`, worst('counts')), 0);
  const shared = windows.filter(({ share }) => share !== undefined);
  const shares = shared.reduce(
    (sum, { name }) => sum + 2 * entryBytes(`${name}@${TIME}`, worst('shares')),
    bytes({ shares: {} }),
  );
  const messages = peaks.reduce(
    (sum, { key }) => sum + 2 * entryBytes(key, worst('announced')),
    bytes({ announced: {} }),
  );
  const alarmEntries = alarms.reduce(
    (sum, { alarmName, relative, share }) =>
      sum +
      entryBytes(
        alarmName,
        worst('alarms', [...(relative ? [] : ['counted']), ...(share === undefined ? ['of'] : [])]),
      ),
    0,
  );
  const nodes = interruptions && interruptions.surge > 0 ? Math.ceil(interruptions.max / interruptions.surge) : 0;
  const surges = nodes * entryBytes('i'.repeat(MAX_INSTANCE_ID), worst('surges'));
  return (
    frame +
    NODE_STARTS +
    occurrences +
    (shared.length > 0 ? shares : 0) +
    windowsSize(windows) +
    messages +
    alarmEntries +
    surges
  );
}

/** The largest peaks that the events of a NodePool can announce: all of the one with the longest name. */
function worstPeaks(
  events: NonNullable<HeadroomConfig['events']>,
): { key: string; relative: boolean; share?: number }[] {
  const [longest] = events.map(({ name }) => name).sort((a, b) => bytes(b) - bytes(a));
  if (longest === undefined) return [];
  const relative = events.some((event) => event.relative);
  const share = events.find((event) => event.share !== undefined)?.share;
  const key = `${longest} ${'k'.repeat(MAX_EVENT_KEY)}`;
  return Array.from({ length: MAX_PEAKS }, () => ({ key, relative, ...(share !== undefined && { share }) }));
}

function windowsSize(windows: readonly { readonly name: string }[]): number {
  if (windows.length === 0) return 0;
  const sizes = (value: unknown) =>
    windows.map(({ name }) => entryBytes(`${name}@${TIME}`, value)).sort((a, b) => b - a);
  const coming = sizes(worst('requests', ['ready', 'why'])).slice(0, MAX_REQUESTED);
  // All of them may be occurrences of the one with the longest name.
  const begun = MAX_BEGUN * (sizes(worst('requests'))[0] ?? 0);
  return begun + coming.reduce((sum, size) => sum + size, 0);
}

/** `"key":value,` */
function entryBytes(key: string, value: unknown): number {
  return bytes(key) + bytes(value) + 2;
}

function bytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/** What the functions write must be readable again, also with every alarm and every surge in it. */
export function checkRecords({ headrooms }: Config, tree: Located): Problem[] {
  return headrooms.flatMap((pool) => {
    const size = worstRecordSize(pool);
    if (size <= MAX_KNOWN_RECORD) return [];
    const holds = `${pool.alarms.length} alarms and up to ${pool.interruptions?.max ?? 0} interruption surges`;
    return [
      problemAt(
        tree,
        ['nodePools', pool.name],
        `has ${holds}, whose record could take ${size} bytes, more than ${MAX_KNOWN_RECORD}; write fewer alarms, shorter alarm names or a lower interruptions.max`,
      ),
    ];
  });
}
