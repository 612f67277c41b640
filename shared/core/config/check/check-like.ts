import { shareIn } from '../../basics/share';
import { DEFAULTS } from '../schema/defaults';
import { type Fault, fault } from '../schema/rules';
import { asMap } from '../yaml/untyped';
import type { NodePoolRules, WrittenNodePool } from './written';

/** Rules of headrooms that are for a workload, and of sizes that are a share of one. */
export const likeRules: NodePoolRules = (nodePool) => {
  const { unit, name, config, unitPlace } = nodePool;
  const ours = config.cluster?.namespace ?? DEFAULTS.namespace;
  const { like } = unit ?? {};
  if (like !== undefined)
    return [
      namespaceIn(like) === ours &&
        fault(['unit', 'like'], `is in ${String(ours)}, the namespace of Headstart itself; write a workload of yours`),
    ];
  return sharesIn(nodePool).map(({ path, share }) =>
    fault(
      path,
      `is ${JSON.stringify(share)}, a share of a workload, and the unit of ${name} (${unitPlace}) names none; write unit: {like: namespace/name} there, or a number here`,
    ),
  );
};

function namespaceIn(like: unknown): unknown {
  return typeof like === 'string' ? like.split('/')[0] : asMap(like).namespace;
}

function sharesIn({ base, schedules = [], alarms = [], events = [] }: WrittenNodePool) {
  const sizes: readonly { readonly path: Fault['path']; readonly share: unknown }[] = [
    { path: ['base'], share: base },
    ...schedules.map((one, index) => ({ path: ['schedules', index, 'desiredReplicas'], share: one?.desiredReplicas })),
    ...alarms.map((one, index) => ({ path: ['alarms', index, 'add'], share: one?.add })),
    ...events.map((one, index) => ({ path: ['events', index, 'desiredReplicas'], share: one?.desiredReplicas })),
  ];
  return sizes.filter(({ share }) => shareIn(share) !== undefined);
}
