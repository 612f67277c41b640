import { formatDuration, parseDuration } from '../../basics/duration';
import { DEFAULTS } from '../schema/defaults';
import { leadBounds, type WrittenBounds } from '../schema/lead-bounds';
import { fault } from '../schema/rules';
import { asMap, type Values } from '../yaml/untyped';
import { MAX_AUTO, peaksAmong } from './window-limits';
import type { NodePoolRules } from './written';

/** Rules of `leadTime`: whole minutes and, where it is learned (the default), bounds that hold its start value. */
export const leadRules: NodePoolRules = ({ leadTime: written, schedules = [], events = [] }) => {
  const leadTime = written ?? DEFAULTS.leadTime;
  const { auto } = asMap(leadTime);
  const bounds = asMap(auto);
  const most = MAX_AUTO - peaksAmong(events);
  const isAuto = isAutoLead(leadTime);
  const times = isAuto
    ? Object.entries(bounds).map(([key, value]) => ({ path: ['leadTime', 'auto', key], value }))
    : [{ path: ['leadTime'], value: leadTime }];
  return [
    ...times.map(
      ({ path, value }) =>
        !isWholeMinutes(value) && fault(path, `is ${JSON.stringify(value)}; write whole minutes, such as 5m`),
    ),
    isAuto && wrongBounds(bounds),
    isAuto &&
      schedules.length > most &&
      fault(
        'leadTime',
        `is auto${written === undefined ? ' by default' : ''}, which allows at most ${most} schedules; for ${schedules.length} write leadTime: 5m`,
      ),
  ];
};

/** Whether a `leadTime` as it is written, or left out, is learned. */
export function isAutoLead(leadTime: unknown = DEFAULTS.leadTime): boolean {
  return leadTime === 'auto' || asMap(leadTime).auto !== undefined;
}

/** What is no duration at all is wrong in another way. */
function isWholeMinutes(value: unknown): boolean {
  return typeof value !== 'string' || (parseDuration(value) ?? 0) % 60 === 0;
}

function wrongBounds(written: Values) {
  const { min, max, start } = leadBounds(textsIn(written));
  const [least, most, first] = [min, max, start].map(formatDuration);
  if (min > max) return fault(['leadTime', 'auto', 'min'], `is ${least}, above max ${most}; write at most ${most}`);
  return (
    (start < min || start > max) &&
    fault(['leadTime', 'auto', 'start'], `is ${first}; write a time from min ${least} to max ${most}`)
  );
}

/** What is no text is wrong in another way. */
function textsIn(values: Values): WrittenBounds {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string'));
}
