import { MAX_INSTANCE_ID, MAX_ORDER_TEXT, MAX_RECORD, MAX_UNKNOWN } from '../basics/record-limits';
import { INTERRUPTION_CAUSES } from '../events/interruption-causes';
import type { NodePoolConfig } from './config';
import { MAX_REPLICAS } from './fields';

/** What alarms, surges and an override may take of a record; the rest is for fields of a newer version. */
export const MAX_KNOWN_RECORD = MAX_RECORD - MAX_UNKNOWN;

/** The longest text of a time: years before 0 and after 9999 have a sign and six digits. */
const TIME = '+123456-12-31T23:59:59.999Z';
const WORST_CAUSE = INTERRUPTION_CAUSES.reduce(
  (longest, cause) => (cause.length > longest.length ? cause : longest),
  '',
);
/** The longest character in JSON: `\u0000`. */
const ORDER_TEXT = '\u0000'.repeat(MAX_ORDER_TEXT);
const OVERRIDE = {
  mode: 'addNodes',
  replicas: MAX_REPLICAS,
  counted: { nodes: 100_000, at: TIME },
  until: TIME,
  at: TIME,
  by: ORDER_TEXT,
  reason: ORDER_TEXT,
};
const OPENING = { nodes: 100_000, at: TIME, until: TIME, assumed: true };
const ALARM = { state: 'INSUFFICIENT_DATA', at: TIME, ended: TIME };
const SURGE = { cause: WORST_CAUSE, until: TIME };

/**
 * The most bytes that the known part of a NodePool's record can take, written as JSON:
 * - a frame with an override that says as much as an order may;
 * - an entry for each alarm, whatever its state;
 * - an entry for each node that can count before `interruptions.max` is reached;
 * - for each window that adds nodes an opening that stands and one that is asked for.
 */
export function worstRecordSize({
  alarms,
  interruptions,
  windows = [],
}: Pick<NodePoolConfig, 'alarms' | 'interruptions'> & Partial<Pick<NodePoolConfig, 'windows'>>): number {
  const frame = bytes({ v: 1, override: OVERRIDE, alarms: {}, surges: {}, openings: {} });
  const openings = windows
    .filter(({ relative }) => relative)
    .reduce((sum, { name }) => sum + 2 * entryBytes(`${name}@${TIME}`, OPENING), 0);
  const alarmEntries = alarms.reduce((sum, { alarmName }) => sum + entryBytes(alarmName, ALARM), 0);
  const nodes = interruptions && interruptions.surge > 0 ? Math.ceil(interruptions.max / interruptions.surge) : 0;
  return frame + openings + alarmEntries + nodes * entryBytes('i'.repeat(MAX_INSTANCE_ID), SURGE);
}

/** `"key":value,` */
function entryBytes(key: string, value: object): number {
  return bytes(key) + bytes(value) + 2;
}

function bytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
