import { MAX_PEAKS } from '../../basics/record-limits';
import { type Fault, fault } from '../schema/rules';
import { aboveMax } from './check-floor';
import { takenNames } from './taken-names';
import type { NodePoolRules, WrittenConfig } from './written';

/** Rules of the events that announce peaks. */
export const eventRules: NodePoolRules = ({ events = [], max, config }) => [
  events.length > MAX_PEAKS && fault('events', `has ${events.length} events; write at most ${MAX_PEAKS}`),
  ...takenNames('events', events),
  ...events.flatMap(({ bus, desiredReplicas }, index) => [
    foreignBus(['events', index, 'bus'], bus, config.cluster),
    aboveMax(['events', index, 'desiredReplicas'], desiredReplicas, max),
  ]),
];

/** A rule on a bus of another account or region cannot send to a queue here. */
function foreignBus(
  path: Fault['path'],
  bus: unknown,
  { region, account }: WrittenConfig['cluster'] = {},
): Fault | undefined {
  const [, itsRegion, itsAccount, name] = /^arn:[^:]+:events:([^:]+):(\d{12}):event-bus\/(.+)$/.exec(String(bus)) ?? [];
  if (name === undefined || (itsRegion === region && itsAccount === account)) return undefined;
  if (itsRegion === region && account === undefined)
    return fault(
      path,
      `is in account ${itsAccount}, and the config has no cluster.account to compare; write its name, ${name}, if it is in the account of the cluster`,
    );
  const ours = account === undefined ? region : `${region} of account ${account}`;
  return fault(
    path,
    `is in ${itsRegion} of account ${itsAccount}, and the cluster is in ${ours}; Headstart adds no rule there: forward to a bus of the cluster with a rule of yours, and write its name`,
  );
}
