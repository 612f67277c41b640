/** Each has a count in the record, which has to stay small. */
export const MAX_RELATIVE = 25;
/** With a learned lead time each may have an occurrence in the record that is asked for. */
export const MAX_AUTO = 25;
