import {
  ADDED_BY_TAG,
  type ClusterNetwork,
  DISCOVERY_TAG,
  type DiscoveryTags,
  type NodeGroup,
} from '../../shared/core/karpenter/install/discovery-tags';

type Tags = Record<string, string>;

/** An AWS that keeps tags as EC2 does: removal only where the value is the same. */
export class FakeNetwork implements ClusterNetwork {
  /** How often tags were added or removed. */
  writes = 0;
  clusterGroup = 'sg-cluster';
  /** How many nodes Karpenter has here; `undefined` when EC2 does not say. */
  nodes: number | undefined = 0;

  constructor(
    readonly tags: Map<string, Tags>,
    public groups: readonly NodeGroup[] = [],
    readonly launchTemplates: Readonly<Record<string, readonly string[]>> = {},
  ) {}

  /** The tags of every resource that has any. */
  get state(): Record<string, Tags> {
    return Object.fromEntries([...this.tags].filter(([, tags]) => Object.keys(tags).length > 0));
  }

  async clusterSecurityGroup(): Promise<string> {
    return this.clusterGroup;
  }

  async nodeGroups(): Promise<readonly NodeGroup[]> {
    return this.groups;
  }

  async launchTemplateSecurityGroups({ id }: { id: string }): Promise<readonly string[]> {
    return this.launchTemplates[id] ?? [];
  }

  async karpenterNodes(): Promise<number> {
    if (this.nodes === undefined) throw new Error('EC2 does not say');
    return this.nodes;
  }

  async readTags(ids: readonly string[]): Promise<readonly DiscoveryTags[]> {
    return ids.map((id) => this.read(id));
  }

  async tagsAddedBy(owner: string): Promise<readonly DiscoveryTags[]> {
    return [...this.tags.keys()].map((id) => this.read(id)).filter(({ addedBy }) => addedBy === owner);
  }

  async addTags(ids: readonly string[], tags: Readonly<Tags>): Promise<void> {
    for (const id of ids) {
      this.tags.set(id, { ...this.tags.get(id), ...tags });
      this.writes += 1;
    }
  }

  async removeTags(ids: readonly string[], tags: Readonly<Tags>): Promise<void> {
    for (const id of ids) {
      const kept = Object.entries(this.tags.get(id) ?? {}).filter(([key, value]) => tags[key] !== value);
      this.tags.set(id, Object.fromEntries(kept));
      this.writes += 1;
    }
  }

  private read(id: string): DiscoveryTags {
    const { [DISCOVERY_TAG]: discovery, [ADDED_BY_TAG]: addedBy } = this.tags.get(id) ?? {};
    return { id, ...(discovery !== undefined && { discovery }), ...(addedBy !== undefined && { addedBy }) };
  }
}
