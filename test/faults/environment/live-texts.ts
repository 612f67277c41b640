import type { LivePart, LiveSchedule } from '../../../shared/core/config/schema/live-schema';

/** A text of the ConfigMap, and what it means: said here, not read by the code that is tested. */
export interface LiveText {
  readonly data: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
  /** By NodePool; absent if the text is broken. */
  readonly parts?: Readonly<Record<string, LivePart>>;
  /** Of a broken text. */
  readonly problem?: RegExp;
}

export interface Edit {
  readonly by: string;
  readonly at: string;
}

/** What a heartbeat found where the ConfigMap is. */
export type Sight =
  | { readonly kind: 'gone' }
  | { readonly kind: 'unread' }
  /** With who changed its text last, and when. */
  | { readonly kind: 'found'; readonly text: LiveText; readonly edit: Edit };

/** Windows of the simulation open every few minutes. */
function schedule(name: string, start: string, end: string, size: object): LiveSchedule {
  const edges = { timezone: 'UTC', start: `${start} * * * *`, end: `${end} * * * *` };
  return { name, ...edges, ...size } as LiveSchedule;
}

/** Each says two things about a NodePool, so that half of it shows. */
export const VALID_TEXTS: readonly LiveText[] = [
  valid({
    web: { base: 4, schedules: [schedule('hourly', '*/20', '9-59/20', { desiredReplicas: 7 })] },
    ci: { base: 2, schedules: [schedule('quarters', '*/6', '4-59/6', { desiredReplicas: 5 })] },
    step: { base: 2, schedules: [schedule('more', '*/10', '8-59/10', { addNodes: 2 })] },
  }),
  valid({
    web: {
      base: 1,
      schedules: [schedule('extra', '*/4', '2-59/4', { desiredReplicas: 8 }), { name: 'hourly', remove: true }],
    },
    ci: { base: 3, schedules: [] },
    gpu: { base: 2 },
    step: { base: 1, schedules: [schedule('late', '3-59/7', '6-59/7', { addNodes: 1 })] },
  }),
  // More than any max, and what is kept of the first window is left alone.
  valid({
    web: { base: 12, schedules: [schedule('hourly', '*/20', '9-59/20', { desiredReplicas: 7 })] },
    step: { schedules: [schedule('quarters', '*/5', '3-59/5', { desiredReplicas: 2 })] },
  }),
  // NodePools that are not deployed, and a removal that finds nothing.
  valid({
    batch: { base: 3, schedules: [schedule('night', '*/3', '2-59/3', { desiredReplicas: 2 })] },
    nowhere: { base: 1 },
    web: { schedules: [{ name: 'unknown', remove: true }] },
  }),
  valid({}),
];

export const BROKEN_TEXTS: readonly LiveText[] = [
  { data: { text: 'nodePools: [' }, problem: /^text:1:\d+: is not valid YAML/ },
  {
    data: { text: JSON.stringify({ nodePools: { web: { max: 3 } } }) },
    problem: /nodePools\.web\.max cannot be edited/,
  },
  // The half of it that is right must not count.
  {
    data: { text: JSON.stringify({ nodePools: { web: { base: 6, schedules: [] }, ci: { base: -1 } } }) },
    problem: /nodePools\.ci\.base/,
  },
  { data: { text: '{}', other: '{}' }, problem: /has 2 keys in data/ },
  { data: {}, problem: /has no key in data/ },
  { data: {}, binaryData: { text: 'AAAA' }, problem: /has binaryData/ },
];

const ALL = [...VALID_TEXTS, ...BROKEN_TEXTS];

/** The text that a ConfigMap holds. */
export function textIn({ data = {}, binaryData = {} }: ConfigMapData): LiveText | undefined {
  const key = JSON.stringify([data, binaryData]);
  return ALL.find((one) => JSON.stringify([one.data, one.binaryData ?? {}]) === key);
}

export interface ConfigMapData {
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly binaryData?: Readonly<Record<string, string>> | undefined;
}

function valid(parts: Readonly<Record<string, LivePart>>): LiveText {
  return { data: { text: JSON.stringify({ nodePools: parts }) }, parts };
}
