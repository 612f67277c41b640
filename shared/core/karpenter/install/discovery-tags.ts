/** Karpenter finds the cluster's subnets and security groups by this tag; its value is the cluster's name. */
export const DISCOVERY_TAG = 'karpenter.sh/discovery';
/** Marks a discovery tag that we added, with its owner, so that we remove no others. */
export const ADDED_BY_TAG = 'headstart.dev/added-discovery';

interface TaggedFor {
  readonly clusterName: string;
  /** Who adds the tags; tags of another owner are taken over, never removed. */
  readonly owner: string;
}

export interface DiscoveryRequest extends TaggedFor {
  readonly subnets: 'node-groups' | readonly string[];
  readonly securityGroups: 'cluster' | 'launch-template' | readonly string[];
}

export interface NodeGroup {
  readonly name: string;
  readonly subnetIds: readonly string[];
  /** Absent if EKS created the launch template itself: then the nodes have the cluster's security group. */
  readonly launchTemplate?: { readonly id: string; readonly version: string };
}

export interface DiscoveryTags {
  readonly id: string;
  readonly discovery?: string;
  readonly addedBy?: string;
}

/** The part of AWS that discovery needs. */
export interface ClusterNetwork {
  clusterSecurityGroup(): Promise<string>;
  nodeGroups(): Promise<readonly NodeGroup[]>;
  launchTemplateSecurityGroups(launchTemplate: { id: string; version: string }): Promise<readonly string[]>;
  /** How many instances of this cluster were launched by Karpenter and still exist. */
  karpenterNodes(): Promise<number>;
  readTags(ids: readonly string[]): Promise<readonly DiscoveryTags[]>;
  /** Everything that this owner has tagged. */
  tagsAddedBy(owner: string): Promise<readonly DiscoveryTags[]>;
  addTags(ids: readonly string[], tags: Readonly<Record<string, string>>): Promise<void>;
  /** Removes a tag only where it has this value. */
  removeTags(ids: readonly string[], tags: Readonly<Record<string, string>>): Promise<void>;
}

export interface DiscoveryChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Ours and no longer requested; a person decides, because Karpenter replaces nodes whose subnet loses its tag. */
  readonly stale: readonly string[];
}

/** Adds missing tags, and removes those that `before` listed by id and `request` does not; a second run changes nothing. */
export async function setDiscoveryTags(
  request: DiscoveryRequest,
  network: ClusterNetwork,
  before?: DiscoveryRequest,
): Promise<DiscoveryChange> {
  const wanted = await wantedResources(request, network);
  const [present, ours] = await Promise.all([network.readTags(wanted), network.tagsAddedBy(request.owner)]);
  const listed = [before?.subnets, before?.securityGroups].flat();
  const change = decideDiscoveryTags(request, wanted, present, ours, listed);
  await network.addTags(change.added, tagsOf(request));
  await network.removeTags(change.removed, tagsOf(request));
  return change;
}

/** Removes what this owner has added, even if the cluster is gone. */
export async function removeDiscoveryTags(request: TaggedFor, network: ClusterNetwork): Promise<DiscoveryChange> {
  const removed = await taggedBy(request, network);
  await network.removeTags(removed, tagsOf(request));
  return { added: [], removed, stale: [] };
}

export async function keepDiscoveryTags(request: TaggedFor, network: ClusterNetwork): Promise<DiscoveryChange> {
  return { added: [], removed: [], stale: await taggedBy(request, network) };
}

/** One line for people; stale tags come with the command that removes them. */
export function discoveryOutcome({ added, removed, stale }: DiscoveryChange): string {
  const remove = `aws ec2 delete-tags --resources ${stale.join(' ')} --tags Key=${DISCOVERY_TAG} Key=${ADDED_BY_TAG}`;
  const parts = [
    ...(added.length > 0 ? [`added to ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed from ${removed.join(', ')}`] : []),
    ...(stale.length > 0
      ? [
          `kept on ${stale.join(', ')}, which discovery no longer finds: Karpenter replaces the nodes there if you run ${remove}`,
        ]
      : []),
  ];
  return parts.length === 0 ? 'nothing to do' : parts.join('; ');
}

