import type { Toleration } from './config/config';
import { ZONE_LABEL } from './manifests/pause-deployment';
import type { LiveHeadroom, NodePoolFacts } from './ports';

/** What a NodePool asks of pods that want to land on its nodes. */
export interface NodePoolNeeds {
  readonly defaultTolerations: readonly Toleration[];
  readonly zones?: readonly string[];
}

/** From the NodePool itself; where it could not be read, what the live headroom has stays. */
export function needsOf(facts: NodePoolFacts | undefined, live: LiveHeadroom | undefined): NodePoolNeeds {
  if (!facts) return liveNeeds(live);
  const defaultTolerations = facts.taints.map(({ key, value, effect }) =>
    value === undefined || value === ''
      ? { key, operator: 'Exists', effect }
      : { key, operator: 'Equal', value, effect },
  );
  return { defaultTolerations, ...(facts.zones && { zones: facts.zones }) };
}

interface PodTemplate {
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

function liveNeeds(live: LiveHeadroom | undefined): NodePoolNeeds {
  const object = live?.object as { spec?: { template?: { spec?: PodTemplate } } } | undefined;
  const { tolerations = [], affinity } = object?.spec?.template?.spec ?? {};
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const zones = terms[0]?.matchExpressions?.find(({ key }) => key === ZONE_LABEL)?.values;
  return { defaultTolerations: tolerations, ...(zones && { zones }) };
}
