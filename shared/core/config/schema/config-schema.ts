import * as z from 'zod';
import { INTERRUPTION_CAUSES } from '../../events/interruption-causes';
import { AlarmInput } from './alarm-schema';
import { EventInput } from './event-schema';
import { KarpenterInput } from './karpenter-schema';
import { PodAnnotations, PodLabels, PullSecrets } from './pod-schema';
import { PoolInput } from './pool-schema';
import { Quantity } from './quantity-field';
import { fault, obey } from './rules';
import { Calendars, ScheduleInput } from './schedule-schema';
import {
  durationUpTo,
  flag,
  HeadroomName,
  Hold,
  Labels,
  list,
  listOf,
  NodePoolName,
  oneOf,
  orShare,
  Replicas,
  text,
  valuesRules,
  whole,
} from './schema-fields';
import { StackInput } from './stack-schema';

const RESERVED_NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
const DNS_NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

export const ClusterInput = z.strictObject(
  {
    name: text('write the name of the EKS cluster').regex(
      /^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$/,
      'write the name of the EKS cluster: up to 100 letters, digits, - and _',
    ),
    region: text('write the AWS region, such as ap-northeast-2', /^[a-z]{2,4}(-[a-z]+)+-\d+$/),
    account: text('write the 12-digit account in quotes, such as "123456789012"', /^\d{12}$/).optional(),
    wave: whole('write the wave in which this cluster is deployed, a whole number from 1 to 100', 1, 100).optional(),
    namespace: z
      .string({ error: "write a namespace of Headstart's own, such as headroom" })
      .max(63, 'write at most 63 characters')
      .regex(DNS_LABEL, 'write a lower-case name such as headroom')
      .refine((name) => !RESERVED_NAMESPACES.includes(name), "write a namespace of Headstart's own, such as headroom")
      .optional(),
    access: oneOf(['entry', 'manual']).optional(),
    liveSchedules: flag().optional(),
    wakeUp: flag().optional(),
    vpc: z
      .strictObject(
        {
          subnetIds: listOf(
            text('write a subnet id').regex(/^subnet-[0-9a-f]+$/, 'write a subnet id such as subnet-0a1b2c3d'),
            'write a list of subnet ids',
          ).min(1, 'write at least one subnet id, better two in different zones'),
          securityGroupIds: listOf(
            text('write a security group id').regex(/^sg-[0-9a-f]+$/, 'write a security group id such as sg-0a1b2c3d'),
            'write a list of security group ids',
          ).optional(),
          admitSecurityGroups: flag().optional(),
        },
        { error: 'write {subnetIds: [...], securityGroupIds: [...], admitSecurityGroups: true}' },
      )
      .optional(),
  },
  { error: 'write {name: ..., region: ...} of the EKS cluster' },
);

const UNIT_HINT =
  'write {floor: {cpu, memory}} (nodes that exist), {node: {cpu, memory}} (free room, one per node), {slice: {cpu, memory}} (free room, packed) or {like: namespace/name} (room for the pods of a workload)';
const RESOURCE = /^(cpu|memory|ephemeral-storage|hugepages-.+|[^/]+\/[^/]+)$/;
const RESOURCE_HINT = 'write cpu, memory, ephemeral-storage or a name such as nvidia.com/gpu';
const Requests = z
  .record(z.string().regex(RESOURCE, RESOURCE_HINT), Quantity, {
    error: 'write requests such as {cpu: 1, memory: 2Gi}',
  })
  .refine((requests) => Object.keys(requests).length > 0, 'write at least one request, such as {cpu: 1}');

const NODE_SIZE_HINT = 'write the size of a node, such as {cpu: 4, memory: 16Gi}';
const NodeSize = z.strictObject({ cpu: Quantity.optional(), memory: Quantity.optional() }, { error: NODE_SIZE_HINT });

const FLOOR_SIZE_HINT = 'write the size of a node, such as {cpu: 4, memory: 16Gi}, and gpu: 1 for nodes with GPUs';
const FloorSize = z.strictObject(
  { ...NodeSize.shape, gpu: whole('write how many GPUs a node has at least, 1 or more', 1, 64).optional() },
  { error: FLOOR_SIZE_HINT },
);

const LIKE_HINT =
  'write the namespace and the name of a Deployment, such as shop/checkout, or {kind: StatefulSet, namespace: shop, name: db}';
