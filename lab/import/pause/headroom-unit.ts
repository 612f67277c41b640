import { parseQuantity } from '../../../shared/core/config/schema/quantity';
import type { Values } from '../../../shared/core/config/yaml/untyped';
import type { ImportedShape } from './imported-shape';
import { includeClass, type PodRole } from './pod-role';

export interface ImportedUnit {
  readonly unit: Values;
  readonly remarks: readonly string[];
}

/** The sizes of instances, in cpus and in GiB. */
const CPUS = [1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 192];
const GIB = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 384, 512, 768, 1_024];
/** What kubelet, system and DaemonSets leave of a node. */
const USABLE = 0.9;

export function roomOf({ requests, apart }: Pick<ImportedShape, 'requests' | 'apart'>): ImportedUnit {
  const known = Object.keys(requests).length > 0;
  const size = known ? requests : { cpu: '1', memory: '1Gi' };
  return {
    unit: apart ? { node: size } : { slice: size },
    remarks: [
      ...(known ? [] : ['the pods have no requests; set what one replica should hold']),
      ...(apart === 'preferred'
        ? ['one per node: those pods only preferred to keep apart; write slice instead of node to pack them']
        : []),
    ],
  };
}

/** Whether pods pin a NodePool at a size: one per node, bound to the NodePool, and never preempted by work. */
export function isPinned({ apart, nodePool }: ImportedShape, { yields }: PodRole): boolean {
  return apart === 'required' && nodePool !== undefined && !yields;
}

function pinnedFloor({ requests }: ImportedShape): ImportedUnit {
  const cpu = smallest(CPUS, parseQuantity(requests.cpu ?? ''));
  const memory = smallest(GIB, (parseQuantity(requests.memory ?? '') ?? Number.NaN) / 2 ** 30);
  const size = {
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memory: memory < 1 ? `${memory * 1_024}Mi` : `${memory}Gi` }),
  };
  return {
    unit: { floor: Object.keys(size).length > 0 ? size : { cpu: 1 } },
    remarks: [
      'a floor, nodes that exist: those pods pin the NodePool, one per node, and nothing preempts them.',
      'The size is the smallest node that they fit on; set the size of the nodes that this NodePool usually has. See docs/choosing.md.',
    ],
  };
}

function smallest(sizes: readonly number[], request: number | undefined): number | undefined {
  if (request === undefined || Number.isNaN(request)) return undefined;
  return sizes.find((size) => size * USABLE >= request) ?? sizes.at(-1);
}

/** The unit for pause pods, with remarks on what changes for them. */
export function unitOfPause(shape: ImportedShape, role: PodRole): ImportedUnit {
  if (isPinned(shape, role)) return pinnedFloor(shape);
  const room = roomOf(shape);
  const remarks =
    role.unknownClass === undefined
      ? []
      : [`taken for room: ${includeClass(role.unknownClass)}, and its value decides`];
  if (!role.yields)
    remarks.push(
      'those pods had no lower priority than work, so nothing preempted them; headroom is preempted by work, and refilled',
    );
  return { ...room, remarks: [...room.remarks, ...remarks] };
}
