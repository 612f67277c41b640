import * as z from 'zod';
import { DURATION_HINT, parseDuration } from '../../basics/duration';
import { MAX_NODE_POOL, MAX_REPLICAS, MAX_SHARE } from '../../basics/record-limits';
import { shareIn } from '../../basics/share';
import { parseCron } from '../../windows/cron';
import { CronError } from '../../windows/cron-field';
import { cronAdvice } from './cron-advice';
import { fault, type Rules } from './rules';

const COMPARES = ['Gt', 'Lt', 'Gte', 'Lte'];

const REPLICAS_HINT = `write a whole number from 0 to ${MAX_REPLICAS}`;

/** Text that is not empty and matches the pattern, if there is one. */
export const text = (hint: string, pattern?: RegExp) => {
  const filled = z.string({ error: hint }).min(1, hint);
  return pattern ? filled.regex(pattern, hint) : filled;
};

/** A whole number from the least to the most. */
export const whole = (hint: string, least = 0, most = 2 ** 31 - 1) =>
  z.int({ error: hint }).min(least, hint).max(most, hint);

/** A whole number of replicas. */
export const Replicas = whole(REPLICAS_HINT, 0, MAX_REPLICAS);

const SHARE_HINT = `write a share of the workload's replicas from 1% to ${MAX_SHARE}%, such as 25%`;

/** A size, or a share of the replicas of the workload that the headroom is for. */
export const orShare = <T extends z.ZodType>(size: T, hint = REPLICAS_HINT) => {
  const error = ({ input }: { readonly input?: unknown }) => (String(input).includes('%') ? SHARE_HINT : hint);
  return z.union([size, z.string().refine((value) => shareIn(value) !== undefined, { error })], { error });
};

const NODE_POOL = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const NODE_POOL_HINT = 'write the NodePool name in lower case, as in the cluster';

/** Nodes carry it as the value of a label. */
export const NodePoolName = text(NODE_POOL_HINT, NODE_POOL).max(
  MAX_NODE_POOL,
  `write a NodePool name of at most ${MAX_NODE_POOL} characters`,
);

/** So that the name of every pause pod contains all of it. */
export const MAX_HEADROOM_NAME = 37;

/** The key of a headroom. */
export const HeadroomName = z
  .string()
  .max(
    MAX_HEADROOM_NAME,
    `write a key of at most ${MAX_HEADROOM_NAME} characters, and the whole name of the NodePool in nodePool: below it`,
  )
  .regex(NODE_POOL, NODE_POOL_HINT);

/** `90s`, `5m`, `1h30m`, up to a longest one; becomes seconds when the config is resolved. */
export const durationUpTo = (longest: string) =>
  z
    .string({ error: DURATION_HINT })
    .refine((text) => parseDuration(text) !== undefined, { error: DURATION_HINT, abort: true })
    .refine((text) => (parseDuration(text) ?? 0) <= (parseDuration(longest) ?? 0), `write at most ${longest}`);

/** How long a boost or a surge may be held; what stays longer belongs in `base`. */
export const Hold = durationUpTo('7d');

export const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values, { error: `write ${list(values)}` });

export const flag = () => z.boolean({ error: 'write true or false' });

const LABELS_HINT = 'write a map of text to text, such as {team: team1}';

export const LABEL_KEY = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

/** Whether Kubernetes accepts it as the key of a label, an annotation or a taint. */
export function isLabelKey(key: string): boolean {
  const name = key.slice(key.indexOf('/') + 1);
  return LABEL_KEY.test(key) && name.length <= 63 && key.length - name.length <= 254;
}

export function isLabelValue(value: string): boolean {
  return value.length <= 63 && LABEL_VALUE.test(value);
}

/** Labels, tags, node selectors. */
export const Labels = z.record(z.string(), z.string({ error: LABELS_HINT }), { error: LABELS_HINT });

export const listOf = <T extends z.ZodType>(item: T, hint: string) => z.array(item, { error: hint });

/** `a, b or c`. */
export function list(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

/** Unix cron. */
export const cronRules: Rules<string> = (text) => {
  try {
    parseCron(text);
    return [];
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    const advice = cronAdvice(text);
    return [fault([], advice === undefined ? error.message : `${error.fault}; write ${advice}`)];
  }
};

/** The values that stand beside an operator of a node selector. */
export const valuesRules: Rules<{ operator: string; values?: readonly string[] | undefined }> = (given) => {
  const { operator, values = [] } = given;
  const isNumber = values.length === 1 && /^\d+$/.test(values[0] ?? '');
  const [missing, wrong] = [values.length === 0, `does not go with ${operator}`];
  return [
    operator === 'In' && missing && fault('values', 'is missing; write the values that are allowed, such as [a, b]'),
    operator === 'NotIn' &&
      missing &&
      fault('values', 'is missing; write the values that are excluded, such as [a, b]'),
    COMPARES.includes(operator) && !isNumber && fault('values', `${wrong}; write one whole number, such as [4]`),
    /Exist/.test(operator) && given.values && fault('values', `${wrong}; leave it out`),
  ];
};
