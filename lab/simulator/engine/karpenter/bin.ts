import { repellingTaint } from '../../../../shared/core/karpenter/repelling-taint';
import type { StringMap } from '../../kube/object-types';
import { freeShare } from '../scheduling/placement';
import { type PodShape, selectsLabels } from '../state/pod-shape';
import type { NodeRecord } from '../state/records';
import { type Amounts, addAmounts, lacking } from '../state/resource-amounts';

/** A node as bin packing sees it: its pods, and those placed there so far. */
export interface Bin {
  readonly labels: StringMap;
  readonly shapes: ReadonlyMap<PodShape, number>;
}

const NO_SHAPES: ReadonlyMap<PodShape, number> = new Map();
const NOTHING: Amounts = new Map();

/** Taints that are removed while a node starts. */
const PASSING = new Set([
  'node.kubernetes.io/not-ready',
  'karpenter.sh/unregistered',
  'node.kubernetes.io/unreachable',
]);

/** A node that exists or has been ordered; its usage is copied on the first write. */
export class ExistingBin implements Bin {
  private packed: Packed | undefined;

  /** A node that was only ordered has no pods yet. */
  constructor(private readonly node: Pick<NodeRecord, 'labels' | 'taints' | 'allocatable'> & Partial<Packed>) {}

  get labels(): StringMap {
    return this.node.labels;
  }

  get shapes(): ReadonlyMap<PodShape, number> {
    return this.packed?.shapes ?? this.node.shapes ?? NO_SHAPES;
  }

  private get used(): Amounts {
    return this.packed?.used ?? this.node.used ?? NOTHING;
  }

  fits(shape: PodShape): boolean {
    if (!this.hasRoom(shape) || !selectsLabels(shape, this.labels)) return false;
    const lasting = this.node.taints.filter(({ key }) => !PASSING.has(key));
    return repellingTaint(shape.tolerations, lasting) === undefined;
  }

  /** Like `fits`, for a node whose labels and taints are known to match. */
  hasRoom(shape: PodShape): boolean {
    return lacking(shape.requests, this.used, this.node.allocatable) === undefined && !repelled(this, shape);
  }

  add(shape: PodShape): void {
    this.packed ??= { shapes: new Map(this.shapes), used: new Map(this.used) };
    const { shapes, used } = this.packed;
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
    addAmounts(used, shape.requests, 1);
  }

  /** The share of the node that would stay free, by which the scheduler ranks nodes. */
  freeWith(shape: PodShape): number {
    return freeShare(shape, { used: this.used, allocatable: this.node.allocatable });
  }
}

interface Packed {
  readonly shapes: Map<PodShape, number>;
  readonly used: Map<string, number>;
}

export function repelled(bin: Bin, shape: PodShape): boolean {
  for (const other of bin.shapes.keys()) if (other.repels(shape)) return true;
  return false;
}
