import { type Fault, fault } from '../schema/rules';
import { MAX_RELATIVE } from './window-limits';
import type { NodePoolRules } from './written';

/** Rules of floors, and of windows that add nodes to what is there. */
export const floorRules: NodePoolRules = ({ unit, minNode, schedules = [], max }) => {
  const isFloor = unit?.floor !== undefined;
  const relative = schedules.flatMap(({ addNodes }, index) => (addNodes === undefined ? [] : [{ addNodes, index }]));
  return [
    isFloor &&
      minNode !== undefined &&
      fault('minNode', 'says the same as unit.floor; leave it out, and write the size in unit.floor'),
    relative.length > MAX_RELATIVE &&
      fault('schedules', `has ${relative.length} windows with addNodes; write at most ${MAX_RELATIVE}`),
    ...relative.flatMap(({ addNodes, index }) => [
      !isFloor &&
        fault(
          ['schedules', index, 'addNodes'],
          'goes with a floor only; write unit: {floor: {cpu, memory}} for this NodePool, or desiredReplicas instead',
        ),
      aboveMax(['schedules', index, 'addNodes'], addNodes, max),
    ]),
  ];
};

/** A max that is itself wrong bounds nothing. */
export function aboveMax(path: Fault['path'], value: unknown, max: unknown, shown = JSON.stringify(value)) {
  return (
    typeof max === 'number' &&
    max >= 0 &&
    Number(value) > max &&
    fault(path, `is ${shown}, above max ${max}; write at most ${max} or raise max`)
  );
}
