import { parseQuantity } from '../../../shared/core/config/schema/quantity';
import { count } from '../../../shared/drawing/amounts';
import type { ImportedPool } from '../input/imported';
import { roomOf } from '../pause/headroom-unit';
import type { ImportedShape } from '../pause/imported-shape';
import type { ImportedWindow } from './keda-windows';

/** The first guess at a node is an xlarge of the m family; the largest is a metal one. */
const SMALLEST = { cpu: 4, memoryGi: 16 };
const LARGEST_CPU = 192;
/** What kubelet, system and DaemonSets leave of a node. */
const USABLE = 0.9;
/** An xlarge runs at most 58 pods, some of them of DaemonSets. */
const MAX_PODS = 50;

export interface ImportedSizes extends Pick<ImportedPool, 'settings' | 'remarks'> {
  readonly schedules: readonly object[];
}

interface Workload {
  readonly shape: ImportedShape;
  readonly windows: readonly ImportedWindow[];
  /** In pods. */
  readonly max: number;
  readonly always: number;
  readonly maxRemark: string | undefined;
  /** Its name if its pod template was not given, so that its shape is a guess. */
  readonly missing: string | undefined;
}

/** A floor defines nodes by cpu and memory only; GPUs and the like need room instead. */
export function isMeasuredByNodes({ requests }: ImportedShape): boolean {
  return Object.keys(requests).every((resource) => ['cpu', 'memory', 'ephemeral-storage'].includes(resource));
}

/** A floor with more nodes than exist, for the pods that a workload starts on schedule. */
export function workloadFloor({ shape, windows, max, always, maxRemark, missing }: Workload): ImportedSizes {
  const { size, fit } = nodeFor(shape);
  const nodesFor = (pods: number) => Math.max(1, Math.ceil((pods - always) / fit));
  const above = always > 0 ? ` above the ${count(always, 'pod')} that always ${always === 1 ? 'runs' : 'run'}` : '';
  return {
    settings: { max: nodesFor(max), unit: { floor: { cpu: size.cpu, memory: `${size.memoryGi}Gi` } } },
    schedules: windows.map(({ desiredReplicas, ...window }) => ({ ...window, addNodes: nodesFor(desiredReplicas) })),
    remarks: {
      max: [`nodes for ${count(max, 'pod')}${above}, ${fit} to a node`, maxRemark].filter((text) => text !== undefined),
      unit: [
        missing !== undefined &&
          `the target ${missing} was not given, and is taken for a workload; pass its file too, then its pods are counted as they are.`,
        'a floor, nodes that exist: the target is a workload that starts its own pods. Room would be kept beside',
        'those pods, and provisioned again when they take it. See docs/choosing.md.',
        'Set the size of the nodes that this NodePool usually has: it gets no node of a size that it does not allow.',
        Object.keys(shape.requests).length === 0 &&
          `${missing === undefined ? 'The pods have no requests; each' : 'Each pod'} was taken for 1 cpu and 1Gi.`,
      ].filter((text) => text !== false),
      schedules: [`addNodes: more nodes than there are when the window opens, for the pods${above}, ${fit} to a node`],
    },
  };
}

/** The smallest node that fits such a pod, and how many of them fit. */
function nodeFor(shape: ImportedShape) {
  const { unit } = roomOf({ ...shape, apart: false });
  const { cpu = '0', memory = '0' } = unit.slice as Readonly<Record<string, string>>;
  const [cores, bytes] = [parseQuantity(cpu) ?? 0, parseQuantity(memory) ?? 0];
  const holds = ({ cpu: all, memoryGi }: typeof SMALLEST) =>
    Math.floor(Math.min(MAX_PODS, (USABLE * all) / cores, (USABLE * memoryGi * 2 ** 30) / bytes));
  let size = SMALLEST;
  while (holds(size) < 1 && size.cpu < LARGEST_CPU) size = { cpu: size.cpu * 2, memoryGi: size.memoryGi * 2 };
  return { size, fit: shape.apart === 'required' ? 1 : Math.max(1, holds(size)) };
}
