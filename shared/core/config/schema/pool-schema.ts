import * as z from 'zod';
import { IAM_ROLE } from '../../basics/iam-role';
import {
  AMI_FAMILIES,
  AmiAlias,
  AmiSelector,
  BlockDevices,
  Kubelet,
  MetadataOptions,
  NodeTags,
  OtherNodeClassFields,
  SecurityGroupSelector,
  SubnetSelector,
} from './node-class-schema';
import { Quantity } from './quantity-field';
import { fault, obey } from './rules';
import {
  cronRules,
  flag,
  isLabelKey,
  isLabelValue,
  LABEL_KEY,
  Labels,
  listOf,
  oneOf,
  text,
  valuesRules,
  whole,
} from './schema-fields';

const ROLE_HINT = 'write the name of the node role, or its ARN';
const AFTER_HINT = 'write a duration in hours, minutes and seconds, such as 30s, 168h or 604800s, or Never';
const After = text(AFTER_HINT, /^(([0-9]+(s|m|h))+|Never)$/);

const KEY_HINT = 'write the key of a node label, such as capacity-spread';
const VALUE_HINT = 'write a label value: up to 63 letters, digits, -, _ and .';

/** A label value; YAML numbers and booleans are welcome. */
const Value = z
  .union([z.string(), z.number(), z.boolean()], { error: VALUE_HINT })
  .transform(String)
  .refine(isLabelValue, VALUE_HINT);

/** Keys that Karpenter refuses, or that have a field of their own here. */
const KEYS_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['karpenter.sh/capacity-type', 'has a field of its own; write capacityType: [on-demand]'],
  ['karpenter.sh/nodepool', "is Karpenter's own; leave it out, every node of the NodePool has it"],
  ['kubernetes.io/hostname', 'is refused by Karpenter; leave it out'],
]);

const Requirement = z
  .strictObject(
    {
      key: text(KEY_HINT, LABEL_KEY).max(316, KEY_HINT),
      operator: oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte']),
      values: listOf(Value, 'write a list of values, such as [a, b]').optional(),
      minValues: whole('write a whole number from 1 to 50', 1, 50).optional(),
    },
    { error: 'write {key, operator, values}, such as {key: capacity-spread, operator: In, values: [a, b]}' },
  )
  .superRefine(
    obey(({ key, operator, values, minValues = 0 }) => {
      const elsewhere = KEYS_ELSEWHERE.get(key);
      const most = values?.length ?? minValues;
      return [
        elsewhere && fault('key', elsewhere),
        ...valuesRules({ operator, values }),
        operator === 'In' &&
          minValues > most &&
          fault('minValues', `is ${minValues}, above the ${most} values; write at most ${most}`),
      ];
    }),
  );

const Requirements = listOf(Requirement, 'write a list of {key, operator, values}').max(
  80,
  'write at most 80 requirements',
);

const Taint = z.strictObject(
  {
    key: text('write the key of the taint').regex(LABEL_KEY, 'write the key of a taint, such as dedicated'),
    value: Value.optional(),
    effect: oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  },
  { error: 'write a taint such as {key: dedicated, value: cicd, effect: NoSchedule}' },
);
const Taints = listOf(Taint, 'write a list of taints, such as [{key: dedicated, value: cicd, effect: NoSchedule}]');

