import { KARPENTER_NODEPOOL_LABEL } from '../basics/names';
import type { HeadroomConfig, Toleration } from '../config/config';
import { INSTANCE_LABEL, ZONE_LABEL } from '../manifests/pause-deployment';
import type { CurrentHeadroom, NodePoolFacts } from '../ports/ports';

/** What pods need to land on the nodes of a NodePool. */
export interface NodePoolNeeds {
  readonly defaultTolerations: readonly Toleration[];
  readonly zones?: readonly string[];
  readonly labelPrefix?: string;
}

/** From the NodePool itself; if it could not be read, from the current Deployment. */
export function needsOf(
  pool: HeadroomConfig,
  facts: NodePoolFacts | undefined,
  current: CurrentHeadroom | undefined,
): NodePoolNeeds {
  return facts ? needsIn(facts) : currentNeeds(pool, current);
}

/** From the NodePool itself. */
export function needsIn(facts: Pick<NodePoolFacts, 'taints' | 'zones' | 'nodeClassGroup'>): NodePoolNeeds {
  const defaultTolerations = facts.taints.map(({ key, value, effect }) =>
    value === undefined || value === ''
      ? { key, operator: 'Exists', effect }
      : { key, operator: 'Equal', value, effect },
  );
  const { zones, nodeClassGroup } = facts;
  return { defaultTolerations, ...(nodeClassGroup && { labelPrefix: nodeClassGroup }), ...(zones && { zones }) };
}

interface PodTemplate {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly volumes?: readonly { readonly image?: unknown }[];
  readonly tolerations?: readonly Toleration[];
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: {
        readonly nodeSelectorTerms?: readonly {
          readonly matchExpressions?: readonly { readonly key: string; readonly values?: readonly string[] }[];
        }[];
      };
    };
  };
}

function currentNeeds({ nodePool, nodeAffinity }: HeadroomConfig, current: CurrentHeadroom | undefined): NodePoolNeeds {
  const { nodeSelector = {}, tolerations = [], affinity } = templateOf(current);
  const { [KARPENTER_NODEPOOL_LABEL]: before = nodePool } = nodeSelector;
  // What another NodePool needed says nothing about this one.
  if (before !== nodePool) return { defaultTolerations: [] };
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  // In the manifest the config's expressions come first, the NodePool's after them.
  const ours = terms[0]?.matchExpressions?.slice(nodeAffinity.length) ?? [];
  const zones = ours.find(({ key }) => key === ZONE_LABEL)?.values;
  const sized = ours.find(({ key }) => INSTANCE_LABEL.test(key))?.key;
  const labelPrefix = sized?.replace(INSTANCE_LABEL, '');
  return { defaultTolerations: tolerations, ...(labelPrefix && { labelPrefix }), ...(zones && { zones }) };
}

/** Whether the current Deployment warms images. */
export function hasImageVolumes(current: CurrentHeadroom | undefined): boolean {
  return (templateOf(current).volumes ?? []).some(({ image }) => image !== undefined);
}

function templateOf(current: CurrentHeadroom | undefined): PodTemplate {
  const object = current?.object as { spec?: { template?: { spec?: PodTemplate } } } | undefined;
  return object?.spec?.template?.spec ?? {};
}