const MAX_PODS = 100;
const LikeInput = z.union(
  [
    text(LIKE_HINT, /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\/[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/),
    z.strictObject({
      kind: oneOf(['Deployment', 'StatefulSet']).optional(),
      namespace: text(LIKE_HINT, DNS_LABEL).max(63, LIKE_HINT),
      name: text(LIKE_HINT, DNS_NAME).max(253, LIKE_HINT),
      pods: whole(`write how many pods one pause pod makes room for, from 1 to ${MAX_PODS}`, 1, MAX_PODS).optional(),
    }),
  ],
  { error: LIKE_HINT },
);

const UnitInput = z
  .strictObject(
    {
      node: Requests.optional(),
      slice: Requests.optional(),
      like: LikeInput.optional(),
      // Without a size Karpenter would buy the smallest nodes that it can find.
      floor: FloorSize.refine(
        (size) => Object.values(size).some((least) => least !== undefined),
        FLOOR_SIZE_HINT,
      ).optional(),
    },
    { error: UNIT_HINT },
  )
  .refine((unit) => Object.values(unit).filter((kind) => kind !== undefined).length === 1, UNIT_HINT);

const TolerationInput = z
  .strictObject(
    {
      key: z.string().optional(),
      operator: oneOf(['Equal', 'Exists']).optional(),
      value: z.string().optional(),
      effect: oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).optional(),
      tolerationSeconds: z.int().optional(),
    },
    { error: 'write a toleration such as {key: dedicated, operator: Exists}' },
  )
  .superRefine(
    obey(({ key, operator }) => [
      !key &&
        operator !== 'Exists' &&
        fault('key', 'is missing; write the key of the taint, or operator: Exists to tolerate every taint'),
    ]),
  );

const MatchExpressionInput = z
  .strictObject(
    {
      key: text('write a node label'),
      operator: oneOf(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']),
      values: listOf(z.coerce.string(), 'write a list of values').optional(),
    },
    { error: 'write {key, operator, values}, such as {key: team, operator: In, values: [team1]}' },
  )
  .superRefine(obey(valuesRules));

const MAX_SURGES = 500;
const SURGES_HINT = `write a whole number from 0 to ${MAX_SURGES}`;
const InterruptionsInput = z.strictObject(
  {
    surge: Replicas.optional(),
    max: whole(SURGES_HINT, 0, MAX_SURGES).optional(),
    hold: Hold.optional(),
    on: listOf(oneOf(INTERRUPTION_CAUSES), `write a list of ${list(INTERRUPTION_CAUSES)}`)
      .min(1, `write at least one of ${list(INTERRUPTION_CAUSES)}`)
      .optional(),
  },
  { error: 'write a map such as {surge: 1, max: 5, hold: 10m}' },
);

/** The time of a node; the longest that Karpenter waits for one is a quarter of an hour. */
const NodeTime = durationUpTo('1d').optional();
const LeadTime = z.union(
  [
    z.literal('auto'),
    z.strictObject({ auto: z.strictObject({ min: NodeTime, max: NodeTime, start: NodeTime }) }),
    durationUpTo('7d'),
  ],
  { error: 'write a duration such as 5m, or auto, or {auto: {min: 1m, max: 15m, start: 5m}}' },
);

const HEADROOM_HINT = { error: 'write a map such as {max: 10}' };

/** What a headroom may set. */
export const NodePoolInput = z.strictObject(
  {
    nodePool: NodePoolName.optional(),
    unit: UnitInput.optional(),
    minNode: NodeSize.optional(),
    base: orShare(Replicas).optional(),
    max: Replicas.optional(),
    leadTime: LeadTime.optional(),
    image: text('write an image, such as registry.k8s.io/pause:3.10').optional(),
    imagePullSecrets: PullSecrets.optional(),
    podLabels: PodLabels.optional(),
    podAnnotations: PodAnnotations.optional(),
    tolerations: listOf(TolerationInput, 'write a list of tolerations').optional(),
    nodeAffinity: listOf(MatchExpressionInput, 'write a list of {key, operator, values}').optional(),
    nodeSelector: Labels.optional(),
    zones: oneOf(['spread']).optional(),
    warmImages: listOf(text('write an image'), 'write a list of images').optional(),
    price: z
      .number({ error: 'write the price of a node-hour, such as 0.0832' })
      .min(0, 'write a price of 0 or more')
      .optional(),
    schedules: listOf(ScheduleInput, 'write a list of windows').optional(),
    alarms: listOf(AlarmInput, 'write a list of alarms').optional(),
    interruptions: InterruptionsInput.optional(),
    events: listOf(EventInput, 'write a list of events').optional(),
    pool: PoolInput.optional(),
  },
  HEADROOM_HINT,
);
const { nodePool: _, ...forAll } = NodePoolInput.shape;

/** `headroom.yaml` as a person writes it. */
export const ConfigInput = z.strictObject(
  {
    extends: text('write the path of one base file, relative to this one, such as base.yaml').optional(),
    cluster: ClusterInput,
    heartbeat: durationUpTo('1d').optional(),
    defaults: z.strictObject(forAll, HEADROOM_HINT).optional(),
    nodePools: z
      .record(HeadroomName, NodePoolInput, {
        error: 'write a map from NodePool name to its headroom, such as {default: {max: 10}}',
      })
      .refine((pools) => Object.keys(pools).length > 0, 'write at least one NodePool, such as {default: {max: 10}}'),
    calendars: Calendars.optional(),
    karpenter: KarpenterInput.optional(),
    stack: StackInput.optional(),
  },
  { error: 'write a map with cluster and nodePools' },
);
export type ConfigInput = z.output<typeof ConfigInput>;
/** As code writes it. */
export type WrittenConfig = z.input<typeof ConfigInput>;
export type NodePoolInput = z.output<typeof NodePoolInput>;
