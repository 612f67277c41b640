import type { Config } from '../config/config';
import { KARPENTER_VERSION } from '../config/karpenter-schema';
import { physicalName } from '../names';

/** Something that the stack creates, that exists under a name, or that is left out. */
export type Part =
  | { readonly kind: 'create'; readonly name: string }
  | { readonly kind: 'existing'; readonly name: string }
  | { readonly kind: 'none' };

/** How the controller gets its credentials. */
export type Identity =
  | { readonly kind: 'pod-identity'; readonly installAgent: boolean }
  | { readonly kind: 'irsa'; readonly issuer: string };

/** The `karpenter` block with every default filled in and every name chosen. */
export interface KarpenterPlan {
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
  readonly helm: {
    readonly install: boolean;
    readonly repository: string;
    readonly nodeGroup?: string;
    readonly kubectlLayerArn?: string;
  };
}

/** Every default of the `karpenter` block. */
export const KARPENTER_DEFAULTS = {
  namespace: 'kube-system',
  serviceAccount: 'karpenter',
  repository: 'oci://public.ecr.aws/karpenter',
} as const;

/**
 * Decides what is created and under which name.
 * - IAM is account-wide, so the names of roles and instance profiles carry the region.
 * - The queue is named after the cluster, as Karpenter's own guide does: a queue that
 *   is there already stops the deploy, and nobody ends up with two.
 * - Who brings a node role has let its nodes in already, so that is left alone.
 */
export function karpenterPlan({ cluster, karpenter }: Pick<Config, 'cluster' | 'karpenter'>): KarpenterPlan {
  const input = karpenter ?? { manage: false };
  const named = (name: string, longest?: number) => physicalName([name, cluster.name, cluster.region], longest);
  const manage = input.manage;
  const ownRole = input.nodeRole === undefined || input.nodeRole === true;
  const ownAccess = cluster.access === 'manual' ? 'aws-auth' : 'entry';
  const { install = false, repository, nodeGroup, kubectlLayerArn } = input.helm ?? {};
  return {
    clusterName: cluster.name,
    region: cluster.region,
    version: input.version ?? KARPENTER_VERSION,
    namespace: input.namespace ?? KARPENTER_DEFAULTS.namespace,
    serviceAccount: input.serviceAccount ?? KARPENTER_DEFAULTS.serviceAccount,
    identity:
      input.identity === 'irsa'
        ? { kind: 'irsa', issuer: (input.oidcIssuer ?? '').replace(/^https:\/\//, '') }
        : { kind: 'pod-identity', installAgent: input.podIdentityAgent ?? true },
    nodeRole: part(input.nodeRole ?? manage, named('KarpenterNodeRole')),
    instanceProfile: part(input.instanceProfile ?? false, named('KarpenterNodes', 128)),
    nodeAccess: input.nodeAccess ?? (ownRole ? ownAccess : 'none'),
    controllerRole: part(input.controllerRole ?? manage, named('KarpenterControllerRole')),
    queue: part(input.queue ?? manage, physicalName([cluster.name], 80)),
    discovery: {
      subnets: orNone(input.discovery?.subnets ?? 'node-groups'),
      securityGroups: orNone(input.discovery?.securityGroups ?? 'cluster'),
    },
    spotServiceLinkedRole: input.spotServiceLinkedRole ?? false,
    zonalShift: input.zonalShift ?? false,
    helm: {
      install,
      repository: repository ?? KARPENTER_DEFAULTS.repository,
      ...(nodeGroup !== undefined && { nodeGroup }),
      ...(kubectlLayerArn !== undefined && { kubectlLayerArn }),
    },
  };
}

/** The name of a part, created or not; `undefined` when it is left out. */
export function nameOf(part: Part): string | undefined {
  return part.kind === 'none' ? undefined : part.name;
}

function part(input: boolean | string, name: string): Part {
  if (typeof input === 'string') return { kind: 'existing', name: input };
  return input ? { kind: 'create', name } : { kind: 'none' };
}

function orNone<T extends string>(input: T | 'none' | readonly string[]): Exclude<T, 'none'> | readonly string[] {
  return input === 'none' ? [] : (input as Exclude<T, 'none'> | readonly string[]);
}
