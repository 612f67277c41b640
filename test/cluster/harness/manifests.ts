import type { KubeObject } from './api-client';

/** The name of the KWOKNodeClass that every cluster with Karpenter has. */
export const DEFAULT_NODE_CLASS = 'default';

/**
 * A node that is always there, as a managed node group for system pods would be; nothing lands on it untolerated.
 * Without any node kube-scheduler does not even try, and backs off for up to 10 s.
 */
export const SYSTEM_NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'system-0',
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
    labels: {
      'kubernetes.io/hostname': 'system-0',
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': 'amd64',
      role: 'system',
    },
  },
  spec: { taints: [{ key: 'CriticalAddonsOnly', value: 'true', effect: 'NoSchedule' }] },
  status: {
    allocatable: { cpu: '4', memory: '8Gi', pods: '58' },
    capacity: { cpu: '4', memory: '8Gi', pods: '58' },
  },
} satisfies KubeObject;

/** What Karpenter's kwok provider makes nodes of; `nodeDelay` ("50s") stands for the time that EC2 takes to start one. */
export function kwokNodeClass(name: string, nodeDelay?: string): KubeObject {
  return {
    apiVersion: 'karpenter.kwok.sh/v1alpha1',
    kind: 'KWOKNodeClass',
    metadata: { name },
    spec: nodeDelay === undefined ? {} : { nodeRegistrationDelay: nodeDelay },
  };
}

/** What a test wants of a NodePool; the rest is as Karpenter's own defaults are. */
export interface NodePoolOptions {
  readonly name: string;
  /** @default the class that every cluster has */
  readonly nodeClass?: string;
  /** @default every type that the kwok provider offers */
  readonly instanceTypes?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly effect: string; readonly value?: string }[];
  readonly limits?: Readonly<Record<string, string>>;
  /** @default Karpenter's: WhenEmptyOrUnderutilized after 0s */
  readonly disruption?: Readonly<Record<string, unknown>>;
}

/** A NodePool of on-demand Linux nodes. */
export function nodePool(options: NodePoolOptions): KubeObject {
  const { name, nodeClass = DEFAULT_NODE_CLASS, instanceTypes, labels, taints, limits, disruption } = options;
  const isIn = (key: string, values: readonly string[]) => ({ key, operator: 'In', values });
  const requirements = [
    isIn('kubernetes.io/arch', ['amd64']),
    isIn('kubernetes.io/os', ['linux']),
    isIn('karpenter.sh/capacity-type', ['on-demand']),
    ...(instanceTypes === undefined ? [] : [isIn('node.kubernetes.io/instance-type', instanceTypes)]),
  ];
  const nodeClassRef = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: nodeClass };
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      template: {
        ...(labels !== undefined && { metadata: { labels } }),
        spec: { requirements, nodeClassRef, expireAfter: 'Never', ...(taints !== undefined && { taints }) },
      },
      ...(limits !== undefined && { limits }),
      ...(disruption !== undefined && { disruption }),
    },
  };
}
