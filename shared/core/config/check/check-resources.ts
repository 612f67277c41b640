import { countPatterns, countResources, MAX_RESOURCES } from '../../schedules/count-resources';
import type { Config } from '../config';
import { type Located, problemAt } from '../yaml/located';
import type { Problem } from '../yaml/problem';

/** A stack that is too large fails only at synth, without the cause. */
export function checkResources(config: Config, tree: Located): Problem[] {
  const size = countResources(config);
  if (size <= MAX_RESOURCES) return [];
  const created = config.headrooms.flatMap(({ alarms }) => alarms.filter(({ create }) => create !== undefined)).length;
  const watched = config.headrooms.filter(({ windows, events }) => windows.length > 0 || events).length;
  const needs = `${created} alarms with a metric, ${countPatterns(config)} patterns of events and ${watched} NodePools with schedules or events`;
  const fix = 'create alarms in a stack of your own and write their alarmName, or write fewer';
  return [
    problemAt(
      tree,
      ['nodePools'],
      `needs ${size} CloudFormation resources for ${needs}; a stack holds ${MAX_RESOURCES}: ${fix}`,
    ),
  ];
}
