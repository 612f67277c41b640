import * as z from 'zod';
import { flag, oneOf, text } from './schema-fields';

/** What CloudWatch Logs keeps logs for, in days. */
const RETENTIONS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];
const RETENTION_HINT = `write a number of days that CloudWatch Logs accepts: ${RETENTIONS.join(', ')}`;
const KEY_HINT =
  'write the ARN of a KMS key, such as arn:aws:kms:ap-northeast-2:123456789012:key/0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9';
const TOPIC_HINT = 'write the ARN of an SNS topic, such as arn:aws:sns:ap-northeast-2:123456789012:on-call';
const BOUNDARY_HINT = 'write the ARN of an IAM policy, such as arn:aws:iam::123456789012:policy/my-boundary';
const CONCURRENCY_HINT = 'write how many overrides may run at once, 1 or more';

/** How the headroom stack is built, beside what it does. */
export const StackInput = z.strictObject(
  {
    terminationProtection: flag().optional(),
    logRetentionDays: z
      .int({ error: RETENTION_HINT })
      .refine((days) => RETENTIONS.includes(days), RETENTION_HINT)
      .optional(),
    kmsKeyArn: text(
      KEY_HINT,
      /^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/(mrk-[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
    ).optional(),
    alarmTopicArn: text(TOPIC_HINT, /^arn:[\w-]+:sns:[\w-]+:\d{12}:[\w-]+(\.fifo)?$/).optional(),
    permissionsBoundaryArn: text(BOUNDARY_HINT, /^arn:[\w-]+:iam::\d{12}:policy\/[\w+=,.@/-]+$/).optional(),
    architecture: oneOf(['arm64', 'x86_64']).optional(),
    inflateConcurrency: z.int({ error: CONCURRENCY_HINT }).min(1, CONCURRENCY_HINT).optional(),
    dashboard: flag().optional(),
  },
  { error: 'write a map such as {logRetentionDays: 90, dashboard: true}' },
);
export type StackInput = z.output<typeof StackInput>;
