import { ADD_HINT } from '../schema/alarm-schema';
import { type Fault, fault } from '../schema/rules';
import { MAX_RELATIVE, peaksAmong } from './window-limits';
import type { NodePoolRules } from './written';

/** Rules of floors, and of windows, announced peaks and alarms that add nodes to what is there. */
export const floorRules: NodePoolRules = ({ unit, minNode, schedules = [], events = [], alarms = [], max }) => {
  const isFloor = unit?.floor !== undefined;
  const [windows, peaks] = [relativeIn('schedules', schedules), relativeIn('events', events)];
  const boosts = relativeIn('alarms', alarms);
  const most = MAX_RELATIVE - peaksAmong(peaks);
  return [
    isFloor &&
      minNode !== undefined &&
      fault('minNode', 'says the same as unit.floor; leave it out, and write the size in unit.floor'),
    windows.length > most && fault('schedules', `has ${windows.length} windows with addNodes; write at most ${most}`),
    ...alarms.map(
      ({ add, addNodes }, index) =>
        add !== undefined &&
        addNodes !== undefined &&
        fault(['alarms', index, 'addNodes'], `does not go with add; ${ADD_HINT}`, ['alarms', index, 'add']),
    ),
    ...[...windows, ...peaks, ...boosts].flatMap(({ addNodes, path }) => [
      !isFloor && withoutFloor(path),
      aboveMax(path, addNodes, max),
    ]),
  ];
};

function withoutFloor(path: Fault['path']): Fault {
  const instead = path[0] === 'alarms' ? 'add' : 'desiredReplicas';
  return fault(path, `requires a floor; write unit: {floor: {cpu, memory}} for this NodePool, or ${instead} instead`, [
    'unit',
  ]);
}

function relativeIn(key: string, items: readonly { readonly addNodes?: unknown }[]) {
  return items.flatMap(({ addNodes }, index) =>
    addNodes === undefined ? [] : [{ addNodes, path: [key, index, 'addNodes'] }],
  );
}

/** A max that is itself wrong bounds nothing. */
export function aboveMax(path: Fault['path'], value: unknown, max: unknown, shown = JSON.stringify(value)) {
  return (
    typeof max === 'number' &&
    max >= 0 &&
    Number(value) > max &&
    fault(path, `is ${shown}, above max ${max}; write at most ${max} or raise max`)
  );
}
