import { parseDuration } from '../../basics/duration';
import { nearest } from '../../basics/nearest';
import { isCalendarName } from '../../windows/written-times';
import { type Fault, type Found, fault, type Rules } from '../schema/rules';
import { type Located, problemAt } from '../yaml/located';
import type { Problem } from '../yaml/problem';
import { asList, asMap, type Values } from '../yaml/untyped';
import { eventRules } from './check-events';
import { aboveMax, floorRules } from './check-floor';
import { headroomRules, sharingRules } from './check-headrooms';
import { karpenterRules } from './check-karpenter';
import { isAutoLead, leadRules } from './check-lead';
import { likeRules } from './check-like';
import { poolRules, taintRules } from './check-pool';
import { quantityRules } from './check-quantities';
import { firstIndexes, takenNames } from './taken-names';
import type { NodePoolRules, WrittenConfig, WrittenNodePool } from './written';
import { problemsBelow } from './zod-problems';

const MAX_HEADROOMS = 200;
const MAX_SCHEDULES = 1_000;
/** Some edges have no schedule that fires on them: the heartbeat alone sees them. */
const SLOWEST_WITHOUT_SCHEDULES = 300;

const configRules: Rules<WrittenConfig> = ({ cluster, heartbeat, nodePools = {}, defaults }) => {
  const seconds = typeof heartbeat === 'string' ? (parseDuration(heartbeat) ?? 60) : 60;
  const pools = Object.values(nodePools);
  const schedules = pools.reduce((sum, pool) => sum + (pool?.schedules?.length ?? 0), 0);
  const waiting = pools.map(heartbeatOnly).find((what) => what !== undefined);
  const unscheduled = cluster?.liveSchedules === true ? 'cluster.liveSchedules; write at most 5m' : waiting;
  // So that every decision, of all headrooms and windows together, is quick.
  const tooMany = (count: number, most: number, what: string) =>
    count > most && fault('nodePools', `has ${count} ${what}; write at most ${most}`);
  return [
    (seconds < 60 || seconds % 60 !== 0) &&
      fault('heartbeat', `is ${JSON.stringify(heartbeat)}; write whole minutes, such as 1m`),
    unscheduled !== undefined &&
      seconds > SLOWEST_WITHOUT_SCHEDULES &&
      fault('heartbeat', `is ${JSON.stringify(heartbeat)}, too slow for ${unscheduled}`),
    defaults?.unit?.like !== undefined &&
      fault(
        ['defaults', 'unit', 'like'],
        'is one workload for all headrooms; write it in the unit of the headroom that it is for',
      ),
    tooMany(pools.length, MAX_HEADROOMS, 'headrooms'),
    tooMany(schedules, MAX_SCHEDULES, 'schedules in all'),
  ];
};

/** What of a NodePool only heartbeats see, and what to write instead of a slower one. */
function heartbeatOnly({
  leadTime,
  schedules = [],
  events = [],
}: Pick<WrittenNodePool, 'leadTime' | 'schedules' | 'events'> = {}): string | undefined {
  if (events.length > 0) return 'events; write at most 5m';
  const isLearned = isAutoLead(leadTime) && schedules.length > 0;
  return isLearned ? 'leadTime auto, whose nodes heartbeats request; write at most 5m, or leadTime: 5m' : undefined;
}

const sizeRules: NodePoolRules = ({ max, base }) => [
  max === undefined && fault([], 'has no max; write the most replicas that this headroom may have, such as max: 10'),
  typeof base === 'number' && aboveMax(['base'], base, max, String(base)),
];

const scheduleRules: NodePoolRules = ({ schedules = [], max, config }) => [
  ...takenNames('schedules', schedules),
  ...schedules.flatMap(({ name, desiredReplicas, excludeDates }, index) => [
    ...calendarRules(['schedules', index, 'excludeDates'], asList(excludeDates), asMap(config.calendars)),
    aboveMax(['schedules', index, 'desiredReplicas'], desiredReplicas, max),
    name === undefined &&
      config.cluster?.liveSchedules === true &&
      fault(['schedules', index, 'name'], 'is missing; cluster.liveSchedules replaces windows by name: write one'),
  ]),
];

/** A name is one of the calendars. */
function calendarRules(path: Fault['path'], excluded: readonly unknown[], calendars: Values): Found {
  return excluded.map((one, index) => {
    if (typeof one !== 'string' || !isCalendarName(one) || Object.hasOwn(calendars, one)) return undefined;
    const near = nearest(one, Object.keys(calendars));
    const advice =
      near === undefined ? `write its dates below calendars: {${one}: [2026-12-25]}` : `did you mean ${near}?`;
    return fault([...path, index], `is ${JSON.stringify(one)}, and calendars has no list of that name; ${advice}`);
  });
}

const alarmRules: NodePoolRules = ({ alarms = [] }) => {
  const names = alarms.map(({ alarmName, name }) => alarmName ?? name);
  const first = firstIndexes(names);
  return names.map(
    (name, index) =>
      name !== undefined &&
      first.get(name) !== index &&
      fault(['alarms', index], `names ${JSON.stringify(name)} a second time; write it once`),
  );
};

const nodePoolRules: NodePoolRules = (nodePool) =>
  [
    sizeRules,
    quantityRules,
    leadRules,
    scheduleRules,
    alarmRules,
    eventRules,
    floorRules,
    likeRules,
    taintRules,
    sharingRules,
  ].flatMap((rules) => rules(nodePool));

/** Rules across several values, which report what they find even while something else is wrong. */
export function checkConfig(tree: Located, config: WrittenConfig): Problem[] {
  return [
    ...problemsBelow(tree, [], configRules(config)),
    ...problemsBelow(tree, ['nodePools'], headroomRules(config)),
    ...problemsBelow(tree, ['karpenter'], karpenterRules(config)),
    ...Object.entries(config.nodePools ?? {}).flatMap(([name, written]) => {
      const { file, line } = problemAt(tree, ['nodePools', name, 'unit'], '');
      const nodePool = { ...written, name, unitPlace: `${file}:${line}`, config };
      return [
        ...problemsBelow(tree, ['nodePools', name], nodePoolRules(nodePool)),
        ...problemsBelow(tree, ['nodePools', name, 'pool'], poolRules(nodePool)),
      ];
    }),
  ];
}
