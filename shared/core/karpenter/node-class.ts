import { roleNameOf } from '../basics/iam-role';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../basics/names';
import type { Config, HeadroomConfig } from '../config/config';
import type { PoolInput } from '../config/schema/pool-schema';
import { texts } from '../config/schema/quantity';
import type { Manifest } from '../manifests/cluster-object-manifests';
import { DISCOVERY_TAG } from './install/discovery-tags';
import { type KarpenterSettings, karpenterSettings } from './install/karpenter-settings';

/** The AMI that nodes get unless a `pool` block says otherwise. */
const DEFAULT_AMI = 'al2023@latest';

/** The EC2NodeClass of a `pool` block; the spot twin shares it. */
export function nodeClassManifest(config: Config, { name }: HeadroomConfig, pool: PoolInput): Manifest {
  const discovered = [{ tags: { [DISCOVERY_TAG]: config.cluster.name } }];
  return {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name, labels: { [MANAGED_BY_LABEL]: MANAGED_BY } },
    spec: {
      ...pool.nodeClass,
      ...nodeIdentity(karpenterSettings(config), pool),
      amiSelectorTerms: pool.amiSelector ?? [{ alias: pool.ami ?? DEFAULT_AMI }],
      subnetSelectorTerms: pool.subnets ?? discovered,
      securityGroupSelectorTerms: pool.securityGroups ?? discovered,
      ...written(pool, ['amiFamily', 'metadataOptions', 'blockDeviceMappings', 'userData', 'tags']),
      ...(pool.kubelet && { kubelet: kubelet(pool.kubelet) }),
    },
  };
}

/**
 * The node roles of the `pool` blocks, as configured, including those in their instance profiles; the controller
 * must be allowed to pass each of them.
 */
export function ownNodeRoles({ headrooms }: Config): readonly string[] {
  return [...new Set(headrooms.flatMap(({ pool }) => pool?.role ?? []))];
}

/**
 * A pool's own identity comes first, then the instance profile, then the role of the `karpenter` block. A role beside
 * an instance profile is the one in it: the EC2NodeClass takes only one of the two.
 */
function nodeIdentity(settings: KarpenterSettings, pool: PoolInput): { role: string } | { instanceProfile: string } {
  if (pool.instanceProfile !== undefined) return { instanceProfile: pool.instanceProfile };
  if (pool.role !== undefined) return { role: roleNameOf(pool.role) };
  const { name: instanceProfile } = settings.instanceProfile;
  if (instanceProfile !== undefined) return { instanceProfile };
  const { name: role } = settings.nodeRole;
  if (role === undefined)
    throw new Error('a pool block has neither role nor instanceProfile: the config is not checked');
  return { role };
}

/** The API takes quantities as text, even if the config has a number. */
function kubelet(input: NonNullable<PoolInput['kubelet']>): Record<string, unknown> {
  const { kubeReserved, systemReserved, ...rest } = input;
  return {
    ...rest,
    ...(kubeReserved && { kubeReserved: texts(kubeReserved) }),
    ...(systemReserved && { systemReserved: texts(systemReserved) }),
  };
}

/** Only the configured fields: an absent field must stay absent in an apply. */
export function written<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Partial<Pick<T, K>> {
  const present = keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]]);
  return Object.fromEntries(present) as Partial<Pick<T, K>>;
}
