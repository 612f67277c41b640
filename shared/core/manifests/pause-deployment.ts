import {
  HEADROOM_LABEL,
  hashText,
  headroomName,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  priorityClassName,
} from '../basics/names';
import type { HeadroomConfig, MatchExpression, Toleration } from '../config/config';
import { ANNOTATIONS } from './annotations';

/** The first Kubernetes minor version on which image volumes work without a feature gate. */
export const IMAGE_VOLUMES_SINCE = 35;

export const ZONE_LABEL = 'topology.kubernetes.io/zone';

/** The prefix is the API group of the node class: `karpenter.k8s.aws`, on EKS Auto Mode `eks.amazonaws.com`. */
const DEFAULT_LABEL_PREFIX = 'karpenter.k8s.aws';
export const INSTANCE_LABEL = /\/instance-(cpu|memory|gpu-count)$/;
const CPU_LABEL = '/instance-cpu';
const MEMORY_LABEL = '/instance-memory';
const GPU_LABEL = '/instance-gpu-count';

export interface HeadroomContent {
  readonly pool: HeadroomConfig;
  readonly namespace: string;
  readonly replicas: number;
  readonly annotations: Readonly<Record<string, string>>;
  /** The NodePool's own taints as tolerations, for a pool that configures none. */
  readonly defaultTolerations: readonly Toleration[];
  /**
   * The zones that the NodePool is limited to. A spread counts the zones of all
   * NodePools, so without them pods wait forever for a zone that this one never uses.
   */
  readonly zones?: readonly string[];
  /** The prefix of the instance size labels of the NodePool's nodes. */
  readonly labelPrefix?: string;
  /** Whether the cluster is new enough for image volumes. */
  readonly imageVolumes: boolean;
  /** Gives the pods the shape of a workload's. */
  readonly reshape?: (template: PodTemplate) => PodTemplate;
}

type PodTemplate = ReturnType<typeof podTemplate>;
export type DeploymentManifest = ReturnType<typeof pauseDeployment>;

/** The complete pause-pod Deployment of one NodePool; Headstart always applies all of it. */
export function pauseDeployment(content: HeadroomContent) {
  const { pool, namespace, replicas, annotations } = content;
  const labels = { [MANAGED_BY_LABEL]: MANAGED_BY, [HEADROOM_LABEL]: pool.name };
  const plain = podTemplate(content, labels);
  const template = content.reshape?.(plain) ?? plain;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: headroomName(pool.name),
      namespace,
      labels,
      annotations: { ...annotations, [ANNOTATIONS.template]: hashText(JSON.stringify(template)) },
    },
    spec: {
      replicas,
      revisionHistoryLimit: 1,
      selector: { matchLabels: { [HEADROOM_LABEL]: pool.name } },
      // Old pods go first, all at once: a template change must never double the headroom.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '100%' } },
      template,
    },
  };
}

function podTemplate(content: HeadroomContent, labels: Record<string, string>) {
  const { pool, defaultTolerations } = content;
  const { imagePullSecrets = [], podAnnotations } = pool;
  const tolerations = [...(pool.tolerations ?? defaultTolerations)];
  const images = content.imageVolumes ? pool.warmImages : [];
  return {
    metadata: { labels: { ...pool.podLabels, ...labels }, ...(podAnnotations && { annotations: podAnnotations }) },
    spec: {
      priorityClassName: priorityClassName(content.namespace),
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65535,
        runAsGroup: 65535,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      ...(Object.keys(pool.nodeSelector).length > 0 && { nodeSelector: pool.nodeSelector }),
      ...affinity(content),
      ...(pool.spreadZones && { topologySpreadConstraints: [zoneSpread(pool)] }),
      ...(tolerations.length > 0 && { tolerations }),
      ...(imagePullSecrets.length > 0 && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
      containers: [
        {
          name: 'pause',
          image: pool.image,
          resources: resourcesOf(pool),
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          ...(images.length > 0 && {
            volumeMounts: images.map((_, i) => ({ name: `warm-${i}`, mountPath: `/warm/${i}`, readOnly: true })),
          }),
        },
      ],
      ...(images.length > 0 && {
        volumes: images.map((reference, i) => ({
          name: `warm-${i}`,
          image: { reference, pullPolicy: 'IfNotPresent' },
        })),
      }),
    },
  };
}

/** A floor pod requests nothing, so it fits on a full node and work never has to preempt it. */
function resourcesOf({ unit }: HeadroomConfig) {
  if (unit.kind === 'floor') return {};
  // Kubernetes requires limits for extended resources (such as GPUs) and huge pages, equal to the requests.
  const extended = Object.entries(unit.requests).filter(([name]) => /\/|^hugepages-/.test(name));
  return { requests: unit.requests, ...(extended.length > 0 && { limits: Object.fromEntries(extended) }) };
}

/** The node affinity of the headroom's pods. */
export function nodeExpressions(
  pool: HeadroomConfig,
  { labelPrefix = DEFAULT_LABEL_PREFIX, zones }: Pick<HeadroomContent, 'labelPrefix' | 'zones'>,
): MatchExpression[] {
  return [...pool.nodeAffinity, ...minNodeExpressions(pool, labelPrefix), ...zoneExpressions(pool, zones)];
}

function affinity(content: HeadroomContent) {
  const { pool } = content;
  const expressions = nodeExpressions(pool, content).map(({ values, ...rest }) => ({
    ...rest,
    ...(values && { values: [...values] }),
  }));
  const own = { matchLabels: { [HEADROOM_LABEL]: pool.name } };
  const node = expressions.length > 0 && {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: expressions }] },
    },
  };
  const apart = pool.unit.kind !== 'slice' && {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname', labelSelector: own }],
    },
  };
  return node || apart ? { affinity: { ...node, ...apart } } : {};
}

/** `Gt` is strict, so "at least 4" is "greater than 3". */
function minNodeExpressions({ minNode }: HeadroomConfig, prefix: string): MatchExpression[] {
  const { cpu, memoryMiB, gpus } = minNode ?? {};
  const atLeast = (key: string, value: number | undefined): MatchExpression[] =>
    value === undefined || value < 1 ? [] : [{ key, operator: 'Gt', values: [String(value - 1)] }];
  return [
    ...atLeast(`${prefix}${CPU_LABEL}`, cpu),
    ...atLeast(`${prefix}${MEMORY_LABEL}`, memoryMiB),
    ...atLeast(`${prefix}${GPU_LABEL}`, gpus),
  ];
}

function zoneExpressions({ spreadZones }: HeadroomConfig, zones: readonly string[] | undefined): MatchExpression[] {
  return spreadZones && zones ? [{ key: ZONE_LABEL, operator: 'In', values: [...zones].sort() }] : [];
}

function zoneSpread(pool: HeadroomConfig) {
  return {
    maxSkew: 1,
    topologyKey: ZONE_LABEL,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { [HEADROOM_LABEL]: pool.name } },
    matchLabelKeys: ['pod-template-hash'],
  };
}
