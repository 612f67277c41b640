import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfigFiles } from '../../../shared/adapters/files/config-files';
import type { HeadroomConfig, MatchExpression } from '../../../shared/core/config/config';
import { loadConfig } from '../../../shared/core/config/read/load';
import { requirementsOf } from '../../../shared/core/karpenter/requirements';
import { clusterObjects } from '../../../shared/core/manifests/cluster-object-manifests';
import { pauseDeployment } from '../../../shared/core/manifests/pause-deployment';
import { allocatableOf, type InstanceType, instanceTypes, priceListOf } from '../../../shared/pricing/instance-types';
import { nodePrice } from '../../../shared/pricing/node-price';
import type { KubeObject } from '../harness/api-client';
import { type Cluster, startCluster } from '../harness/cluster';
import { nodePool } from '../harness/manifests';
import { eventually } from '../harness/process/eventually';
import { describeCluster } from '../harness/shared-cluster';

const LIST = priceListOf('us-east-1');
const NAMESPACE = 'headroom';
const ZONES = ['us-east-1a', 'us-east-1b'];
/** What the kwok provider takes off every node itself. */
const KWOK_RESERVES = { milliCpu: 100, mebibytes: 10 };

/** Every label that some type has: the AWS provider says of the others that they do not exist on its nodes. */
const ALL_LABELS = [...new Set(instanceTypes(LIST).flatMap(({ labels }) => Object.keys(labels)))];
const SET_BY_KWOK = ['node.kubernetes.io/instance-type', 'kubernetes.io/arch', 'kubernetes.io/os'];

type Case = readonly [name: string, unit: string, requirements: readonly MatchExpression[]];

const isIn = (key: string, ...values: string[]): MatchExpression => ({ key, operator: 'In', values });
const its = (name: string, operator: string, ...values: string[]): MatchExpression => ({
  key: `karpenter.k8s.aws/instance-${name}`,
  operator,
  values,
});
const ARCH = 'kubernetes.io/arch';
const CAPACITY = 'karpenter.sh/capacity-type';
const USUAL = [
  isIn(ARCH, 'amd64'),
  isIn('kubernetes.io/os', 'linux'),
  its('category', 'In', 'c', 'm', 'r'),
  its('generation', 'Gt', '2'),
];
const ON_DEMAND = isIn(CAPACITY, 'on-demand');

/** As in the examples of Karpenter's AWS provider and in public Terraform of EKS clusters, restated. */
const PUBLIC: readonly Case[] = [
  ['general-purpose', 'floor: {cpu: 4, memory: 16Gi}', [...USUAL, ON_DEMAND]],
  ['general-purpose-room', 'node: {cpu: 3, memory: 12Gi}', [...USUAL, ON_DEMAND]],
  ['general-purpose-tight', 'node: {cpu: 4, memory: 8Gi}', [...USUAL, ON_DEMAND]],
  [
    'large-instances',
    'node: {cpu: 1, memory: 1Gi}',
    [isIn(ARCH, 'amd64'), ON_DEMAND, its('cpu', 'Gt', '3'), its('memory', 'Gt', '8191')],
  ],
  ['spot', 'floor: {cpu: 8}', [...USUAL, isIn(CAPACITY, 'spot')]],
  ['instance-store', 'node: {cpu: 2}', [...USUAL, ON_DEMAND, its('local-nvme', 'Gt', '300')]],
  [
    'min-values',
    'slice: {cpu: 2, memory: 4Gi}',
    [
      ...USUAL,
      isIn(CAPACITY, 'spot'),
      { key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 5 } as MatchExpression,
    ],
  ],
  [
    'blueprint',
    'node: {cpu: 2, memory: 20Gi}',
    [
      ...USUAL.slice(2),
      isIn(ARCH, 'amd64', 'arm64'),
      isIn(CAPACITY, 'spot', 'on-demand'),
      its('cpu', 'In', '4', '8', '16', '32'),
      its('hypervisor', 'In', 'nitro'),
    ],
  ],
  [
    'arm',
    'floor: {cpu: 2}',
    [isIn(ARCH, 'arm64'), ON_DEMAND, its('family', 'In', 'c6g'), its('cpu', 'In', '1', '2', '4')],
  ],
  [
    'burstable',
    'node: {cpu: 1, memory: 2Gi}',
    [
      its('category', 'In', 't', 'r'),
      its('cpu', 'In', '2', '4', '8'),
      its('generation', 'Gt', '3'),
      its('size', 'In', 'small', 'large'),
      ON_DEMAND,
    ],
  ],
  [
    'listed-families',
    'node: {cpu: 1500m, memory: 4Gi}',
    [
      isIn(ARCH, 'amd64'),
      isIn(CAPACITY, 'spot'),
      its('family', 'In', 't3', 't3a', 'm5', 'm5a', 'm6i', 'm6a', 'm7i', 'm7a'),
      its('cpu', 'In', '2', '4'),
    ],
  ],
  [
    'not-flex',
    'slice: {cpu: 1, memory: 2Gi}',
    [
      isIn(ARCH, 'amd64'),
      ON_DEMAND,
      its('category', 'In', 'c'),
      its('generation', 'Gt', '4'),
      its('cpu', 'In', '8', '16'),
      its('capability-flex', 'In', 'false'),
    ],
  ],
  [
    'encrypted',
    'floor: {cpu: 2, memory: 8Gi}',
    [
      ON_DEMAND,
      isIn(ARCH, 'amd64'),
      its('encryption-in-transit-supported', 'In', 'true'),
      its('local-nvme', 'DoesNotExist'),
      its('category', 'In', 'c', 'm', 'r'),
    ],
  ],
  [
    'not-old',
    'node: {cpu: 7, memory: 24Gi}',
    [...USUAL, ON_DEMAND, its('family', 'NotIn', 'm5a', 'm5', 'm4', 'm6a', 'm3', 'r3', 'c4')],
  ],
  [
    'gpu',
    'node: {cpu: 2, nvidia.com/gpu: 1}',
    [isIn(ARCH, 'amd64'), ON_DEMAND, its('gpu-manufacturer', 'In', 'nvidia'), its('category', 'In', 'g')],
  ],
];

