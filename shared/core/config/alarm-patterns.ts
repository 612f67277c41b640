import { alarmStateChange } from '../events/alarm-state-change';
import type { Config } from './config';

/** The maximum length of an EventBridge pattern. */
const MAX_PATTERN = 2_048;

/** Only our account's alarms: the bus may also receive events of other accounts. */
export function alarmPattern(alarmName: readonly string[], account: string) {
  const { source, detailType } = alarmStateChange;
  return { source: [source], 'detail-type': [detailType], account: [account], detail: { alarmName } };
}

/** The alarm names, in as few groups as fit into patterns. */
export function alarmNameGroups({ headrooms }: Config): string[][] {
  const names = new Set(headrooms.flatMap(({ alarms }) => alarms.map(({ alarmName }) => alarmName)));
  const groups: string[][] = [];
  for (const name of names) {
    const group = groups.at(-1);
    if (group && patternLength([...group, name]) <= MAX_PATTERN) group.push(name);
    else groups.push([name]);
  }
  return groups;
}

function patternLength(names: readonly string[]): number {
  return new TextEncoder().encode(JSON.stringify(alarmPattern(names, '123456789012'))).length;
}
