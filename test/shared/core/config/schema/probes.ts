import { MAX_REPLICAS } from '../../../../../shared/core/basics/record-limits';

const ACCOUNT = '123456789012';
const KEY = '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9';

/** What some key takes, or just does not take. */
const WORDS = [
  ...['a', 'Ab', 'a1-b', 'a.b', 'A_b', 'a-b.c', '2026-11-17', 'team1', 'a/b', 'a:b', 'a b', 'a/b/c', '*'],
  ...['1', '05', '2', '4Gi', '500m', '100Ti', '10%', '100%', '1.14.1', '-1', '1.5', '9223372036854775808', '1e30'],
  ...['> 1000', '>=-2.5', '<=2', '<3', '> 2', '>=10', '= 2'],
  ...['90s', '15s', '10s', '20s', '30s', '5m', '12m', '0m', '1h', '1h30m', '12h30m0s', '24h', '25h', '1d', '7d', '8d'],
  ...['Never', '1h1m1s', '0 9 * * *', '0 9 * *', '@daily', '@hourly', '5 5 5 5 mon-fri', '61 0 * * *'],
  ...['ap-northeast-2', 'us-gov-west-10', 'eusc-de-east-1', 'seoul', 'kube-system', 'default', 'default/headroom'],
  ...['Asia/Seoul', 'UTC', 'Asia/Soul', '2026-11-27T08:00', '2026-11-27 08:00:30', '2026-02-30T08:00'],
  ...['1999-12-31T08:00', '2026-02-30', '2026-12-25', ACCOUNT, 'subnet-0a1b', 'subnet-0z9', 'sg-0a1b', 'sg-0z9'],
  ...['ami-0a1b', 'al2023@latest', 'al2023@v20260801', 'bottlerocket@v1.40.0', 'windows2022@latest', 'ubuntu@latest'],
  ...[
    '$.detail',
    '$.detail.a_b-c[12].d',
    '$[1]',
    '$[12345]',
    '$.9',
    'event:a',
    'https://oidc.eks.aws/id/AB',
    'a\u0007',
  ],
  ...['oci://public.ecr.aws/karpenter', 'oci://a.b', 'https://a.b', 'example.com/team', 'example.com/a/b'],
  `arn:aws:iam::${ACCOUNT}:role/a`,
  `arn:aws-cn:iam::${ACCOUNT}:role/some/path/Node@Role`,
  `arn:aws:iam::${ACCOUNT}:role/`,
  `arn:aws:iam::${ACCOUNT}:policy/a/b@c`,
  `arn:aws:kms:eu-west-1:${ACCOUNT}:key/${KEY}`,
  `arn:aws:kms:eu-west-1:${ACCOUNT}:key/mrk-${'0a'.repeat(16)}`,
  `arn:aws:sns:eu-west-1:${ACCOUNT}:on-call`,
  `arn:aws:sns:eu-west-1:${ACCOUNT}:on-call.fifo`,
  `arn:aws:lambda:eu-west-1:${ACCOUNT}:layer:kubectl:12`,
  `arn:aws-cn:events:eu-west-1:${ACCOUNT}:event-bus/shop`,
];
const LENGTHS = [54, 55, 60, 61, 63, 64, 65, 80, 81, 100, 101, 128, 129, 200, 201, 253, 254, 255, 256, 257, 316, 317];
const BOUNDS = [50, 64, 100, 300, 500, 1_440, MAX_REPLICAS, 2 ** 31 - 1];

/** Keys of maps: labels, tags, resources, signals, and those that somebody keeps for itself. */
const KEYS = [
  ...['a', '', 'Ab_c.d-e', 'example.com/team', 'x/y/z', '-a', 'a-', '/a', 'a/', 'Example.com/a', 'é'],
  ...['cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'hugepages-', 'nvidia.com/gpu', 'pid', 'xcpu', 'cpux'],
  ...['memory.available', 'nodefs.available', 'imagefs.inodesFree', 'nodefs.inodesFree', 'pid.available', 'xmemory'],
  ...[
    'memory.availablex',
    'xmemory.available',
    'headstart.dev/a',
    'x.headstart.dev/a',
    'xheadstart.dev/a',
    'pod-template-hash',
  ],
  ...['app.kubernetes.io/managed-by', 'xpod-template-hash', 'pod-template-hashx', 'karpenter.sh/a', 'x.karpenter.sh/a'],
  ...['xkarpenter.sh/a', 'cluster-autoscaler.kubernetes.io/a', 'x.cluster-autoscaler.kubernetes.io/a'],
  ...['kubernetes.io/hostname', 'kubernetes.io/hostnamex', 'xkubernetes.io/hostname', 'kubernetes.io/cluster/demo'],
  ...['eks:eks-cluster-name', 'xeks:eks-cluster-name', 'eks:eks-cluster-namex', 'karpenter.sh/nodepool'],
  ...['karpenter.sh/nodeclaim', 'karpenter.k8s.aws/ec2nodeclass', 'xkubernetes.io/cluster', 'instanceStorePolicy'],
  ...['app.kubernetes.io/managed-byx', 'xapp.kubernetes.io/managed-by', 'networkInterfaces', 'context', 'source'],
  ...[63, 64].map((length) => 'k'.repeat(length)),
  ...[253, 254].map((length) => `${'p'.repeat(length)}/k`),
];
const VALUES = ['', 'v', 'v_1.2-3', '-v', 'v-', '5%', 1, true, null, 'v'.repeat(63), 'v'.repeat(64)];

/** Values of every kind that a person could write at a key of `headroom.yaml`. */
export const PROBES: Readonly<Record<string, readonly unknown[]>> = {
  numbers: [-1, 0, 0.5, 1, ...BOUNDS.flatMap((bound) => [bound, bound + 1]), 90, 99, 3_653, 2 ** 63, 2 ** 64],
  texts: ['', ...WORDS, ...LENGTHS.map((length) => 'a'.repeat(length))],
  flags: [true, false],
  maps: [{}, ...KEYS.map((key) => ({ [key]: 'v' })), ...VALUES.map((value) => ({ a: value }))],
  amounts: ['cpu', 'memory', 'nvidia.com/gpu', 'pid'].flatMap((key) => [{ [key]: 1 }, { [key]: '2Gi' }]),
  lists: [[], ['a'], [1], [null], [{}], [['a']]],
  nothing: [null],
};

/** As it would be written, with long texts cut. */
export function shown(value: unknown): string {
  return JSON.stringify(value).replace(/(\w)\1{50,}/g, (run, char) => `${char}*${run.length}`);
}
