import type { KubeObject } from '../../test/cluster/harness/api-client';

/** The namespace of KEDA itself. */
export const NAMESPACE = 'keda';
/** The Service behind which KEDA's adapter serves metrics. */
export const SERVICE = 'keda-metrics-apiserver';

const GROUP = 'external.metrics.k8s.io';
const VERSION = 'v1beta1';

/** Lets the HorizontalPodAutoscaler controller read external metrics, as KEDA's own installation does. */
export function externalMetricsAccess(): readonly KubeObject[] {
  const apiGroup = 'rbac.authorization.k8s.io';
  const metadata = { name: 'keda-external-metrics-reader' };
  return [
    {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRole',
      metadata,
      rules: [{ apiGroups: [GROUP], resources: ['*'], verbs: ['*'] }],
    },
    {
      apiVersion: `${apiGroup}/v1`,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup, kind: 'ClusterRole', name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: 'horizontal-pod-autoscaler', namespace: 'kube-system' }],
    },
  ];
}

/** Sends the apiserver to the adapter; by an external name, since nothing here gives Services addresses. */
export function externalMetrics(port: number, ca: string): readonly KubeObject[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: SERVICE, namespace: NAMESPACE },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${VERSION}.${GROUP}` },
      spec: {
        service: { name: SERVICE, namespace: NAMESPACE, port },
        group: GROUP,
        version: VERSION,
        groupPriorityMinimum: 100,
        versionPriority: 100,
        caBundle: Buffer.from(ca).toString('base64'),
      },
    },
  ];
}

/** One window of a day, in UTC. */
export interface Window {
  readonly from: number;
  readonly to: number;
  readonly replicas: number;
}

/** A Deployment whose pods nobody schedules, and the ScaledObject, with KEDA's defaults, that opens a window for it. */
export function cronScaled(name: string, namespace: string, least: number, window: Window): readonly KubeObject[] {
  const metadata = { name, namespace };
  const labels = { app: name };
  const cron = (at: number) => `${new Date(at).getUTCMinutes()} ${new Date(at).getUTCHours()} * * *`;
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: {
        replicas: least,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { schedulerName: 'none', containers: [{ name: 'work', image: 'work' }] },
        },
      },
    },
    {
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'ScaledObject',
      metadata,
      spec: {
        scaleTargetRef: { name },
        minReplicaCount: least,
        triggers: [
          {
            type: 'cron',
            metadata: {
              timezone: 'Etc/UTC',
              start: cron(window.from),
              end: cron(window.to),
              desiredReplicas: `${window.replicas}`,
            },
          },
        ],
      },
    },
  ];
}
