import { HEADROOM_LABEL } from '../basics/names';

export interface UsingPod {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind: string }[];
  };
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string };
}

/** What runs on a node: a headroom, by its name, or work. */
export interface NodeUse {
  readonly node: string;
  readonly headroomOf?: string;
}

/** Empty for a pod without a node, one that has ended, and pods that run on every node. */
export function nodeUses({ metadata = {}, spec, status }: UsingPod): readonly NodeUse[] {
  const { labels = {}, ownerReferences = [] } = metadata;
  const ended = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  const ofEveryNode = ownerReferences.some(({ kind }) => kind === 'DaemonSet' || kind === 'Node');
  if (!spec?.nodeName || ended || ofEveryNode) return [];
  const headroomOf = labels[HEADROOM_LABEL];
  return [{ node: spec.nodeName, ...(headroomOf !== undefined && { headroomOf }) }];
}

export interface FloorUse {
  /** Nodes with a floor pod. */
  readonly nodes: number;
  /** Of these, the ones that run work. */
  readonly inUse: number;
}

/** By headroom. */
export function floorUses(uses: readonly NodeUse[]): ReadonlyMap<string, FloorUse> {
  const working = new Set<string>();
  const floors = new Map<string, Set<string>>();
  for (const { node, headroomOf } of uses) {
    if (headroomOf === undefined) working.add(node);
    else floors.set(headroomOf, (floors.get(headroomOf) ?? new Set()).add(node));
  }
  return new Map(
    [...floors].map(([headroom, nodes]) => {
      const inUse = [...nodes].filter((node) => working.has(node)).length;
      return [headroom, { nodes: nodes.size, inUse }];
    }),
  );
}
