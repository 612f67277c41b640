import { type CapacityContent, withWhy } from '../../../../lab/console/snapshot/shortage';
import type { PoolView } from '../../../../lab/console/snapshot/snapshot';
import { configOf } from '../../../fakes/fake-runtime';
import { golden } from '../../../golden/golden';

const NOW = Date.parse('2026-11-17T03:00:00Z');
const ago = (seconds: number) => NOW - seconds * 1_000;
const CONFIG = configOf('  web: {max: 9, base: 3, pool: {role: nodes, spotTwin: true}}\n');

function view(change: Partial<PoolView>): PoolView {
  return {
    name: 'web',
    nodePool: 'web',
    kind: 'node',
    unit: '',
    max: 9,
    bound: 'at most 9',
    sentence: '',
    noun: 'node',
    ...{ wanted: 3, ready: 1, inUse: 0, free: 1, missing: 2, leaving: 0 },
    reasons: [],
    timeline: [],
    plan: [],
    bands: [],
    alarms: [],
    ...change,
  };
}

const meta = (name: string, at: number, labels: Record<string, string>) => ({
  name,
  uid: name,
  resourceVersion: '1',
  creationTimestamp: new Date(at).toISOString(),
  labels,
});
const pool = (spec = {}, status = {}) => ({
  metadata: meta('web', 0, {}),
  spec: { template: { spec: {} }, ...spec },
  status,
});
const pausePod = (name: string, at: number, status = {}) => ({
  metadata: meta(name, at, { 'headstart.dev/headroom': 'web' }),
  spec: { containers: [] },
  status: { phase: 'Pending', ...status },
});
const claim = (nodePool: string, at: number, status = {}) => ({
  metadata: meta(`${nodePool}-1`, at, { 'karpenter.sh/nodepool': nodePool }),
  spec: {},
  status,
});

function content(change: Readonly<Record<string, unknown>>): CapacityContent {
  return {
    headrooms: [],
    nodeClaims: [],
    pods: [],
    nodePools: [pool()],
    events: () => [],
    ...change,
  } as unknown as CapacityContent;
}

const said = golden(`${__dirname}/shortage.txt`);
const pending = [pausePod('a', ago(90))];
const short = (seconds: number) => ({ shortSince: ago(seconds) });

test.each<{ name: string; pool?: Partial<PoolView>; content?: Readonly<Record<string, unknown>> }>([
  { name: 'of which all is ready', pool: { ready: 3 } },
  {
    name: 'whose nodes are launching, one of the spot twin',
    pool: short(40),
    content: { nodeClaims: [claim('web-spot', ago(30)), claim('web', ago(10))] },
  },
  { name: 'that takes longer than a node does', pool: short(200) },
  {
    name: 'that somebody looks at late, after its oldest pod has waited for hours',
    pool: short(1),
    content: { pods: [pausePod('a', ago(7_200)), pausePod('b', ago(60))] },
  },
  {
    name: 'whose limit is reached',
    pool: short(90),
    content: { pods: pending, nodePools: [pool({ limits: { cpu: 8 } }, { resources: { cpu: '8' } })] },
  },
  {
    name: 'of which Karpenter has said something',
    pool: short(90),
    content: {
      pods: pending,
      events: () => [
        {
          ...{ involvedObject: { name: 'a' }, reason: 'FailedScheduling', source: { component: 'karpenter' } },
          message: 'no instance type satisfied',
        },
      ],
    },
  },
  { name: 'that does not exist', pool: { wanted: 0, ready: 0 }, content: { nodePools: [] } },
  { name: 'that may not be read', pool: { wanted: 0, ready: 0 }, content: { nodePools: undefined } },
  { name: 'whose room work has taken', pool: { inUse: 2, missing: 0, ...short(5) } },
  { name: 'whose record cannot be read', pool: { ready: 3, unreadable: 'override' } },
])('the page says why a NodePool is short: one $name', ({ name, pool: change = {}, content: seen = {} }) => {
  const { why = ['(nothing)'], shortSince, trouble } = withWhy(view(change), CONFIG, content(seen), NOW);
  const since = shortSince === undefined ? '' : `short for ${(NOW - shortSince) / 1_000} s`;
  said(`a NodePool ${name}`, [trouble ? 'trouble' : 'no trouble', since, ...why].filter(Boolean).join('\n'));
});
