import fc from 'fast-check';
import { podRequests } from '../../../../shared/core/like/pod-requests';
import { nanos, quantityText } from '../../../../shared/core/like/quantities';
import { type Shape, shapeOf } from '../../../../shared/core/like/shape';
import type { Container, PodSpec, WorkloadObject } from '../../../../shared/core/like/workload';
import { workload } from './like-setup';

const LIKE = { kind: 'Deployment', namespace: 'shop', name: 'checkout' } as const;

function shaping(object: WorkloadObject, pods?: number) {
  const like = { ...LIKE, ...(pods !== undefined && { pods }) };
  return shapeOf(object, { like, namespace: 'headroom', nodePool: 'web' });
}

function shape(spec: PodSpec, pods?: number): Shape {
  const found = shaping(workload(1, spec), pods);
  if ('problem' in found) throw new Error(found.problem);
  return found.shape;
}

const asks = (requests: Record<string, string>, more: Partial<Container> = {}): Container => ({
  resources: { requests },
  ...more,
});
const sidecar = { restartPolicy: 'Always' };

describe('what kube-scheduler reserves for a pod', () => {
  test.each<{ name: string; spec: PodSpec; requests: Record<string, string> }>([
    {
      name: 'its containers',
      spec: { containers: [asks({ cpu: '100m', memory: '1Gi' }), asks({ cpu: '0.25', memory: '64Mi' })] },
      requests: { cpu: '350m', memory: '1088Mi' },
    },
    {
      name: 'limits where there are no requests',
      spec: { containers: [{ resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m' } } }] },
      requests: { cpu: '100m', memory: '1Gi' },
    },
    {
      name: 'its largest init container',
      spec: {
        containers: [asks({ cpu: '100m' })],
        initContainers: [asks({ cpu: '2' }), asks({ cpu: '1', memory: '1Gi' })],
      },
      requests: { cpu: '2', memory: '1Gi' },
    },
    {
      name: 'sidecars beside its containers and beside later init containers',
      spec: {
        containers: [asks({ cpu: '100m' })],
        initContainers: [asks({ cpu: '1' }), asks({ cpu: '300m' }, sidecar), asks({ cpu: '900m' })],
      },
      requests: { cpu: '1200m' },
    },
    {
      name: 'what the pod as a whole requests',
      spec: { containers: [asks({ cpu: '100m', memory: '1Gi' })], resources: { requests: { cpu: '2' } } },
      requests: { cpu: '2', memory: '1Gi' },
    },
    {
      name: 'its overhead',
      spec: { containers: [asks({ cpu: '100m' })], overhead: { cpu: '50m', memory: '10Mi' } },
      requests: { cpu: '150m', memory: '10Mi' },
    },
    {
      name: 'other resources',
      spec: {
        containers: [asks({ 'nvidia.com/gpu': '1', 'ephemeral-storage': '1Gi', 'hugepages-2Mi': '4Mi', cpu: '1' })],
      },
      requests: { cpu: '1', 'ephemeral-storage': '1073741824', 'hugepages-2Mi': '4194304', 'nvidia.com/gpu': '1' },
    },
  ])('counts $name', ({ spec, requests }) => {
    expect(shape(spec).requests).toEqual(requests);
  });

  test.each(['-1', '1x', '', '.', '1e9999', '9'.repeat(70)])('refuses a pod that requests %j', (cpu) => {
    expect(shaping(workload(1, { containers: [asks({ cpu })] }))).toMatchObject({
      problem: expect.stringContaining('its pod template cannot be read: cpu'),
    });
  });
});

describe('quantities', () => {
  test.each([
    ['cpu', '1.5', '1500m'],
    ['cpu', '100u', '1m'],
    ['cpu', '2e3m', undefined],
    ['memory', '1.5Gi', '1536Mi'],
    ['memory', '128974848', '123Mi'],
    ['memory', '129e6', '129000000'],
    ['memory', '129M', '129000000'],
    ['memory', '1Ki', '1Ki'],
    ['memory', '400m', '1'],
    ['ephemeral-storage', '1E', '1000000000000000000'],
  ])('of %s: %s is %s', (resource, written, expected) => {
    const amount = nanos(written);
    expect(amount === undefined ? undefined : quantityText(resource, amount)).toBe(expected);
  });
});

describe('how many pods share a pause pod', () => {
  const apart: PodSpec['affinity'] = {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'checkout' } } },
      ],
    },
  };
  test.each<{ name: string; spec: PodSpec; written?: number; pods: number }>([
    { name: 'four small ones', spec: { containers: [asks({ cpu: '500m', memory: '2Gi' })] }, pods: 4 },
    { name: 'so many as 2 vCPU hold', spec: { containers: [asks({ cpu: '700m' })] }, pods: 2 },
    { name: 'so many as 8 GiB hold', spec: { containers: [asks({ cpu: '100m', memory: '3Gi' })] }, pods: 2 },
    { name: 'one large one', spec: { containers: [asks({ cpu: '4' })] }, pods: 1 },
    { name: 'as many as are written', spec: { containers: [asks({ cpu: '1' })] }, written: 6, pods: 6 },
    { name: 'one that keeps others off its node', spec: { affinity: apart }, written: 6, pods: 1 },
    { name: 'one with a device', spec: { containers: [asks({ 'nvidia.com/gpu': '1' })] }, written: 6, pods: 1 },
  ])('$name', ({ spec, written, pods }) => {
    expect(shape(spec, written).pods).toBe(pods);
  });
});

