import {
  LAST_TIME,
  MAX_CAUSE,
  MAX_COUNTED,
  MAX_NODE_POOL,
  MAX_OVERRIDE_TEXT,
  MAX_REPLICAS,
  MAX_SHARE,
  MAX_START_ID,
  MAX_STARTS,
  MAX_WHY,
} from '../basics/record-limits';
import type { AlarmState } from '../events/event';
import {
  type Codec,
  map,
  object,
  optional,
  type Part,
  single,
  type Unknown,
  type ValueOf,
  value,
} from './field-codecs';

const MINUTES_OF_A_DAY = 1_440;
/** A node that took longer was held up by something other than its start. */
export const MAX_START_SECONDS = 86_400;
/** The creation time, and what tells nodes of one second apart. */
const START_KEY = new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ/[\\w-]{1,${MAX_START_ID}}$`);

/** From 1970 to `LAST_TIME`, so that adding a hold still gives a valid date. */
const TIME: Codec<number> = {
  write: (at) => new Date(at).toISOString(),
  read: (raw) => {
    const parsed = typeof raw === 'string' ? Date.parse(raw) : Number.NaN;
    return parsed >= 0 && parsed <= LAST_TIME ? parsed : undefined;
  },
  bare: (at) => at,
  // Years before 0 and after 9999 have a sign and six digits.
  worst: () => '+123456-12-31T23:59:59.999Z',
};

/** A whole number from 0 on. Versions may differ in how large it may be. */
function whole(worst: number, most = Number.POSITIVE_INFINITY): Codec<number> {
  return value(
    (raw): raw is number => typeof raw === 'number' && Number.isInteger(raw) && raw >= 0 && raw <= most,
    worst,
  );
}

function text(worst: string): Codec<string> {
  return value((raw): raw is string => typeof raw === 'string', worst);
}

function oneOf<T extends string>(longest: T, ...others: readonly T[]): Codec<T> {
  return value((raw): raw is T => raw === longest || others.some((one) => one === raw), longest);
}

/** The longest character in JSON: `\u0000`. */
const PERSONS_TEXT = text('\u0000'.repeat(MAX_OVERRIDE_TEXT));

const COUNT = {
  nodes: whole(MAX_COUNTED, MAX_COUNTED),
  at: TIME,
  /** The count was lost and is derived from the last decided size; this is the largest size that it may lead to. */
  assumed: optional(whole(MAX_COUNTED + MAX_REPLICAS)),
};
const NODE_COUNT = object(COUNT);

/** How many replicas the workload had. */
const SHARE_OF = object({ replicas: whole(MAX_COUNTED), at: TIME });

const OVERRIDE = object({
  mode: oneOf<'addNodes' | 'atLeast' | 'exactly'>('addNodes', 'atLeast', 'exactly'),
  replicas: whole(MAX_REPLICAS),
  /** What `addNodes` adds to; absent until the nodes are counted. */
  counted: optional(NODE_COUNT),
  /** Instead of `replicas`, in per cent of the workload's replicas, and of how many: absent until they are counted. */
  share: optional(whole(MAX_SHARE)),
  of: optional(SHARE_OF),
  until: TIME,
  at: TIME,
  /** As claimed by the caller: a Lambda invoke carries no identity. */
  by: PERSONS_TEXT,
  reason: PERSONS_TEXT,
});

/** Without `by` if the override expired. */
const RELEASE = object({ at: TIME, by: optional(PERSONS_TEXT), reason: optional(PERSONS_TEXT) });

const ALARM = object({
  state: oneOf<AlarmState>('INSUFFICIENT_DATA', 'ALARM', 'OK'),
  at: TIME,
  /** When it last left ALARM; the hold counts from here. */
  ended: optional(TIME),
  /** What its `addNodes` adds to, as of when it last went to ALARM. */
  counted: optional(NODE_COUNT),
  /** What a share is taken of; absent until the replicas are counted. */
  of: optional(SHARE_OF),
});

/** The cause is the name of its source in `interruptions.on`; any is accepted, for a newer version may know more. */
const SURGE = object({ cause: text('c'.repeat(MAX_CAUSE)), until: TIME });

const SHARE_UNTIL = object({ replicas: whole(MAX_COUNTED), at: TIME, until: TIME });

const COUNT_UNTIL = object({ ...COUNT, until: TIME });

const REQUEST = object({
  at: TIME,
  /** The basis of a learned lead time: how many nodes were measured, and in how many minutes 95 % of them were ready. */
  nodes: optional(whole(MAX_STARTS)),
  took: optional(whole(MINUTES_OF_A_DAY)),
  /** When its nodes were first seen to be ready. */
  ready: optional(TIME),
  /** Why they were not ready at its start. */
  why: optional(text('w'.repeat(MAX_WHY))),
});

const ANNOUNCED = object({ at: TIME, from: optional(TIME), to: optional(TIME) }, ({ from, to }) =>
  from === undefined || to === undefined ? from === to : to > from,
);

/**
 * The record of one headroom: one row for each part, in the order in which they are written. The keys are those of the
 * annotation's JSON; every map is keyed by cause, so that one cause can never count twice.
 */
export const PARTS = {
  /** The NodePool that the rest is about; absent if it is the name of the headroom. */
  nodePool: single(text('n'.repeat(MAX_NODE_POOL))),
  override: single(OVERRIDE),
  released: single(RELEASE),
  /** By alarm name. */
  alarms: map(ALARM),
  /** By instance id. */
  surges: map(SURGE),
  /** By window name and start. */
  counts: map(COUNT_UNTIL),
  shares: map(SHARE_UNTIL),
  requests: map(REQUEST),
  /** Seconds, by the node's creation time and id. */
  nodeStarts: map(whole(MAX_START_SECONDS, MAX_START_SECONDS), isStartKey),
  /** By event name and key. */
  announced: map(ANNOUNCED),
  /** The newest preemption of a pause pod that is counted. */
  takenUntil: single(TIME),
};

/** How many nodes there were. */
export type NodeCount = ValueOf<typeof NODE_COUNT>;
/** A person's override until a given time: at least, exactly, or nodes to add to those that there are. */
export type Override = ValueOf<typeof OVERRIDE>;
/** The end of the last override: who released it, and when. It keeps a late, older override from coming back. */
export type Release = ValueOf<typeof RELEASE>;
/** The newest known state of an alarm. */
export type AlarmRecord = ValueOf<typeof ALARM>;
export type SurgeRecord = ValueOf<typeof SURGE>;
/** The count that one occurrence of a relative window adds to, until it ends. */
export type CountRecord = ValueOf<typeof COUNT_UNTIL>;
/** The replicas of a workload that a share is taken of. */
export type ShareOf = ValueOf<typeof SHARE_OF>;
/** The same for one occurrence of a window, until it ends. */
export type ShareRecord = ValueOf<typeof SHARE_UNTIL>;
/** When an occurrence was requested, with which lead time, and whether its nodes were ready in time. */
export type RequestRecord = ValueOf<typeof REQUEST>;
/** The newest message about an announced peak: from when to when it lasts; neither if it was taken back. */
export type AnnouncedRecord = ValueOf<typeof ANNOUNCED>;
/** How many seconds each of the newest nodes took to start, by creation time and id. */
export type NodeStarts = PartOf<'nodeStarts'>;

type PartOf<K extends keyof typeof PARTS> = (typeof PARTS)[K] extends Part<infer T> ? T : never;
type Always = 'alarms' | 'surges';
export type HeadroomRecord = { readonly [K in Always]: PartOf<K> } & {
  readonly [K in Exclude<keyof typeof PARTS, Always>]?: PartOf<K>;
} & { readonly unknown?: Unknown };

export const EMPTY_RECORD: HeadroomRecord = { alarms: {}, surges: {} };

export function isStartKey(key: string): boolean {
  return START_KEY.test(key);
}

/** An own entry by name: names come from outside, and may be those of inherited properties. */
export function entryOf<T>(of: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

/** Whether an override sets the size alone. */
export function isExactly({ override }: HeadroomRecord, now: number): boolean {
  return override?.mode === 'exactly' && override.until > now;
}
