import { z } from 'zod';
import { flag, Labels, listOf, oneOf, Quantity, text } from './fields';

const AFTER = /^(([0-9]+(s|m|h))+|Never)$/;
const AFTER_HINT = 'write a duration such as 30s, 168h or 604800s, or Never';
const After = z.string({ error: AFTER_HINT }).regex(AFTER, AFTER_HINT);

const Requirement = z.strictObject(
  {
    key: text('write a node label'),
    operator: oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte']),
    values: listOf(z.coerce.string(), 'write a list of values').optional(),
    minValues: z.int().min(1).max(50).optional(),
  },
  { error: 'write {key, operator, values}' },
);

const Taint = z.strictObject(
  {
    key: text('write the key of the taint'),
    value: z.string().optional(),
    effect: oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  },
  { error: 'write {key, value, effect}' },
);

const BUDGET_NODES_HINT = 'write a share or a number of nodes in quotes, such as "10%" or "0"';
const Budget = z
  .strictObject(
    {
      nodes: z.string({ error: BUDGET_NODES_HINT }).regex(/^((100|[0-9]{1,2})%|[0-9]+)$/, BUDGET_NODES_HINT),
      reasons: listOf(oneOf(['Underutilized', 'Empty', 'Drifted']), 'write a list of reasons').optional(),
      schedule: text('write a 5-field cron in UTC').optional(),
      duration: z
        .string()
        .regex(/^(([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?$/, 'write a duration such as 8h or 1h30m')
        .optional(),
    },
    { error: 'write {nodes: "10%"}' },
  )
  .refine(({ schedule, duration }) => (schedule === undefined) === (duration === undefined), {
    path: ['duration'],
    error: 'schedule and duration go together; write both or neither',
  });

const words = (hint: string) => listOf(z.coerce.string(), hint).min(1, hint).optional();
const SELECTOR_HINT = 'write a list such as [{tags: {karpenter.sh/discovery: my-cluster}}]';

/** The NodePool and the EC2NodeClass that the CDK app generates for this purpose. */
export const PoolInput = z.strictObject(
  {
    family: words('write a list of instance families, such as [t3, t3a]'),
    size: words('write a list of sizes, such as [medium, large]'),
    category: words('write a list of categories, such as [c, m, r]'),
    generation: z
      .string()
      .regex(/^(>=?|<=?)\s*\d+$/, 'write a comparison in quotes, such as "> 2"')
      .optional(),
    instanceTypes: words('write a list of instance types, such as [m7i.large]'),
    arch: listOf(oneOf(['amd64', 'arm64']), 'write [amd64], [arm64] or both')
      .min(1)
      .optional(),
    zones: words('write a list of zones, such as [ap-northeast-2a, ap-northeast-2c]'),
    capacityType: listOf(oneOf(['on-demand', 'spot', 'reserved']), 'write [on-demand], [spot] or both')
      .min(1)
      .optional(),
    requirements: listOf(Requirement, 'write a list of {key, operator, values}').optional(),
    labels: Labels.optional(),
    annotations: Labels.optional(),
    taints: listOf(Taint, 'write a list of taints').optional(),
    startupTaints: listOf(Taint, 'write a list of taints').optional(),
    limits: z.record(z.string(), Quantity, { error: 'write limits such as {cpu: 1000, memory: 1000Gi}' }).optional(),
    weight: z.int({ error: 'write a whole number from 1 to 100' }).min(1).max(100).optional(),
    disruption: z
      .strictObject(
        {
          consolidationPolicy: oneOf(['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced']).optional(),
          consolidateAfter: After.optional(),
          budgets: listOf(Budget, 'write a list of budgets').optional(),
        },
        { error: 'write {consolidationPolicy, consolidateAfter, budgets}' },
      )
      .optional(),
    expireAfter: After.optional(),
    terminationGracePeriod: z
      .string()
      .regex(/^([0-9]+(s|m|h))+$/, 'write a duration such as 1h')
      .optional(),
    ami: text('write an AMI alias, such as al2023@latest')
      .regex(/^[a-z0-9]+@.+$/, 'write an AMI alias, such as al2023@latest')
      .optional(),
    amiSelector: listOf(z.record(z.string(), z.unknown()), SELECTOR_HINT).optional(),
    amiFamily: text('write an AMI family, such as AL2023').optional(),
    subnets: listOf(z.record(z.string(), z.unknown()), SELECTOR_HINT).optional(),
    securityGroups: listOf(z.record(z.string(), z.unknown()), SELECTOR_HINT).optional(),
    role: text('write the name of the node role').optional(),
    instanceProfile: text('write the name of an instance profile').optional(),
    kubelet: z.record(z.string(), z.unknown(), { error: 'write a map such as {maxPods: 58}' }).optional(),
    metadataOptions: z.record(z.string(), z.unknown()).optional(),
    blockDeviceMappings: listOf(z.record(z.string(), z.unknown()), 'write a list of block devices').optional(),
    userData: z.string().optional(),
    tags: Labels.optional(),
    spotTwin: flag().optional(),
  },
  { error: 'write a map such as {category: [c, m, r], limits: {cpu: 1000}}' },
);
export type PoolInput = z.output<typeof PoolInput>;
