import type { HeadroomConfig, Toleration } from '../../../shared/core/config/config';
import type { Taint } from '../../../shared/core/karpenter/objects';
import { unitOfDemand } from '../../learning/unit-of-demand';

const DEMO_NAMESPACE = 'demo';

export function demoName(headroom: string): string {
  return `web-${headroom}`;
}

export function demoNamespace(name = DEMO_NAMESPACE) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** The workload of a headroom: the Deployment that it is for; one of its own where that is another kind, or has a headroom before. */
export function demoPlace(pool: HeadroomConfig, headrooms: readonly HeadroomConfig[]): Place {
  const { like, name } = pool;
  const first = like && headrooms.find((one) => one.like?.namespace === like.namespace && one.like.name === like.name);
  if (like?.kind === 'Deployment' && first?.name === name) return { namespace: like.namespace, name: like.name };
  return { namespace: DEMO_NAMESPACE, name: demoName(name) };
}

/** The workload that headroom is for: pods that request exactly one unit each, on the same nodes as the headroom. */
export function demoDeployment(pool: HeadroomConfig, place: Place, replicas: number, taints: readonly Taint[]) {
  const labels = { app: demoName(pool.name) };
  const { nodeSelector, nodeAffinity } = pool;
  const tolerations = pool.tolerations ?? taints.map(tolerationOf);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...place, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 10,
          nodeSelector,
          ...(nodeAffinity.length > 0 && { affinity: affinityTo(nodeAffinity) }),
          ...(tolerations.length > 0 && { tolerations }),
          containers: [{ name: 'web', image: 'demo.example/web:1', resources: resourcesOf(pool) }],
        },
      },
    },
  };
}

/** Kubernetes requires limits for extended resources such as GPUs, equal to the requests. */
function resourcesOf(pool: HeadroomConfig) {
  const requests = unitOfDemand(pool);
  const extended = Object.entries(requests).filter(([name]) => name.includes('/'));
  return { requests, ...(extended.length > 0 && { limits: Object.fromEntries(extended) }) };
}

function affinityTo(matchExpressions: HeadroomConfig['nodeAffinity']) {
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
    },
  };
}

function tolerationOf({ key, value, effect }: Taint): Toleration {
  return value === undefined || value === ''
    ? { key, operator: 'Exists', effect }
    : { key, operator: 'Equal', value, effect };
}