describeCluster('the node that a price is for', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headstart-prices-'));
  const cases = [
    ...examplePools(),
    ...PUBLIC.map(([name, unit, requirements]) => ({ pool: poolOf(name, unit), requirements })),
  ];
  let cluster: Cluster;

  beforeAll(async () => {
    const instanceTypesFile = join(folder, 'instance-types.json');
    writeFileSync(instanceTypesFile, JSON.stringify(instanceTypes(LIST).map(asKwokType)));
    cluster = await startCluster({ karpenter: true, instanceTypesFile });
    for (const object of [...clusterObjects(NAMESPACE), daemonSet('aws-node', '50m'), daemonSet('kube-proxy', '100m')])
      await cluster.admin.apply(object as unknown as KubeObject);
  });

  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true });
  });

  test.each(cases.map((one) => ({ ...one, name: one.pool.name })))('$name', async ({ name, pool, requirements }) => {
    const made = nodePool({ name, labels: pool.pool?.labels ?? {} }) as KubeObject & {
      spec: { template: { spec: object } };
    };
    const { template } = made.spec;
    // The kwok provider has zones of its own, and its types do not carry the labels that minValues counts.
    const placed = requirements
      .filter(({ key }) => key !== 'topology.kubernetes.io/zone')
      .map((one) => (one.key.startsWith('karpenter.k8s.aws/') ? { ...one, minValues: undefined } : one));
    await cluster.admin.apply({
      ...made,
      spec: { ...made.spec, template: { ...template, spec: { ...template.spec, requirements: placed } } },
    } as KubeObject);
    await cluster.admin.apply(
      pauseDeployment({
        pool,
        namespace: NAMESPACE,
        replicas: 1,
        annotations: {},
        defaultTolerations: [],
        imageVolumes: false,
      }) as unknown as KubeObject,
    );
    const type = await eventually(
      async () => {
        const path = `/apis/karpenter.sh/v1/nodeclaims?labelSelector=karpenter.sh%2Fnodepool%3D${name}`;
        const [claim] = await cluster.admin.list<KubeObject>(path);
        return claim?.metadata.labels?.['node.kubernetes.io/instance-type'];
      },
      { what: `a node of ${name}`, timeoutMs: 60_000 },
    );
    const price = nodePrice(pool, 'us-east-1', requirements);
    const chosen = instanceTypes(LIST).find((one) => one.name === type);
    // Of types with the same price Karpenter takes any.
    expect({ type, price: chosen?.onDemand }).toEqual({ type: expect.any(String), price: price?.perHour.low });
    expect(price?.perHour.high).toBe(price?.perHour.low);
  });
});

/** The NodePools of examples/full.yaml, without the config's own prices. */
function examplePools(): readonly {
  readonly pool: HeadroomConfig;
  readonly requirements: readonly MatchExpression[];
}[] {
  const loaded = loadConfigFiles('examples/full.yaml');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.config.headrooms.flatMap(({ price: _, ...pool }) => {
    const own = pool.pool && requirementsOf(pool.pool, 'us-east-1');
    const { 'vpc.amazonaws.com/pod-eni': __, ...requests } = pool.unit.requests;
    const plain = {
      ...pool,
      twins: [],
      warmImages: [],
      unit: { ...pool.unit, requests },
    };
    return own ? [{ pool: plain, requirements: own }] : [];
  });
}

function poolOf(name: string, unit: string): HeadroomConfig {
  const text = `cluster: {name: c, region: us-east-1}\nnodePools: {${name}: {max: 1, unit: {${unit}}}}`;
  const loaded = loadConfig([{ file: 'headroom.yaml', text }]);
  const [pool] = loaded.ok ? loaded.config.headrooms : [];
  if (!pool) throw new Error(JSON.stringify(loaded));
  return pool;
}

/** A type in the format of the kwok provider, with AWS' labels and what AWS' nodes leave for pods. */
function asKwokType(type: InstanceType): object {
  const { cpu = 0, memory = 0, ...others } = Object.fromEntries(allocatableOf(type));
  const own = ALL_LABELS.filter((key) => !SET_BY_KWOK.includes(key)).map((key) => {
    const value = type.labels[key];
    return value === undefined ? { key, operator: 'DoesNotExist' } : isIn(key, value);
  });
  const offering = (capacityType: string, Price: number) =>
    ZONES.map((zone) => ({
      Price,
      Available: true,
      Requirements: [isIn(CAPACITY, capacityType), isIn('topology.kubernetes.io/zone', zone), ...own],
    }));
  return {
    name: type.name,
    architecture: type.arch,
    operatingSystems: ['linux'],
    resources: {
      cpu: `${cpu + KWOK_RESERVES.milliCpu}m`,
      // Of the volume, which is the same for all types.
      'ephemeral-storage': '100Gi',
      memory: `${memory / 2 ** 20 + KWOK_RESERVES.mebibytes}Mi`,
      ...Object.fromEntries(Object.entries(others).map(([name, amount]) => [name, `${amount}`])),
    },
    offerings: [...offering('on-demand', type.onDemand), ...offering('spot', type.onDemand * 0.4)],
  };
}

function daemonSet(name: string, cpu: string): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: 'kube-system' },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          tolerations: [{ operator: 'Exists' }],
          containers: [{ name, image: name, resources: { requests: { cpu } } }],
        },
      },
    },
  } as KubeObject;
}