const BUDGET_SCHEDULE_HINT = 'write a 5-field cron, which Karpenter reads in UTC, such as 0 2 * * mon-fri';
const BUDGET_DURATION_HINT = 'write hours and minutes, such as 8h or 1h30m';
const Budget = z.strictObject(
  {
    nodes: text('write a share or a number of nodes in quotes, such as "10%" or "0"', /^((100|[0-9]{1,2})%|[0-9]+)$/),
    reasons: listOf(oneOf(['Underutilized', 'Empty', 'Drifted']), 'write a list such as [Underutilized]').optional(),
    schedule: text(BUDGET_SCHEDULE_HINT, /^(@(annually|yearly|monthly|weekly|daily|midnight|hourly)|\S+(\s+\S+){4})$/)
      .superRefine(obey(cronRules))
      .optional(),
    duration: text(BUDGET_DURATION_HINT, /^(([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?$/).optional(),
  },
  { error: 'write a budget such as {nodes: "10%"}' },
);

const RESTRICTED_LABEL = /^(kubernetes\.io\/hostname|([^/]*\.)?karpenter\.sh\/.*)$/;
export const NodeLabels = Labels.refine(
  (labels) => Object.entries(labels).every(([key, value]) => isLabelKey(key) && isLabelValue(value)),
  'write valid Kubernetes labels, such as {team: team1}',
).refine(
  (labels) => !Object.keys(labels).some((key) => RESTRICTED_LABEL.test(key)),
  'write labels of your own; karpenter.sh/... and kubernetes.io/hostname are refused by Karpenter',
);

const words = (hint: string) => listOf(Value, hint).min(1, hint).optional();
const Weight = whole('write a whole number from 1 to 100; the NodePool with the highest is tried first', 1, 100);
const LIMITS_HINT = 'write limits such as {cpu: 1000, memory: 1000Gi}';
const Limits = z
  .record(z.string(), Quantity, { error: LIMITS_HINT })
  .refine((limits) => Object.keys(limits).length > 0, LIMITS_HINT);
const ARCH_HINT = 'write [amd64], [arm64] or both';
const CAPACITY_HINT = 'write [on-demand], [spot] or both';

/** What differs in the spot twin. */
const SpotInput = z.strictObject(
  {
    weight: Weight.optional(),
    requirements: Requirements.optional(),
    labels: NodeLabels.optional(),
    taints: Taints.optional(),
    limits: Limits.optional(),
  },
  { error: 'write what differs in the spot twin, such as {limits: {cpu: 200}}' },
);

/** The NodePool and the EC2NodeClass that the CDK app generates for this purpose. */
export const PoolInput = z.strictObject(
  {
    family: words('write a list of instance families, such as [t3, t3a]'),
    size: words('write a list of sizes, such as [medium, large]'),
    category: words('write a list of categories, such as [c, m, r]'),
    generation: text('write a comparison in quotes, such as "> 2"', /^(>=?|<=?)\s*\d+$/).optional(),
    instanceTypes: words('write a list of instance types, such as [m7i.large]'),
    arch: listOf(oneOf(['amd64', 'arm64']), ARCH_HINT)
      .min(1, ARCH_HINT)
      .optional(),
    zones: words('write a list of zones, such as [a, c] or [ap-northeast-2a, ap-northeast-2c]'),
    capacityType: listOf(oneOf(['on-demand', 'spot', 'reserved']), CAPACITY_HINT)
      .min(1, CAPACITY_HINT)
      .optional(),
    requirements: Requirements.optional(),
    labels: NodeLabels.optional(),
    annotations: Labels.optional(),
    taints: Taints.optional(),
    startupTaints: Taints.optional(),
    limits: Limits.optional(),
    weight: Weight.optional(),
    disruption: z
      .strictObject(
        {
          consolidationPolicy: oneOf(['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced']).optional(),
          consolidateAfter: After.optional(),
          budgets: listOf(Budget, 'write a list of budgets, such as [{nodes: "10%"}]')
            .max(50, 'write at most 50 budgets')
            .optional(),
        },
        { error: 'write {consolidationPolicy, consolidateAfter, budgets}' },
      )
      .optional(),
    expireAfter: After.optional(),
    terminationGracePeriod: text('write a duration such as 1h', /^([0-9]+(s|m|h))+$/).optional(),
    ami: AmiAlias.optional(),
    amiSelector: AmiSelector.optional(),
    amiFamily: oneOf(AMI_FAMILIES).optional(),
    subnets: SubnetSelector.optional(),
    securityGroups: SecurityGroupSelector.optional(),
    role: text(ROLE_HINT)
      .refine((role) => !role.startsWith('arn:') || IAM_ROLE.test(role), ROLE_HINT)
      .optional(),
    instanceProfile: text('write the name of an instance profile').optional(),
    kubelet: Kubelet.optional(),
    metadataOptions: MetadataOptions.optional(),
    blockDeviceMappings: BlockDevices.optional(),
    userData: text('write the user data as text').optional(),
    tags: NodeTags.optional(),
    nodeClass: OtherNodeClassFields.optional(),
    spotTwin: flag().optional(),
    spot: SpotInput.optional(),
  },
  { error: 'write a map such as {category: [c, m, r], limits: {cpu: 1000}}' },
);
export type PoolInput = z.output<typeof PoolInput>;