async function taggedBy({ owner }: Pick<DiscoveryRequest, 'owner'>, network: ClusterNetwork): Promise<string[]> {
  return (await network.tagsAddedBy(owner)).map(({ id }) => id).sort();
}

/**
 * - Without a discovery tag: ours to add.
 * - With this cluster's name: left as it is, or taken over from an earlier owner of ours.
 * - With another cluster's name: refused, since one resource carries one value and that cluster needs it.
 * - Ours and no longer wanted: removed if its id was taken out of the config, otherwise kept and reported.
 */
function decideDiscoveryTags(
  { clusterName, owner }: TaggedFor,
  wanted: readonly string[],
  present: readonly DiscoveryTags[],
  ours: readonly DiscoveryTags[],
  listedBefore: readonly (string | undefined)[],
): DiscoveryChange {
  const tags = new Map(present.map((found) => [found.id, found]));
  const taken = present.filter(({ discovery }) => discovery !== undefined && discovery !== clusterName);
  if (taken.length > 0) throw new Error(takenMessage(taken, clusterName));
  const isMissing = (id: string) => {
    const { discovery, addedBy } = tags.get(id) ?? {};
    return discovery === undefined || (addedBy !== undefined && addedBy !== owner);
  };
  const unwanted = ours.map(({ id }) => id).filter((id) => !wanted.includes(id));
  return {
    added: wanted.filter(isMissing),
    removed: unwanted.filter((id) => listedBefore.includes(id)),
    stale: unwanted.filter((id) => !listedBefore.includes(id)).sort(),
  };
}

function takenMessage(taken: readonly DiscoveryTags[], clusterName: string): string {
  const list = taken.map(({ id, discovery }) => `${id} (${discovery})`).join(', ');
  return `${DISCOVERY_TAG} already names another cluster on ${list}; write discovery: {subnets: none, securityGroups: none} under karpenter and choose what ${clusterName} uses by id in the subnets and securityGroups of its pool blocks`;
}

async function wantedResources(request: DiscoveryRequest, network: ClusterNetwork): Promise<readonly string[]> {
  const { subnets, securityGroups } = request;
  const usesNodeGroups = subnets === 'node-groups' || securityGroups === 'launch-template';
  const nodeGroups = usesNodeGroups ? await network.nodeGroups() : [];
  if (usesNodeGroups && nodeGroups.length === 0)
    throw new Error(
      `cluster ${request.clusterName} has no managed node group to learn subnets and security groups from; write their ids in karpenter.discovery: {subnets: [...], securityGroups: [...]}, or write discovery: {subnets: none, securityGroups: none} and choose them by id in the subnets and securityGroups of each pool block`,
    );
  const found = [
    ...(subnets === 'node-groups' ? nodeGroups.flatMap(({ subnetIds }) => subnetIds) : subnets),
    ...(await wantedSecurityGroups(securityGroups, nodeGroups, network)),
  ];
  return [...new Set(found)].sort();
}

async function wantedSecurityGroups(
  securityGroups: DiscoveryRequest['securityGroups'],
  nodeGroups: readonly NodeGroup[],
  network: ClusterNetwork,
): Promise<readonly string[]> {
  if (securityGroups === 'cluster') return [await network.clusterSecurityGroup()];
  if (securityGroups !== 'launch-template') return securityGroups;
  const groups = nodeGroups.map(async ({ launchTemplate }) => {
    const own = launchTemplate ? await network.launchTemplateSecurityGroups(launchTemplate) : [];
    return own.length > 0 ? own : [await network.clusterSecurityGroup()];
  });
  return (await Promise.all(groups)).flat();
}

function tagsOf({ clusterName, owner }: TaggedFor): Record<string, string> {
  return { [DISCOVERY_TAG]: clusterName, [ADDED_BY_TAG]: owner };
}
