import { type CapacityObjects, capacityFacts } from '../../../../shared/core/karpenter/capacity-facts';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/capacity-facts.txt`);
const AT = '2026-11-17T10:00:00Z';
const LATER = '2026-11-17T10:01:00Z';
const READY = { type: 'Ready', status: 'True' };

const objects = (change: Partial<CapacityObjects>): CapacityObjects => ({
  headroom: 'web',
  nodePool: 'web',
  pods: [],
  nodes: [],
  claims: [],
  pool: { ok: false },
  conditions: [],
  events: [],
  ...change,
});
const podOf = (pod: CapacityObjects['pods'][number]) => capacityFacts(objects({ pods: [pod] })).pods[0];

test('everything about one NodePool is told, and nothing of pods that go', () => {
  const named = (name: string) => ({ metadata: { name, creationTimestamp: AT } });
  const conditions = [READY];
  const facts = capacityFacts(
    objects({
      pods: [named('a'), { metadata: { name: 'b', deletionTimestamp: AT } }],
      nodes: [named('n'), {}],
      claims: [{ ...named('c'), status: { nodeName: 'n', conditions } as never }, {}],
      pool: {
        ok: true,
        value: { spec: { limits: { cpu: 10 } } as never, status: { resources: { cpu: '4' }, conditions } as never },
      },
      conditions,
    }),
  );
  said(JSON.stringify(facts, null, 1));
});

test.each<{ name: string; pool: CapacityObjects['pool']; facts: unknown }>([
  { name: 'that could not be read', pool: { ok: false }, facts: { ok: false } },
  { name: 'that is not there', pool: { ok: true, value: undefined }, facts: { ok: true, value: undefined } },
  {
    name: 'without anything in it',
    pool: { ok: true, value: {} },
    facts: { ok: true, value: { limits: {}, used: {}, conditions: [] } },
  },
])('a NodePool $name stays so', ({ pool, facts }) => {
  expect(capacityFacts(objects({ pool })).pool).toEqual(facts);
});

test.each<{ name: string; pod: CapacityObjects['pods'][number]; facts: object }>([
  { name: 'without anything', pod: {}, facts: { name: '', ready: false } },
  {
    name: 'that is ready on its node',
    pod: {
      spec: { nodeName: 'n' },
      status: { conditions: [READY, { type: 'PodScheduled', status: 'True', message: 'x' }] },
    },
    facts: { name: '', node: 'n', ready: true },
  },
  {
    name: 'that is not ready yet',
    pod: {
      status: {
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'Other', status: 'True' },
        ],
      },
    },
    facts: { name: '', ready: false },
  },
  ...[
    { said: { message: 'no room', reason: 'Unschedulable' }, unschedulable: 'no room' },
    { said: { reason: 'Unschedulable' }, unschedulable: 'Unschedulable' },
    { said: {}, unschedulable: 'not scheduled' },
  ].map(({ said, unschedulable }) => ({
    name: `that is not scheduled: ${unschedulable}`,
    pod: { status: { conditions: [READY, { type: 'PodScheduled', status: 'False', ...said }] } },
    facts: { name: '', ready: true, unschedulable },
  })),
  {
    name: 'whose image cannot be pulled',
    pod: {
      status: {
        containerStatuses: [
          { ready: true, state: {} },
          {},
          { state: { waiting: { reason: 'ErrImagePull', message: '404' } } },
        ],
      },
    },
    facts: { name: '', ready: false, waiting: 'ErrImagePull: 404' },
  },
  {
    name: 'that just starts',
    pod: { status: { containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }] } },
    facts: { name: '', ready: false },
  },
])('a pod $name', ({ pod, facts }) => {
  expect(podOf(pod)).toEqual(facts);
});

test('why pods were not scheduled: of our own pods, the newest last, by whom', () => {
  const failed = { reason: 'FailedScheduling', involvedObject: { name: 'a' } };
  const events = [
    {
      ...failed,
      message: 'third',
      eventTime: LATER,
      lastTimestamp: AT,
      source: { component: 'karpenter' },
      reportingComponent: 'x',
    },
    { ...failed, message: 'second', lastTimestamp: AT, reportingComponent: 'default-scheduler' },
    failed,
    { ...failed, message: 'of another pod', involvedObject: { name: 'z' } },
    { ...failed, message: 'of no pod', involvedObject: {} },
    { ...failed, message: 'another reason', reason: 'Pulled' },
  ];
  expect(capacityFacts(objects({ pods: [{ metadata: { name: 'a' } }], events })).events).toEqual([
    { pod: 'a', from: '', message: '' },
    { pod: 'a', from: 'default-scheduler', message: 'second' },
    { pod: 'a', from: 'karpenter', message: 'third' },
  ]);
  const unnamed = capacityFacts(objects({ pods: [{}], events: [{ ...failed, involvedObject: {} }] }));
  expect(unnamed.events).toEqual([{ pod: '', from: '', message: '' }]);
});
