import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { podRequests } from '../../../shared/core/like/pod-requests';
import { nanos, quantityText } from '../../../shared/core/like/quantities';
import type { Container, PodSpec, Resources } from '../../../shared/core/like/workload';
import { podRequestsProgram } from '../harness/build/pod-requests';
import type { Cluster } from '../harness/cluster';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';

const NAMESPACE = 'pod-requests';
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods?dryRun=All`;
const WANTED = 100;
const SEED = 35;

const cpu = fc.constantFrom('1m', '100m', '0.25', '1', '1.5', '2500m', '3');
const memory = fc.constantFrom('64Mi', '1Gi', '128974848', '129e6', '129M', '1.5Gi', '100k');
/** Above what is requested: Kubernetes refuses less. */
const limits = fc.record(
  { cpu: fc.constantFrom('4', '8'), memory: fc.constantFrom('2Gi', '8G') },
  { requiredKeys: [] },
);
/** Of a whole pod: above what its containers request. */
const whole = fc.record(
  { cpu: fc.constantFrom('20', '30500m'), memory: fc.constantFrom('64Gi', '65G') },
  { requiredKeys: [] },
);
const wholeLimits = fc.record({ cpu: fc.constant('90'), memory: fc.constant('100Gi') }, { requiredKeys: [] });
const few = fc.constantFrom('1', '2');
const amounts = fc.record({ cpu, memory, 'ephemeral-storage': memory }, { requiredKeys: [] });
/** Kubernetes wants devices and huge pages to be limited to what is requested. */
const devices = fc.record(
  { 'example.com/gpu': few, 'hugepages-2Mi': fc.constantFrom('2Mi', '4Mi') },
  { requiredKeys: [] },
);
const resources = fc
  .tuple(amounts, limits, fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: devices }))
  .map(
    ([requests, limits, same]): Resources => ({
      requests: { ...requests, ...same },
      limits: { ...limits, ...same },
    }),
  );
const container = fc.record({ resources }, { requiredKeys: [] });
const initContainer = fc.tuple(container, fc.boolean()).map(
  ([one, isSidecar]): Container => ({
    ...one,
    ...(isSidecar && { restartPolicy: 'Always' }),
  }),
);
const pod = fc.record({
  containers: fc.array(container, { minLength: 1, maxLength: 4 }),
  initContainers: fc.array(initContainer, { maxLength: 4 }),
  resources: fc.option(fc.record({ requests: whole, limits: wholeLimits }, { requiredKeys: [] }), {
    nil: undefined,
    freq: 2,
  }),
  overhead: fc.option(fc.record({ cpu, memory }, { requiredKeys: [] }), { nil: undefined, freq: 3 }),
});

interface Reply {
  readonly status: number;
  readonly body: { readonly spec: object };
}

/** As the API server would store it; nothing for a pod that it refuses. */
async function stored(cluster: Cluster, { overhead, ...spec }: PodSpec): Promise<object | undefined> {
  const named = (containers: readonly Container[] = [], prefix: string) =>
    containers.map((one, index) => ({ ...one, name: `${prefix}${index}`, image: 'example.com/app' }));
  const manifestSpec = {
    ...spec,
    containers: named(spec.containers, 'c'),
    initContainers: named(spec.initContainers, 'i'),
  };
  const manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'one', namespace: NAMESPACE },
    spec: manifestSpec,
  };
  const { status, body } = (await cluster.admin.request('POST', PODS, manifest)) as Reply;

  // Only a RuntimeClass may bring an overhead, which the admission of this pod would then fill in.
  return status === 201 ? { ...body.spec, ...(overhead && { overhead }) } : undefined;
}

describeCluster('what kube-scheduler reserves for a pod', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await sharedCluster();
    await cluster.admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
    await cluster.admin.apply({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace: NAMESPACE },
    });
  });

  afterAll(() => cluster.admin.remove(`/api/v1/namespaces/${NAMESPACE}`));

  test(`is what Kubernetes' own function adds up, of ${WANTED} random pods`, async () => {
    const program = await podRequestsProgram();
    const pairs: { readonly template: PodSpec; readonly pod: object }[] = [];
    let refused = 0;
    for (const template of fc.sample(pod, { seed: SEED, numRuns: 20 * WANTED }) as PodSpec[]) {
      if (pairs.length === WANTED) break;
      const found = await stored(cluster, template);
      if (found) pairs.push({ template, pod: found });
      else refused += 1;
    }
    expect(pairs).toHaveLength(WANTED);
    const answer = execFileSync(program, { input: JSON.stringify(pairs.map((one) => one.pod)), encoding: 'utf8' });
    const sums = JSON.parse(answer) as Record<string, number>[];
    const ours = pairs.map(({ template }) => inScheduler(template));
    expect(ours.map((sum, index) => ({ template: pairs[index]?.template, sum }))).toEqual(
      sums.map((sum, index) => ({ template: pairs[index]?.template, sum: withoutZeros(sum) })),
    );
    const kinds = (has: (template: PodSpec) => boolean) => pairs.filter(({ template }) => has(template)).length;
    // Otherwise the comparison says nothing about them.
    expect(kinds(({ initContainers = [] }) => initContainers.some((one) => one.restartPolicy))).toBeGreaterThan(10);
    expect(
      kinds(({ resources: whole }) => whole?.requests !== undefined || whole?.limits !== undefined),
    ).toBeGreaterThan(3);
    expect(refused).toBeLessThan(20 * WANTED);
  });
});

/** In the scheduler's own units. */
function inScheduler(spec: PodSpec): Record<string, number> {
  const sums = [...podRequests(spec)].map(([name, amount]): [string, number] => {
    const nano = nanos(quantityText(name, amount)) ?? 0n;
    return [name, Number(name === 'cpu' ? nano / 1_000_000n : nano / 1_000_000_000n)];
  });
  return withoutZeros(Object.fromEntries(sums));
}

function withoutZeros(sum: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(sum).filter(([, amount]) => amount > 0));
}
