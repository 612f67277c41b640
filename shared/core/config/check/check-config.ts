import { parseDuration } from '../../basics/duration';
import { type Located, problemAt, valueAt } from '../yaml/located';
import type { Problem } from '../yaml/problem';
import { asList, asMap, type Values } from '../yaml/untyped';
import { checkFloor } from './check-floor';
import { checkKarpenter } from './check-karpenter';
import { checkLead } from './check-lead';
import { checkPool } from './check-pool';

const MAX_NODE_POOLS = 200;
const MAX_SCHEDULES = 1_000;

/**
 * Rules across several values. They read the tree and not the checked config, so
 * that they speak up even while something else is wrong.
 */
export function checkConfig(tree: Located): Problem[] {
  const pools = asMap(valueAt(tree, ['nodePools']));
  return [
    ...checkHeartbeat(tree),
    ...checkAmounts(tree, pools),
    ...checkKarpenter(tree),
    ...Object.keys(pools).flatMap((name) => checkNodePool(tree, name, asMap(pools[name]))),
  ];
}

/** So that every decision, of all NodePools and windows together, is quick. */
function checkAmounts(tree: Located, pools: Values): Problem[] {
  const names = Object.keys(pools);
  const schedules = names.reduce((sum, name) => sum + asList(asMap(pools[name]).schedules).length, 0);
  const tooMany = (count: number, max: number, what: string) =>
    count > max ? [problemAt(tree, ['nodePools'], `has ${count} ${what}; write at most ${max}`)] : [];
  return [
    ...tooMany(names.length, MAX_NODE_POOLS, 'NodePools'),
    ...tooMany(schedules, MAX_SCHEDULES, 'schedules in all'),
  ];
}

function checkHeartbeat(tree: Located): Problem[] {
  const heartbeat = valueAt(tree, ['heartbeat']);
  const seconds = typeof heartbeat === 'string' ? parseDuration(heartbeat) : undefined;
  if (seconds === undefined || (seconds >= 60 && seconds % 60 === 0)) return [];
  return [problemAt(tree, ['heartbeat'], `is ${JSON.stringify(heartbeat)}; write whole minutes, such as 1m`)];
}

function checkNodePool(tree: Located, name: string, pool: Values): Problem[] {
  const path = ['nodePools', name];
  const { max, base } = pool;
  const found: Problem[] = [];
  if (max === undefined)
    found.push(
      problemAt(tree, path, 'has no max; write the most replicas that this headroom may have, such as max: 10'),
    );
  if (isBound(max) && typeof base === 'number' && base > max)
    found.push(problemAt(tree, [...path, 'base'], `is ${base}, above max ${max}; write at most ${max} or raise max`));
  return [
    ...found,
    ...checkLead(tree, [...path, 'leadTime'], pool),
    ...checkSchedules(tree, path, pool),
    ...checkAlarms(tree, path, pool),
    ...checkFloor(tree, name, pool),
    ...checkPool(tree, name, pool),
  ];
}

/** A max that is itself wrong bounds nothing. */
function isBound(max: unknown): max is number {
  return typeof max === 'number' && max >= 0;
}

function checkSchedules(tree: Located, path: readonly string[], { schedules, max }: Values): Problem[] {
  const windows = asList(schedules).map(asMap);
  const first = firstIndexes(windows.map(({ name }) => name));
  return windows.flatMap(({ desiredReplicas, name }, index) => {
    const here = [...path, 'schedules', index];
    const found: Problem[] = [];
    if (isBound(max) && Number(desiredReplicas) > max)
      found.push(
        problemAt(
          tree,
          [...here, 'desiredReplicas'],
          `is ${JSON.stringify(desiredReplicas)}, above max ${max}; write at most ${max} or raise max`,
        ),
      );
    if (name !== undefined && first.get(name) !== index)
      found.push(problemAt(tree, [...here, 'name'], `is ${JSON.stringify(name)}, which is taken; write another name`));
    return found;
  });
}

function checkAlarms(tree: Located, path: readonly string[], { alarms }: Values): Problem[] {
  const named = asList(alarms)
    .map(asMap)
    .map(({ alarmName, name }) => alarmName ?? name);
  const first = firstIndexes(named);
  return named.flatMap((name, index) => {
    if (name === undefined || first.get(name) === index) return [];
    return [problemAt(tree, [...path, 'alarms', index], `names ${JSON.stringify(name)} a second time; write it once`)];
  });
}

function firstIndexes(names: readonly unknown[]): ReadonlyMap<unknown, number> {
  return new Map(names.map((name, index) => [name, index] as const).reverse());
}
