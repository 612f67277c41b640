import fc from 'fast-check';
import { NODE_CLAIMS, NODES } from '../../../../lab/simulator/kube/kinds';
import type { Pod } from '../../../../lab/simulator/kube/object-types';
import { parseQuantity } from '../../../../shared/core/config/schema/quantity';
import { container, MINUTE, ON_DEMAND, SECOND, type SmallCluster, SPOT, smallCluster } from './small-cluster';

/** What people and autoscalers do to a cluster. */
type Step =
  | { readonly kind: 'web'; readonly replicas: number; readonly cpu: string }
  | { readonly kind: 'headroom'; readonly replicas: number; readonly cpu: string }
  | { readonly kind: 'take'; readonly which: number }
  | { readonly kind: 'wait'; readonly seconds: number };

const cpu = fc.constantFrom('300m', '1', '1500m', '3');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('web' as const), replicas: fc.integer({ min: 0, max: 8 }), cpu }),
  fc.record({ kind: fc.constant('headroom' as const), replicas: fc.integer({ min: 0, max: 6 }), cpu }),
  fc.record({ kind: fc.constant('take' as const), which: fc.integer({ min: 0, max: 9 }) }),
  fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 200 }) }),
);
const story = fc.record({
  seed: fc.integer({ min: 0, max: 1_000_000 }),
  policy: fc.constantFrom('WhenEmpty', 'WhenEmptyOrUnderutilized'),
  capacity: fc.constantFrom(ON_DEMAND, SPOT),
  steps: fc.array(step, { minLength: 1, maxLength: 12 }),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

const FAMILY = { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['m6i', 'c6i'] };

/** Plays a story and looks at the cluster after every second of it. */
function play(
  { seed, policy, capacity, steps }: Story,
  look: (cluster: SmallCluster) => void = () => undefined,
): SmallCluster {
  const cluster = smallCluster({ seed, nodeDelay: { medianSeconds: 50, spread: 0.35 } });
  cluster.pool('default', {
    requirements: [capacity, FAMILY],
    disruption: { consolidationPolicy: policy, consolidateAfter: '30s' },
  });
  const run = (seconds: number) => {
    for (let second = 0; second < seconds; second += 5) {
      cluster.run(5 * SECOND);
      look(cluster);
    }
  };
  for (const one of steps) {
    if (one.kind === 'web') cluster.deploy('web', one.replicas, { containers: [container(one.cpu)] });
    if (one.kind === 'headroom') cluster.headroom('pause', one.replicas, one.cpu);
    if (one.kind === 'take') takeOne(cluster, one.which);
    run(one.kind === 'wait' ? one.seconds : 5);
  }
  run(300);
  return cluster;
}

function takeOne(cluster: SmallCluster, which: number): void {
  const spot = cluster.karpenterNodes().filter(({ capacityType }) => capacityType === 'spot');
  const node = spot[which % Math.max(1, spot.length)];
  if (node) cluster.takeSpotNode(node.node);
}

function cpuOf({ spec }: Pod): number {
  return spec.containers.reduce((sum, one) => sum + (parseQuantity(one.resources?.requests?.cpu ?? '0') ?? 0), 0);
}

/** The same stories every time: a law is searched with many more runs while it is written, not while others wait. */
const RUNS = { numRuns: 20, seed: 20_260_302 };
const FEW_RUNS = { ...RUNS, numRuns: 6 };

describe.each([
  {
    law: 'the pods of a node never ask for more than it has',
    look: (cluster: SmallCluster) => {
      for (const { metadata, status } of cluster.store.list(NODES)) {
        const here = cluster.pods().filter(({ spec }) => spec.nodeName === metadata.name);
        const requested = here.reduce((sum, pod) => sum + cpuOf(pod), 0);
        expect(requested).toBeLessThanOrEqual((parseQuantity(status?.allocatable?.cpu ?? '0') ?? 0) + 1e-9);
      }
    },
  },
  {
    law: 'two headroom pods never share a node',
    look: (cluster: SmallCluster) => {
      const nodes = cluster.pods('pause').flatMap(({ spec }) => spec.nodeName ?? []);
      expect(new Set(nodes).size).toBe(nodes.length);
    },
  },
])('whatever happens to a cluster, at any second', ({ law, look }) => {
  test(law, () =>
    fc.assert(
      fc.property(story, (told) => void play(told, look)),
      RUNS,
    ),
  );
});

describe.each([
  {
    law: 'only headroom is ever preempted, and only by real pods',
    check: (cluster: SmallCluster) => {
      for (const { pod, by } of cluster.of('podPreempted'))
        expect([pod.deployment, by.deployment]).toEqual(['pause', 'web']);
    },
  },
  {
    law: 'every pod runs: preempted headroom has been filled up again',
    check: (cluster: SmallCluster) =>
      expect(cluster.pods().filter(({ status }) => status.phase !== 'Running')).toEqual([]),
  },
  {
    law: 'every node has its NodeClaim, and every NodeClaim that is ready its node',
    check: ({ store }: SmallCluster) => {
      const claimed = store.list(NODE_CLAIMS).flatMap(({ status }) => status?.nodeName ?? []);
      expect(claimed.sort()).toEqual(
        store
          .list(NODES)
          .map(({ metadata }) => metadata.name)
          .sort(),
      );
    },
  },
])('whatever happens to a cluster, in the end', ({ law, check }) => {
  test(law, () =>
    fc.assert(
      fc.property(story, (told) => void check(play(told))),
      RUNS,
    ),
  );
});

test('the same seed and the same story give the same facts, to the millisecond', () => {
  fc.assert(
    fc.property(story, (told) => expect(play(told).facts).toEqual(play(told).facts)),
    FEW_RUNS,
  );
});

test('the size of the steps in which time passes changes nothing', () => {
  fc.assert(
    fc.property(story, fc.integer({ min: 1, max: 5 * MINUTE }), (told, stride) => {
      const [whole, bits] = [0, 1].map(() => {
        const cluster = smallCluster({ seed: told.seed });
        cluster.pool('default', { requirements: [told.capacity, FAMILY] });
        cluster.deploy('web', 5);
        cluster.headroom('pause', 2);
        return cluster;
      }) as [SmallCluster, SmallCluster];
      const end = whole.now() + 10 * MINUTE;
      whole.advanceTo(end);
      while (bits.now() < end) bits.advanceTo(Math.min(end, bits.now() + stride));
      expect(bits.facts).toEqual(whole.facts);
    }),
    FEW_RUNS,
  );
});