describe('where its pods may run', () => {
  const spread = (topologyKey: string, whenUnsatisfiable = 'DoNotSchedule', app = 'checkout') => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable,
    labelSelector: { matchLabels: { app } },
  });

  test('is kept in one order, each once, and without what pause pods cannot have', () => {
    const found = shape({
      nodeSelector: { disk: 'ssd', arch: 'arm64' },
      tolerations: [
        { key: 'b', operator: 'Exists' },
        { key: 'a', operator: 'Equal', value: 'x', effect: 'NoSchedule' },
        { value: 'x', key: 'a', effect: 'NoSchedule' },
      ],
      topologySpreadConstraints: [
        spread('topology.kubernetes.io/zone'),
        spread('kubernetes.io/hostname', 'ScheduleAnyway'),
        spread('kubernetes.io/hostname', 'DoNotSchedule', 'other'),
        spread('rack'),
      ],
    });
    expect(found).toEqual({
      pods: 4,
      requests: { cpu: '250m', memory: '512Mi' },
      nodeSelector: { arch: 'arm64', disk: 'ssd' },
      tolerations: [
        { key: 'a', value: 'x', effect: 'NoSchedule' },
        { key: 'b', operator: 'Exists' },
      ],
      spreads: [{ maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone' }],
    });
  });

  test.each([
    { name: "Headstart's own namespace", object: workload(), like: { ...LIKE, namespace: 'headroom' } },
    {
      name: 'our label',
      object: { ...workload(), metadata: { labels: { 'app.kubernetes.io/managed-by': 'headstart' } } },
      like: LIKE,
    },
  ])('a workload with $name is refused', ({ object, like }) => {
    expect(shapeOf(object, { like, namespace: 'headroom', nodePool: 'web' })).toMatchObject({
      problem: "it is Headstart's own; name a workload of yours",
    });
  });

  test.each<{ name: string; object: WorkloadObject }>([
    { name: 'no template', object: { spec: {} } },
    { name: 'nothing', object: {} },
    { name: 'no containers', object: { spec: { template: { spec: {} } } } },
  ])('a workload with $name is refused', ({ object }) => {
    expect(shaping(object)).toHaveProperty('problem');
  });
});

const quantity = fc.constantFrom('1', '250m', '0.5', '1Gi', '64Mi', '3', '100M');
const container = fc.record({
  resources: fc.record(
    {
      requests: fc.dictionary(fc.constantFrom('cpu', 'memory', 'nvidia.com/gpu'), quantity),
      limits: fc.dictionary(fc.constantFrom('cpu', 'memory'), quantity),
    },
    { requiredKeys: [] },
  ),
});
const expression = fc.record({
  key: fc.constantFrom('a', 'b'),
  operator: fc.constantFrom('In', 'NotIn'),
  values: fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }),
});
const term = fc.record({ matchExpressions: fc.array(expression, { minLength: 1, maxLength: 3 }) });

test('the order and the number of what a template lists never changes the shape', () => {
  const spec = fc.record({
    containers: fc.array(container, { minLength: 1, maxLength: 3 }),
    terms: fc.array(term, { minLength: 1, maxLength: 4 }),
    tolerations: fc.array(fc.record({ key: fc.constantFrom('a', 'b'), operator: fc.constantFrom('Exists', 'Equal') })),
  });
  const made = ({
    containers,
    terms,
    tolerations,
  }: {
    containers: Container[];
    terms: object[];
    tolerations: object[];
  }) =>
    workload(1, {
      containers,
      tolerations,
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
    });
  fc.assert(
    fc.property(spec, fc.nat(), (one, by) => {
      const turned = <T>(list: readonly T[]): T[] => [
        ...list.slice(by % list.length),
        ...list.slice(0, by % list.length),
      ];
      const other = {
        containers: turned(one.containers),
        terms: [...turned(one.terms), ...one.terms].map(({ matchExpressions }) => ({
          matchExpressions: turned(matchExpressions.map((each) => ({ ...each, values: turned(each.values) }))),
        })),
        tolerations: turned([...one.tolerations, ...one.tolerations]),
      };
      expect(JSON.stringify(shaping(made(other)))).toBe(JSON.stringify(shaping(made(one))));
    }),
  );
});

test('sums are exact, however many containers there are', () => {
  const many = Array.from({ length: 1_000 }, () => asks({ cpu: '1m', memory: '0.1' }));
  expect([...podRequests({ containers: many })]).toEqual([
    ['cpu', 1_000_000_000n],
    ['memory', 100_000_000_000n],
  ]);
});
