import * as z from 'zod';
import { Quantity } from './quantity-field';
import { fault, obey } from './rules';
import { flag, Labels, list, listOf, oneOf, text, whole } from './schema-fields';

const SelectorTags = Labels.refine(
  (tags) => Object.entries(tags).every(([key, value]) => key !== '' && value !== ''),
  'write tags of text to text without empty ones, such as {karpenter.sh/discovery: my-cluster}',
);

/** Karpenter looks things up by tags, or by an id or a name alone. */
function selector<Shape extends z.ZodRawShape>(shape: Shape, alone: readonly string[], hint: string) {
  const term = z
    .strictObject(shape, { error: hint })
    .refine((given) => Object.keys(given).length > 0, hint)
    .superRefine(
      obey((given) => {
        const single = alone.find((key) => Object.hasOwn(given, key));
        const others = Object.keys(given).filter((key) => key !== single);
        const wrong = `does not go with ${others.join(' and ')}`;
        return [single && others.length > 0 && fault(single, `${wrong}; write ${single} alone`)];
      }),
    );
  return listOf(term, `${hint}, in a list`).min(1, `${hint}, in a list`).max(30, 'write at most 30 selectors');
}

export const SubnetId = text('write a subnet id such as subnet-0a1b2c3d', /^subnet-[0-9a-z]+$/);
export const SecurityGroupId = text('write a security group id such as sg-0a1b2c3d', /^sg-[0-9a-z]+$/);

export const SubnetSelector = selector(
  { tags: SelectorTags.optional(), id: SubnetId.optional() },
  ['id'],
  'write {tags: {karpenter.sh/discovery: my-cluster}} or {id: subnet-0a1b2c3d}',
);

export const SecurityGroupSelector = selector(
  {
    tags: SelectorTags.optional(),
    id: SecurityGroupId.optional(),
    name: text('write the name of a security group').optional(),
  },
  ['id', 'name'],
  'write {tags: {karpenter.sh/discovery: my-cluster}}, {id: sg-0a1b2c3d} or {name: my-nodes}',
);

export const AmiSelector = selector(
  {
    tags: SelectorTags.optional(),
    id: text('write an AMI id such as ami-0a1b2c3d', /^ami-[0-9a-z]+$/).optional(),
    name: text('write the name of an AMI; * and ? match').optional(),
    owner: text('write the account that owns the AMI in quotes, or self or amazon').optional(),
    ssmParameter: text('write the name of an SSM parameter that holds an AMI id').optional(),
  },
  ['id'],
  'write {name: my-ami-*, owner: self}, {tags: {...}}, {id: ami-0a1b2c3d} or {ssmParameter: /my/ami}',
);

export const AMI_FAMILIES = [
  'AL2',
  'AL2023',
  'Bottlerocket',
  'Custom',
  'Windows2019',
  'Windows2022',
  'Windows2025',
] as const;

const ALIAS_HINT = 'write an AMI alias, such as al2023@latest, al2023@v20260801 or bottlerocket@v1.40.0';
export const AmiAlias = text(ALIAS_HINT, /^((al2|al2023|bottlerocket)@.+|windows20(19|22|25)@latest)$/).max(
  30,
  ALIAS_HINT,
);

const RESERVED_HINT = 'write a map of cpu, memory, ephemeral-storage or pid to a quantity, such as {cpu: 100m}';
const Reserved = z
  .record(z.string(), Quantity, { error: RESERVED_HINT })
  .refine((map) => Object.keys(map).every((key) => /^(cpu|memory|ephemeral-storage|pid)$/.test(key)), RESERVED_HINT);

const SIGNAL = /^(memory\.available|(nodefs|imagefs)\.(available|inodesFree)|pid\.available)$/;
const signals = (hint: string) =>
  Labels.refine((map) => Object.keys(map).every((key) => SIGNAL.test(key)), hint).optional();
const PERCENT_HINT = 'write a whole number from 0 to 100';

/** What the kubelet is told; in the v1 API it belongs to the EC2NodeClass. */
export const Kubelet = z.strictObject(
  {
    clusterDNS: listOf(text('write an address'), 'write a list of addresses, such as [10.100.0.10]').optional(),
    cpuCFSQuota: flag().optional(),
    evictionHard: signals('write signals such as {memory.available: 5%}'),
    evictionSoft: signals('write signals such as {memory.available: 10%}'),
    evictionSoftGracePeriod: signals('write signals such as {memory.available: 1m}'),
    evictionMaxPodGracePeriod: whole('write whole seconds, such as 60').optional(),
    imageGCHighThresholdPercent: whole(PERCENT_HINT, 0, 100).optional(),
    imageGCLowThresholdPercent: whole(PERCENT_HINT, 0, 100).optional(),
    kubeReserved: Reserved.optional(),
    systemReserved: Reserved.optional(),
    maxPods: whole('write the most pods of a node, such as 58').optional(),
    podsPerCore: whole('write a whole number of pods, such as 10').optional(),
  },
  { error: 'write a map such as {maxPods: 58}' },
);

