import { type CapacityContent, withWhy } from '../../../../lab/console/snapshot/shortage';
import type { PoolView } from '../../../../lab/console/snapshot/snapshot';
import { configOf } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-17T03:00:00Z');
const ago = (seconds: number) => NOW - seconds * 1_000;
const CONFIG = configOf('  web: {max: 9, base: 3, pool: {role: nodes, spotTwin: true}}\n');

function view(change: Partial<PoolView>): PoolView {
  return {
    name: 'web',
    kind: 'node',
    unit: '',
    max: 9,
    bound: 'at most 9',
    sentence: '',
    wanted: 3,
    ready: 1,
    used: 0,
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

test.each<{
  name: string;
  pool?: Partial<PoolView>;
  content?: Readonly<Record<string, unknown>>;
  why?: readonly string[];
  since?: number;
  trouble?: true;
}>([
  { name: 'says nothing while all of it is ready', pool: { ready: 3 } },
  {
    name: 'says that nodes are launching, those of the spot twin too, and is no trouble yet',
    pool: { shortSince: ago(40) },
    content: { nodeClaims: [claim('web-spot', ago(30)), claim('web', ago(10))] },
    why: ['2 nodes launching, the first for 30 s'],
    since: ago(40),
  },
  {
    name: 'is trouble when it takes longer than a node does',
    pool: { shortSince: ago(200) },
    why: ['no node is launching'],
    since: ago(200),
    trouble: true,
  },
  {
    name: 'has been short since its oldest pod waits, however late somebody looks',
    pool: { shortSince: ago(1) },
    content: { pods: [pausePod('a', ago(7_200)), pausePod('b', ago(60))] },
    why: ['no node is launching'],
    since: ago(7_200),
    trouble: true,
  },
  {
    name: 'names the limit that is reached',
    pool: { shortSince: ago(90) },
    content: {
      pods: [pausePod('a', ago(90))],
      nodePools: [pool({ limits: { cpu: 8 } }, { resources: { cpu: '8' } })],
    },
    why: [
      'NodePool web uses 8 of its limit of 8 cpu: raise spec.limits.cpu',
      'a node per pause pod uses more of the limit than packed work does, so that less is left for work',
      'no node is launching',
    ],
    since: ago(90),
    trouble: true,
  },
  {
    name: 'says what Karpenter said about the pending pods',
    pool: { shortSince: ago(90) },
    content: {
      pods: [pausePod('a', ago(90))],
      events: () => [
        {
          involvedObject: { name: 'a' },
          reason: 'FailedScheduling',
          message: 'no instance type satisfied',
          source: { component: 'karpenter' },
        },
      ],
    },
    why: ['1 pause pod pending: no instance type satisfied', 'no node is launching'],
    since: ago(90),
    trouble: true,
  },
  {
    name: 'says that there is no such NodePool, also while nothing is wanted',
    pool: { wanted: 0, ready: 0 },
    content: { nodePools: [] },
    why: ['NodePool web does not exist, so Karpenter launches no nodes for it: create it, or correct the name'],
    trouble: true,
  },
  {
    name: 'does not guess where NodePools may not be read',
    pool: { wanted: 0, ready: 0 },
    content: { nodePools: undefined },
  },
  {
    name: 'tells work that took its room from nodes that do not come',
    pool: { used: 2, shortSince: ago(5) },
    why: ['2 used by work; no node is launching'],
    since: ago(5),
  },
  {
    name: 'says that part of the record cannot be read',
    pool: { ready: 3, unreadable: 'override' },
    why: ['part of the record cannot be read, so that the size is held: override'],
    trouble: true,
  },
])('a NodePool $name', ({ pool: change = {}, content: seen = {}, why, since, trouble }) => {
  const found = withWhy(view(change), CONFIG, content(seen), NOW);
  expect({ why: found.why, since: found.shortSince, trouble: found.trouble }).toEqual({ why, since, trouble });
});
