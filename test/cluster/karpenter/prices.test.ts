import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HeadroomConfig, MatchExpression } from '../../../shared/core/config/config';
import { requirementsOf } from '../../../shared/core/karpenter/requirements';
import { clusterObjects } from '../../../shared/core/manifests/cluster-object-manifests';
import { pauseDeployment } from '../../../shared/core/manifests/pause-deployment';
import { allocatableOf, type InstanceType, instanceTypes, priceListOf } from '../../../shared/pricing/instance-types';
import { nodePrice } from '../../../shared/pricing/node-price';
import { configIn, loadedConfig } from '../../fakes/loaded-config';
import { tempFolder } from '../../fakes/temp-folder';
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

const CAPACITY = 'karpenter.sh/capacity-type';
const KEYS: Readonly<Record<string, string>> = {
  arch: 'kubernetes.io/arch',
  os: 'kubernetes.io/os',
  capacity: CAPACITY,
  type: 'node.kubernetes.io/instance-type',
};

const isIn = (key: string, ...values: string[]): MatchExpression => ({ key, operator: 'In', values });

/** Requirements as a person would say them: `category In c,m,r; cpu Gt 3`; what is no key of its own is `instance-…`. */
function requirementsIn(text: string): readonly MatchExpression[] {
  return text.split('; ').map((one) => {
    const [name = '', operator = '', values] = one.split(' ');
    const key = KEYS[name] ?? `karpenter.k8s.aws/instance-${name}`;
    if (operator.startsWith('minValues=')) return { key, operator: 'Exists', minValues: Number(operator.slice(10)) };
    return { key, operator, ...(values !== undefined && { values: values.split(',') }) };
  }) as readonly MatchExpression[];
}

const LARGER = 'category In c,m,r; generation Gt 2';
const USUAL = `arch In amd64; os In linux; ${LARGER}`;
const ON_DEMAND = 'capacity In on-demand';
const SPOT = 'capacity In spot';
const OLD = 'm5a,m5,m4,m6a,m3,r3,c4';

/** As in the examples of Karpenter's AWS provider and in public Terraform of EKS clusters, restated. */
const PUBLIC = [
  ['general-purpose', 'floor: {cpu: 4, memory: 16Gi}', `${USUAL}; ${ON_DEMAND}`],
  ['general-purpose-room', 'node: {cpu: 3, memory: 12Gi}', `${USUAL}; ${ON_DEMAND}`],
  ['general-purpose-tight', 'node: {cpu: 4, memory: 8Gi}', `${USUAL}; ${ON_DEMAND}`],
  ['large-instances', 'node: {cpu: 1, memory: 1Gi}', `arch In amd64; ${ON_DEMAND}; cpu Gt 3; memory Gt 8191`],
  ['spot', 'floor: {cpu: 8}', `${USUAL}; ${SPOT}`],
  ['instance-store', 'node: {cpu: 2}', `${USUAL}; ${ON_DEMAND}; local-nvme Gt 300`],
  ['min-values', 'slice: {cpu: 2, memory: 4Gi}', `${USUAL}; ${SPOT}; type minValues=5`],
  [
    'blueprint',
    'node: {cpu: 2, memory: 20Gi}',
    `${LARGER}; arch In amd64,arm64; capacity In spot,on-demand; cpu In 4,8,16,32; hypervisor In nitro`,
  ],
  ['arm', 'floor: {cpu: 2}', `arch In arm64; ${ON_DEMAND}; family In c6g; cpu In 1,2,4`],
  [
    'burstable',
    'node: {cpu: 1, memory: 2Gi}',
    `category In t,r; cpu In 2,4,8; generation Gt 3; size In small,large; ${ON_DEMAND}`,
  ],
  [
    'listed-families',
    'node: {cpu: 1500m, memory: 4Gi}',
    `arch In amd64; ${SPOT}; family In t3,t3a,m5,m5a,m6i,m6a,m7i,m7a; cpu In 2,4`,
  ],
  [
    'not-flex',
    'slice: {cpu: 1, memory: 2Gi}',
    `arch In amd64; ${ON_DEMAND}; category In c; generation Gt 4; cpu In 8,16; capability-flex In false`,
  ],
  [
    'encrypted',
    'floor: {cpu: 2, memory: 8Gi}',
    `${ON_DEMAND}; arch In amd64; encryption-in-transit-supported In true; local-nvme DoesNotExist; category In c,m,r`,
  ],
  ['not-old', 'node: {cpu: 7, memory: 24Gi}', `${USUAL}; ${ON_DEMAND}; family NotIn ${OLD}`],
  [
    'gpu',
    'node: {cpu: 2, nvidia.com/gpu: 1}',
    `arch In amd64; ${ON_DEMAND}; gpu-manufacturer In nvidia; category In g`,
  ],
] as const;

describeCluster('the node that a price is for', () => {
  const folder = tempFolder();
  const cases = [
    ...examplePools(),
    ...PUBLIC.map(([name, unit, text]) => ({ pool: poolOf(name, unit), requirements: requirementsIn(text) })),
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
    const { low, high, spotPercent = 100 } = nodePrice(pool, 'us-east-1', requirements)?.perHour ?? {};
    const chosen = instanceTypes(LIST).find((one) => one.name === type);
    // Of types with the same price Karpenter takes any.
    expect(low).toBeCloseTo(((chosen?.onDemand ?? 0) * spotPercent) / 100, 6);
    expect(high).toBe(low);
  });
});

/** The NodePools of examples/full.yaml, without the config's own prices. */
function examplePools(): readonly {
  readonly pool: HeadroomConfig;
  readonly requirements: readonly MatchExpression[];
}[] {
  return configIn('examples/full.yaml').headrooms.flatMap(({ price: _, ...pool }) => {
    const own = pool.pool && requirementsOf(pool.pool, 'us-east-1');
    const { 'vpc.amazonaws.com/pod-eni': __, ...requests } = pool.unit.requests;
    const plain = {
      ...pool,
      twins: [],
      warmImages: [],
      unit: { ...pool.unit, requests },
    };
    // Of several headrooms on one NodePool, the one that has its block.
    return own && pool.nodePool === pool.name ? [{ pool: plain, requirements: own }] : [];
  });
}

function poolOf(name: string, unit: string): HeadroomConfig {
  const text = `cluster: {name: c, region: us-east-1}\nnodePools: {${name}: {max: 1, unit: {${unit}}}}`;
  return loadedConfig(text).headrooms[0] as HeadroomConfig;
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
