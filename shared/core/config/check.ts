import { parseDuration } from '../basics/duration';
import { checkKarpenter } from './check-karpenter';
import { checkPool } from './check-pool';
import { type Located, problemAt, valueAt } from './located';
import type { Problem } from './problem';
import { asList, asMap, type Values } from './untyped';

/**
 * Rules across several values. They read the tree and not the checked config, so
 * that they speak up even while something else is wrong.
 */
export function checkConfig(tree: Located): Problem[] {
  const pools = asMap(valueAt(tree, ['nodePools']));
  return [
    ...checkHeartbeat(tree),
    ...checkKarpenter(tree),
    ...Object.keys(pools).flatMap((name) => checkNodePool(tree, name, asMap(pools[name]))),
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
  const { max, base, leadTime } = pool;
  const found: Problem[] = [];
  if (max === undefined)
    found.push(
      problemAt(tree, path, 'has no max; write the most replicas that this headroom may have, such as max: 10'),
    );
  if (typeof max === 'number' && typeof base === 'number' && base > max)
    found.push(problemAt(tree, [...path, 'base'], `is ${base}, above max ${max}; write at most ${max} or raise max`));
  const lead = typeof leadTime === 'string' ? parseDuration(leadTime) : undefined;
  if (lead !== undefined && lead % 60 !== 0)
    found.push(
      problemAt(tree, [...path, 'leadTime'], `is ${JSON.stringify(leadTime)}; write whole minutes, such as 5m`),
    );
  return [
    ...found,
    ...checkSchedules(tree, path, pool),
    ...checkAlarms(tree, path, pool),
    ...checkPool(tree, name, pool),
  ];
}

function checkSchedules(tree: Located, path: readonly string[], { schedules, max }: Values): Problem[] {
  const windows = asList(schedules).map(asMap);
  return windows.flatMap(({ desiredReplicas, name }, index) => {
    const here = [...path, 'schedules', index];
    const found: Problem[] = [];
    if (typeof max === 'number' && Number(desiredReplicas) > max)
      found.push(
        problemAt(
          tree,
          [...here, 'desiredReplicas'],
          `is ${JSON.stringify(desiredReplicas)}, above max ${max}; write at most ${max} or raise max`,
        ),
      );
    if (name !== undefined && windows.findIndex((other) => other.name === name) < index)
      found.push(problemAt(tree, [...here, 'name'], `is ${JSON.stringify(name)}, which is taken; write another name`));
    return found;
  });
}

function checkAlarms(tree: Located, path: readonly string[], { alarms }: Values): Problem[] {
  const named = asList(alarms)
    .map(asMap)
    .map(({ alarmName, name }) => alarmName ?? name);
  return named.flatMap((name, index) => {
    if (name === undefined || named.indexOf(name) === index) return [];
    return [problemAt(tree, [...path, 'alarms', index], `names ${JSON.stringify(name)} a second time; write it once`)];
  });
}
