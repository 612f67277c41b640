/** The largest headroom that one NodePool may have. */
export const MAX_REPLICAS = 5_000;
/** The largest share of a workload's replicas, in per cent. */
export const MAX_SHARE = 1_000;
/** Far more than any record needs, far less than the 256 KiB that an object's annotations may hold. */
export const MAX_RECORD = 65_536;
/** Fields of a newer version are passed on up to this size; the whole record must stay below `MAX_RECORD`. */
export const MAX_UNKNOWN = 8_192;
/** The reason and the name that an override may carry. */
export const MAX_OVERRIDE_TEXT = 200;
/** Later times are rejected; this one stands for never. */
export const LAST_TIME = Date.UTC(9999, 11, 31);
/** The nearest time that a record can hold: what is written must be readable. */
export const recordable = (time: number) => Math.min(Math.max(time, 0), LAST_TIME);
/** `i-` and 17 digits today. */
export const MAX_INSTANCE_ID = 24;
/** More nodes than the largest clusters have; a higher count is unreadable. */
export const MAX_COUNTED = 100_000;
/** The longest value of a label, which every node of a NodePool has. */
export const MAX_NODE_POOL = 63;
/** Why nodes came late, in ASCII that JSON writes as it is. */
export const MAX_WHY = 160;
/** Begun occurrences that are remembered, of all windows of a NodePool. */
export const MAX_BEGUN = 12;
/** Occurrences that are remembered, begun or requested. */
export const MAX_REQUESTED = 37;
/** Nodes whose start times are remembered. */
export const MAX_STARTS = 40;
/** The name of an announced event, and the key that tells its peaks apart; a longer key is hashed. */
export const MAX_EVENT_NAME = 40;
export const MAX_EVENT_KEY = 40;
/** Peaks of a NodePool that are remembered, and as many messages that took one back or are over. */
export const MAX_PEAKS = 12;
/** The longest cause of an interruption. */
export const MAX_CAUSE = 19;
/** What tells nodes of one second apart. */
export const MAX_START_ID = 8;
