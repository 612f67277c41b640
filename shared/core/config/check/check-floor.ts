import { type Located, problemAt } from '../yaml/located';
import type { Problem } from '../yaml/problem';
import { asList, asMap, type Values } from '../yaml/untyped';

/** Each keeps a count in the record, which has to stay small. */
const MAX_RELATIVE = 25;

/** Rules of floors, and of windows that add nodes to what is there. */
export function checkFloor(tree: Located, name: string, { unit, minNode, schedules, max }: Values): Problem[] {
  const path = ['nodePools', name];
  const isFloor = asMap(unit).floor !== undefined;
  const found: Problem[] = [];
  if (isFloor && minNode !== undefined)
    found.push(
      problemAt(
        tree,
        [...path, 'minNode'],
        'says the same as unit.floor; leave it out, and write the size in unit.floor',
      ),
    );
  const relative = asList(schedules)
    .map(asMap)
    .flatMap(({ addNodes }, index) => (addNodes === undefined ? [] : [{ addNodes, index }]));
  if (relative.length > MAX_RELATIVE)
    found.push(
      problemAt(
        tree,
        [...path, 'schedules'],
        `has ${relative.length} windows with addNodes; write at most ${MAX_RELATIVE}`,
      ),
    );
  for (const { addNodes, index } of relative) {
    const here = [...path, 'schedules', index, 'addNodes'];
    if (!isFloor)
      found.push(
        problemAt(
          tree,
          here,
          'goes with a floor only; write unit: {floor: {cpu, memory}} for this NodePool, or desiredReplicas instead',
        ),
      );
    if (typeof max === 'number' && max >= 0 && Number(addNodes) > max)
      found.push(
        problemAt(tree, here, `is ${JSON.stringify(addNodes)}, above max ${max}; write at most ${max} or raise max`),
      );
  }
  return found;
}