export const MetadataOptions = z.strictObject(
  {
    httpEndpoint: oneOf(['enabled', 'disabled']).optional(),
    httpProtocolIPv6: oneOf(['enabled', 'disabled']).optional(),
    httpPutResponseHopLimit: whole('write a whole number from 1 to 64', 1, 64).optional(),
    httpTokens: oneOf(['required', 'optional']).optional(),
  },
  { error: 'write a map such as {httpPutResponseHopLimit: 2}' },
);

const SIZE_HINT = 'write a volume size such as 100Gi';
const Ebs = z
  .strictObject(
    {
      volumeSize: text(SIZE_HINT, /^[1-9]\d*(Gi|G|Ti|T)$/).optional(),
      volumeType: oneOf(['standard', 'io1', 'io2', 'gp2', 'sc1', 'st1', 'gp3']).optional(),
      iops: whole('write a whole number of IOPS, such as 3000').optional(),
      throughput: whole('write whole MiB/s, such as 125').optional(),
      encrypted: flag().optional(),
      kmsKeyID: text('write the id, alias or ARN of a KMS key').optional(),
      snapshotID: text('write a snapshot id such as snap-0a1b2c3d').optional(),
      volumeInitializationRate: whole('write MiB/s from 100 to 300', 100, 300).optional(),
      deleteOnTermination: flag().optional(),
    },
    { error: 'write a map such as {volumeSize: 100Gi, volumeType: gp3}' },
  )
  .superRefine(
    obey(({ volumeSize, snapshotID, volumeInitializationRate }) => [
      volumeSize === undefined && snapshotID === undefined && fault('volumeSize', `is missing; ${SIZE_HINT}`),
      volumeInitializationRate !== undefined &&
        snapshotID === undefined &&
        fault('volumeInitializationRate', 'has no snapshotID to read from; write snapshotID too, or leave it out'),
    ]),
  );

export const BlockDevices = listOf(
  z.strictObject(
    {
      deviceName: text('write a device such as /dev/xvda').optional(),
      rootVolume: flag().optional(),
      ebs: Ebs.optional(),
    },
    { error: 'write a block device such as {deviceName: /dev/xvda, ebs: {volumeSize: 100Gi}}' },
  ),
  'write a list of block devices',
)
  .max(50, 'write at most 50 block devices')
  .refine(
    (devices) => devices.filter(({ rootVolume }) => rootVolume).length < 2,
    'write rootVolume: true for at most one block device',
  );

export const OTHER_FIELDS = [
  'associatePublicIPAddress',
  'capacityReservationSelectorTerms',
  'connectionTracking',
  'context',
  'cpuOptions',
  'detailedMonitoring',
  'instanceStorePolicy',
  'ipPrefixCount',
  'networkInterfaces',
  'placementGroupSelector',
];

/** The rest of the EC2NodeClass, handed on as it is. */
export const OtherNodeClassFields = z
  .record(z.string(), z.unknown(), {
    error: 'write fields of the EC2NodeClass, such as {instanceStorePolicy: RAID0}',
  })
  .superRefine(
    obey((fields) =>
      Object.keys(fields).map(
        (key) =>
          !OTHER_FIELDS.includes(key) &&
          fault(key, `is not a field that Headstart passes on to the EC2NodeClass; write one of ${list(OTHER_FIELDS)}`),
      ),
    ),
  );

const NOT_OURS =
  /^(eks:eks-cluster-name|kubernetes\.io\/cluster.*|karpenter\.sh\/(nodepool|nodeclaim)|karpenter\.k8s\.aws\/ec2nodeclass|)$/;

/** Tags for the instances; Karpenter keeps some for itself. */
export const NodeTags = Labels.refine(
  (tags) => !Object.keys(tags).some((key) => NOT_OURS.test(key)),
  "write no empty tag and none of Karpenter's own: eks:eks-cluster-name, kubernetes.io/cluster/..., karpenter.sh/nodepool, karpenter.sh/nodeclaim, karpenter.k8s.aws/ec2nodeclass",
);
