import { PoolHistory } from '../../../../lab/console/snapshot/pool-view';
import type { HeadroomConfig } from '../../../../shared/core/config/config';
import type { HeadroomRecord, Override } from '../../../../shared/core/record/record';
import { golden } from '../../../golden/golden';
import { LUNCH, OPTIONS, poolWith, seoul, shown } from './shown-pool';

const FLOOR = poolWith('{floor: {cpu: 4, memory: 16Gi}}', 8, 'addNodes: 6');
const ROOM = poolWith('{node: {cpu: 1}}', 8, 'desiredReplicas: 6');
const counted = { counts: { [LUNCH]: { nodes: 2, at: seoul('11:25'), until: seoul('13:30') } } };
const requested = (ready?: string) => ({
  requests: { [LUNCH]: { at: seoul('11:25'), ...(ready !== undefined && { ready: seoul(ready) }) } },
});
const override: Override = {
  mode: 'atLeast',
  replicas: 9,
  at: seoul('12:00'),
  until: seoul('12:39'),
  by: 'console',
  reason: 'flash sale',
};

const ADDED: Pick<HeadroomConfig, 'alarms' | 'interruptions'> = {
  alarms: [{ name: 'queue', alarmName: 'q', add: 2, holdSeconds: 600 }],
  interruptions: { surge: 1, max: 4, holdSeconds: 900, on: ['spot'] },
};

const said = golden(`${__dirname}/sentence.txt`);

interface Case {
  readonly name: string;
  readonly pool: HeadroomConfig;
  readonly record?: Partial<HeadroomRecord>;
  readonly wanted: number;
  readonly ready: number;
  /** `undefined`: nobody could count. */
  readonly inUse?: number | undefined;
  readonly at: string;
  readonly cost?: string;
  /** How much of room work has preempted. */
  readonly preempted?: number;
}

test.each<Case>([
  {
    name: 'a floor whose nodes were ready early, and its cost so far',
    ...{ pool: FLOOR, record: { ...counted, ...requested('11:27') }, wanted: 8, ready: 8, inUse: 7, at: '12:25' },
    cost: '$0.27 so far',
  },
  {
    name: 'the same without a cost',
    ...{ pool: FLOOR, record: { ...counted, ...requested('11:29') }, wanted: 8, ready: 8, inUse: 7, at: '12:25' },
  },
  {
    name: 'nodes that are on their way',
    ...{ pool: FLOOR, record: { ...counted, ...requested() }, wanted: 8, ready: 2, inUse: 2, at: '11:26' },
  },
  {
    name: 'nodes that are late',
    ...{ pool: ROOM, record: requested(), wanted: 6, ready: 1, at: '11:54' },
  },
  {
    name: 'nodes that were late',
    ...{ pool: ROOM, record: requested('11:34'), wanted: 6, ready: 6, at: '11:54' },
  },
  {
    name: 'an override on top of a window',
    ...{ pool: ROOM, record: { ...requested('11:30'), override }, wanted: 9, ready: 9, at: '12:23' },
  },
  {
    name: 'an override alone',
    ...{ pool: poolWith('{node: {cpu: 1}}', 8), record: { override }, wanted: 9, ready: 2, at: '12:23' },
  },
  {
    name: 'work on the nodes of a floor outside its windows',
    ...{ pool: FLOOR, wanted: 0, ready: 0, inUse: 2, at: '10:00' },
  },
  {
    name: 'work that nobody could count',
    ...{
      pool: FLOOR,
      record: { ...counted, ...requested('11:27') },
      wanted: 8,
      ready: 8,
      inUse: undefined,
      at: '12:25',
    },
  },
  {
    name: 'nodes that are ready before the heartbeat has judged them',
    ...{ pool: ROOM, record: requested(), wanted: 6, ready: 6, at: '11:31' },
  },
  {
    name: 'a base beside the window of a floor, with work on more nodes than it has',
    ...{ pool: { ...FLOOR, base: 1 }, wanted: 1, ready: 1, inUse: 2, at: '10:00' },
  },
  {
    name: 'room that work has taken, and a node that was lost',
    ...{ pool: ROOM, record: requested('11:30'), wanted: 6, ready: 3, preempted: 2, at: '12:00' },
  },
  {
    name: 'an alarm that fires and a spot notice',
    ...{
      pool: { ...poolWith('{node: {cpu: 1}}', 8), ...ADDED },
      record: {
        alarms: { q: { state: 'ALARM', at: seoul('12:00') } },
        surges: { 'i-1': { cause: 'spot', until: seoul('12:20') } },
      },
      ...{ wanted: 3, ready: 3, at: '12:05' },
    },
  },
  {
    name: 'a headroom that shrinks',
    ...{ pool: ROOM, wanted: 0, ready: 4, at: '13:31' },
  },
  {
    name: 'room before its window',
    ...{ pool: ROOM, wanted: 0, ready: 0, at: '10:00' },
  },
])(
  'a card begins with a sentence: $name',
  ({ name, pool, record = {}, wanted, ready, inUse, preempted = 0, at, cost }) => {
    const history = new PoolHistory(pool);
    const seenAt = Math.min(seoul('11:25'), seoul(at));
    history.observeWork({ inUse }, seenAt);
    history.observe(shown(wanted, ready + preempted, record), seenAt);
    for (let taken = 0; taken < preempted; taken += 1) history.observePreemption(seoul(at) - 1_000);
    if (preempted > 0) history.observe(shown(wanted, ready, record), seoul(at));
    const facts = { ...OPTIONS, costOf: () => cost };
    const { sentence } = history.view(seoul(at), facts);
    const local = (iso: string) => new Date(Date.parse(iso) + 9 * 3_600_000).toISOString().slice(11, 16);
    said(name, sentence.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, local));
  },
);

test.each([
  { name: 'a window that adds', pool: FLOOR, bound: 'adds at most 8' },
  { name: 'a window with a size', pool: ROOM, bound: 'at most 8' },
  {
    name: 'an override that adds',
    pool: poolWith('{floor: {cpu: 4}}', 8),
    override: { ...override, mode: 'addNodes', replicas: 4 } as const,
    bound: 'adds at most 8',
  },
])('it says what max bounds: $name', ({ pool, bound, override: given }) => {
  const history = new PoolHistory(pool);
  history.observe(shown(10, 10, given && { override: given }), seoul('12:01'));
  expect(history.view(seoul('12:02'), OPTIONS).bound).toBe(bound);
});
