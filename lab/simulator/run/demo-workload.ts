import type { HeadroomConfig, Toleration } from '../../../shared/core/config/config';
import type { Taint } from '../../../shared/core/karpenter/objects';
import { unitOfDemand } from '../../learning/unit-of-demand';

export const DEMO_NAMESPACE = 'demo';

export function demoName(headroom: string): string {
  return `web-${headroom}`;
}

export function demoNamespace() {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: DEMO_NAMESPACE } };
}

/** The workload that headroom is for: pods that request exactly one unit each, on the same nodes as the headroom. */
export function demoDeployment(pool: HeadroomConfig, replicas: number, taints: readonly Taint[]) {
  const labels = { app: demoName(pool.name) };
  const { nodeSelector, nodeAffinity } = pool;
  const tolerations = pool.tolerations ?? taints.map(tolerationOf);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: demoName(pool.name), namespace: DEMO_NAMESPACE, labels },
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
