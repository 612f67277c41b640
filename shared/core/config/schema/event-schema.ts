import * as z from 'zod';
import { MAX_EVENT_NAME } from '../../basics/record-limits';
import { fault, obey, type Rules } from './rules';
import { SIZE_HINT, Size, SizeOrShare } from './schedule-schema';
import { Hold, text } from './schema-fields';

/** What EventBridge takes, with the account that is added where a pattern names none. */
const MAX_PATTERN = 2_048;
const OUR_ACCOUNT = ['123456789012'];
const PATTERN_HINT = 'write an EventBridge pattern, such as {source: [shop.cms], detail-type: [Campaign Scheduled]}';
const PATH_HINT = 'write a path of fields and indexes, such as $.detail.campaign.id';
const NAME_HINT = `write a short name, such as campaign: up to ${MAX_EVENT_NAME} printable characters`;
const BUS_HINT = 'write the name of an event bus in the account and region of the cluster, such as default';

export const JSON_PATH = /^\$(\.[A-Za-z_][\w-]*|\[\d{1,4}\])+$/;
const Path = z.string({ error: PATH_HINT }).max(200, PATH_HINT).regex(JSON_PATH, PATH_HINT);

type Pattern = Readonly<Record<string, unknown>>;

/** EventBridge refuses a deploy with a value that is no list, and a pattern without a source listens to everybody. */
const patternRules: Rules<Pattern> = (pattern) => {
  const length = new TextEncoder().encode(JSON.stringify({ account: OUR_ACCOUNT, ...pattern })).length;
  return [
    pattern.source === undefined && fault('source', 'is missing; write who sends the event, such as [shop.cms]'),
    ...unlisted(pattern, []).map((path) => fault(path, 'is no list; write the values that match, such as [a, b]')),
    length > MAX_PATTERN &&
      fault([], `takes ${length} bytes as JSON with the account, and EventBridge takes ${MAX_PATTERN}; write less`),
  ];
};

/** Fields whose value is neither a map nor a filled list; below `$or` a list holds patterns. */
function unlisted(value: unknown, path: readonly PropertyKey[]): (readonly PropertyKey[])[] {
  if (Array.isArray(value) && value.length > 0)
    return path.at(-1) === '$or' ? value.flatMap((one, index) => unlisted(one, [...path, index])) : [];
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return entries.length === 0 ? [path] : entries.flatMap(([key, inner]) => unlisted(inner, [...path, key]));
}

const PatternInput = z.record(z.string(), z.unknown(), { error: PATTERN_HINT }).superRefine(obey(patternRules));

/** An event of the business that announces a peak. */
export const EventInput = z
  .strictObject(
    {
      name: text(NAME_HINT)
        .max(MAX_EVENT_NAME, NAME_HINT)
        .refine((name) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(name) && name.trim() === name, NAME_HINT),
      bus: text(BUS_HINT, /^(arn:aws[\w-]*:events:[\w-]+:\d{12}:event-bus\/)?[/.\w-]{1,256}$/).optional(),
      pattern: PatternInput,
      desiredReplicas: SizeOrShare.optional(),
      addNodes: Size.optional(),
      hold: Hold.optional(),
      from: Path.optional(),
      to: Path.optional(),
      key: Path.optional(),
      cancel: PatternInput.optional(),
    },
    { error: 'write an event: {name, pattern, desiredReplicas, hold}, or with from and to instead of hold' },
  )
  .superRefine(
    obey(({ desiredReplicas, addNodes, hold, from, to }) => {
      const dated = from !== undefined || to !== undefined;
      return [
        hold !== undefined && dated && fault('hold', 'does not go with from and to; write either hold, or from and to'),
        hold === undefined &&
          !dated &&
          fault('hold', 'is missing; write how long the peak lasts, such as 30m, or the paths from and to'),
        dated && from === undefined && fault('from', `is missing; ${PATH_HINT}`),
        dated && to === undefined && fault('to', `is missing; ${PATH_HINT}`),
        desiredReplicas === undefined && addNodes === undefined && fault('desiredReplicas', `is missing; ${SIZE_HINT}`),
        desiredReplicas !== undefined &&
          addNodes !== undefined &&
          fault('addNodes', `does not go with desiredReplicas; ${SIZE_HINT}`),
      ];
    }),
  );
export type EventInput = z.output<typeof EventInput>;
