import * as z from 'zod';
import { parseDuration } from '../../basics/duration';
import { DEFAULTS } from './defaults';
import { fault, obey } from './rules';
import { durationUpTo, Hold, Labels, orShare, Replicas, text } from './schema-fields';

const THRESHOLD = /^(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)$/;
const THRESHOLD_HINT = 'write a comparison in quotes, such as "> 1000"';

export type Comparison = '>' | '>=' | '<' | '<=';

/** Reads `"> 1000"`. */
export function parseThreshold(text: string): { comparison: Comparison; value: number } | undefined {
  const match = THRESHOLD.exec(text.trim());
  return match ? { comparison: match[1] as Comparison, value: Number(match[2]) } : undefined;
}

export const ADD_HINT =
  'write add: 2 (so many replicas more), or in a floor pool addNodes: 2 (so many nodes more than there are), 1 or more';

const isPeriod = (text: string) => /^(10s|20s|30s|(\d+h)?(\d+m)?)$/.test(text) && parseDuration(text) !== 0;

/** CloudWatch's limits on how far back an alarm looks, in seconds. */
const [AN_HOUR, A_DAY, A_WEEK] = [3_600, 86_400, 604_800];

const MetricInput = z
  .strictObject(
    {
      namespace: text('write the namespace of the metric, such as AWS/ApplicationELB'),
      name: text('write the name of the metric, such as TargetResponseTime'),
      dimensions: Labels.optional(),
      statistic: text('write a statistic such as Average, Sum or p95').optional(),
      period: durationUpTo('1d').refine(isPeriod, 'write 10s, 20s, 30s or whole minutes such as 1m or 5m').optional(),
      evaluationPeriods: z.int({ error: 'write a whole number of 1 or more' }).min(1).max(1440).optional(),
    },
    { error: 'write {namespace, name, dimensions, statistic, period, evaluationPeriods}' },
  )
  .superRefine(
    obey(({ period = DEFAULTS.alarm.period, evaluationPeriods = DEFAULTS.alarm.evaluationPeriods }) => {
      const seconds = parseDuration(period) ?? 0;
      const [most, span] = seconds < AN_HOUR ? [A_DAY, 'one day'] : [A_WEEK, 'seven days'];
      const wrong = `is ${evaluationPeriods} periods of ${period}, and CloudWatch looks back ${span} at most`;
      return [
        seconds * evaluationPeriods > most &&
          fault('evaluationPeriods', `${wrong}; write at most ${Math.floor(most / seconds)}`),
      ];
    }),
  );

/** An existing alarm by `alarmName`, or `name`, `metric` and `threshold` of one to create. */
export const AlarmInput = z
  .strictObject(
    {
      alarmName: text('write the name of an existing CloudWatch alarm').max(255).optional(),
      name: text('write a short name, such as p95-high')
        .max(60, 'write at most 60 characters')
        .regex(/^[\w.-]+$/, 'write letters, digits, ., - and _ only')
        .optional(),
      metric: MetricInput.optional(),
      threshold: z
        .string({ error: THRESHOLD_HINT })
        .refine((value) => parseThreshold(value) !== undefined, THRESHOLD_HINT)
        .optional(),
      add: orShare(Replicas.min(1, ADD_HINT), ADD_HINT).optional(),
      addNodes: Replicas.min(1, ADD_HINT).optional(),
      hold: Hold.optional(),
    },
    { error: 'write {alarmName, add} or {name, metric, threshold, add}' },
  )
  .superRefine(
    obey(({ alarmName, name, metric, threshold, add, addNodes }) => {
      const noSize = add === undefined && addNodes === undefined && fault('add', `is missing; ${ADD_HINT}`);
      if (alarmName !== undefined)
        return [
          noSize,
          metric &&
            fault('metric', 'does not go with alarmName; write alarmName for an existing alarm, name to create one'),
          threshold && fault('threshold', 'does not go with alarmName; leave it out, the existing alarm has its own'),
        ];
      if (name === undefined)
        return [noSize, fault('alarmName', 'is missing; write the name of an existing alarm, or name and metric')];
      return [
        noSize,
        !metric && fault('metric', 'is missing; write the metric to watch, or alarmName for an existing alarm'),
        !threshold && fault('threshold', `is missing; ${THRESHOLD_HINT}`),
      ];
    }),
  );
export type AlarmInput = z.output<typeof AlarmInput>;
