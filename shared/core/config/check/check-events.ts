import { MAX_PEAKS } from '../../basics/record-limits';
import { fault } from '../schema/rules';
import { aboveMax } from './check-floor';
import type { NodePoolRules } from './written';

/** Rules of the events that announce peaks. */
export const eventRules: NodePoolRules = ({ events = [], max }) => {
  const names = events.map(({ name }) => name);
  return [
    events.length > MAX_PEAKS && fault('events', `has ${events.length} events; write at most ${MAX_PEAKS}`),
    ...events.flatMap(({ name, desiredReplicas }, index) => [
      aboveMax(['events', index, 'desiredReplicas'], desiredReplicas, max),
      name !== undefined &&
        names.indexOf(name) !== index &&
        fault(['events', index, 'name'], `is ${JSON.stringify(name)}, which is taken; write another name`),
    ]),
  ];
};
