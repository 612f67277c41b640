import { roleNameOf } from '../../basics/iam-role';
import { physicalName } from '../../basics/names';
import type { ClusterConfig, Config } from '../../config/config';
import { KARPENTER_VERSION, type KarpenterInput } from '../../config/schema/karpenter-schema';

/** Something that the stack creates, that exists under a name, or that is left out. */
export type Part =
  | { readonly kind: 'create'; readonly name: string }
  | {
      readonly kind: 'existing';
      readonly name: string;
      /** As configured: the name, or the ARN of a role. */
      readonly written: string;
    }
  | { readonly kind: 'none'; readonly name?: undefined };

/** How the controller gets its credentials. */
export type Identity =
  | { readonly kind: 'pod-identity'; readonly installAgent: boolean }
  | { readonly kind: 'irsa'; readonly issuer: string };

export interface KarpenterSettings {
  readonly clusterName: string;
  readonly region: string;
  readonly version: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly identity: Identity;
  readonly nodeRole: Part;
  readonly instanceProfile: Part;
  readonly nodeAccess: 'entry' | 'aws-auth' | 'none';
  readonly controllerRole: Part;
  readonly queue: Part;
  readonly discovery: {
    readonly subnets: 'node-groups' | readonly string[];
    readonly securityGroups: 'cluster' | 'launch-template' | readonly string[];
  };
  readonly spotServiceLinkedRole: boolean;
  readonly zonalShift: boolean;
  readonly helm: HelmSettings;
}

/** Where the charts come from and where the controller runs. */
export interface HelmSettings {
  readonly install: boolean;
  readonly repository: string;
  readonly nodeGroup?: string | undefined;
  readonly kubectlLayerArn?: string | undefined;
  /** Whether a controller that somebody else installed is upgraded. */
  readonly adopt: boolean;
  /** Values of the controller's chart that win over ours. */
  readonly values: Readonly<Record<string, unknown>>;
}

const KARPENTER_DEFAULTS = {
  namespace: 'kube-system',
  serviceAccount: 'karpenter',
  repository: 'oci://public.ecr.aws/karpenter',
} as const;

/**
 * Decides what is created and under which name.
 * - IAM is account-wide, so the names of roles and instance profiles contain the region.
 * - The queue is named after the cluster, as in Karpenter's own guide: a queue that
 *   already exists fails the deploy, instead of a second one being created.
 * - An existing node role already has access to the cluster, so none is added.
 */
export function karpenterSettings({ cluster, karpenter }: Pick<Config, 'cluster' | 'karpenter'>): KarpenterSettings {
  const input = karpenter ?? { manage: false };
  const named = (name: string, longest?: number) => physicalName([name, cluster.name, cluster.region], longest);
  const part = (value: boolean | string, name: string): Part => {
    if (typeof value === 'string') return { kind: 'existing', name: roleNameOf(value), written: value };
    return value && input.manage ? { kind: 'create', name } : { kind: 'none' };
  };
  const nodeRole = part(input.nodeRole ?? true, named('KarpenterNodeRole'));
  return {
    clusterName: cluster.name,
    region: cluster.region,
    version: input.version ?? KARPENTER_VERSION,
    namespace: input.namespace ?? KARPENTER_DEFAULTS.namespace,
    serviceAccount: input.serviceAccount ?? KARPENTER_DEFAULTS.serviceAccount,
    identity: identityOf(input),
    nodeRole,
    instanceProfile: part(input.instanceProfile ?? false, named('KarpenterNodes', 128)),
    nodeAccess: input.nodeAccess ?? defaultAccess(cluster, nodeRole),
    controllerRole: part(input.controllerRole ?? true, named('KarpenterControllerRole')),
    queue: part(input.queue ?? true, physicalName([cluster.name], 80)),
    discovery: discoveryOf(input),
    spotServiceLinkedRole: input.spotServiceLinkedRole ?? false,
    zonalShift: input.zonalShift ?? false,
    helm: helmOf(input),
  };
}

function identityOf({ identity, oidcIssuer = '', podIdentityAgent = true }: KarpenterInput): Identity {
  if (identity === 'irsa') return { kind: 'irsa', issuer: oidcIssuer.replace(/^https:\/\//, '') };
  return { kind: 'pod-identity', installAgent: podIdentityAgent };
}

function defaultAccess({ access }: ClusterConfig, nodeRole: Part): KarpenterSettings['nodeAccess'] {
  if (nodeRole.kind !== 'create') return 'none';
  return access === 'manual' ? 'aws-auth' : 'entry';
}

function discoveryOf({ discovery = {} }: KarpenterInput): KarpenterSettings['discovery'] {
  const { subnets = 'node-groups', securityGroups = 'cluster' } = discovery;
  return {
    subnets: subnets === 'none' ? [] : subnets,
    securityGroups: securityGroups === 'none' ? [] : securityGroups,
  };
}

function helmOf({ helm = { install: false } }: KarpenterInput): HelmSettings {
  const { adopt = false, values = {}, repository = KARPENTER_DEFAULTS.repository } = helm;
  return { ...helm, adopt, values, repository };
}
