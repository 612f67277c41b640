import type { Config } from '../../shared/core/config/config';
import { alarmNameGroups } from './alarm-triggers';

/** CloudFormation's limit for one stack. */
export const MAX_RESOURCES = 500;
/** Everything of the headroom stack that does not grow with the config, with room to spare. */
const FIXED = 160;

/** How many schedules fit into the stack beside everything else. */
export function scheduleBudget(config: Config): number {
  const { nodePools } = config;
  const created = nodePools.flatMap(({ alarms }) => alarms.filter(({ create }) => create !== undefined)).length;
  const late = nodePools.filter(({ windows }) => windows.length > 0).length;
  // A rule comes with its permission to invoke.
  const rules = alarmNameGroups(config).length * 2;
  return Math.max(0, MAX_RESOURCES - FIXED - created - late - rules);
}
