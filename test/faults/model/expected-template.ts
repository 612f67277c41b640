import type { Deployment } from '../../../lab/simulator/kube/object-types';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import type { ModelledPool } from './expected-like';

/** What the cluster adds to a pool's config. */
export interface Needs {
  /** The zones that the NodePool is limited to. */
  readonly zones?: readonly string[] | undefined;
  /** The API group of its node class. */
  readonly labelPrefix: string;
  /** Whether the cluster knows image volumes. */
  readonly imageVolumes: boolean;
}

const ZONE = 'topology.kubernetes.io/zone';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** The Deployment of a pool as the API shows it, without its size and without tolerations. */
export function expectedSpec(pool: ModelledPool, needs: Needs): object {
  const own = { 'headstart.dev/headroom': pool.name };
  const labels = { 'app.kubernetes.io/managed-by': 'headstart', ...own };
  const images = needs.imageVolumes ? pool.warmImages : [];
  const volume = (index: number) => `warm-${index}`;
  const spread = { maxSkew: 1, topologyKey: ZONE, ...pool.placed?.spreads?.[0], whenUnsatisfiable: 'DoNotSchedule' };
  const secrets = (pool.imagePullSecrets ?? []).map((name) => ({ name }));
  const mounts = images.map((_, index) => ({ name: volume(index), mountPath: `/warm/${index}`, readOnly: true }));
  const volumes = images.map((reference, index) => ({
    name: volume(index),
    image: { reference, pullPolicy: 'IfNotPresent' },
  }));
  return {
    revisionHistoryLimit: 1,
    selector: { matchLabels: own },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '100%' } },
    labels,
    podLabels: { ...pool.podLabels, ...labels },
    podAnnotations: pool.podAnnotations,
    pod: {
      priorityClassName: 'headstart-headroom',
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65535,
        runAsGroup: 65535,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      nodeSelector: { ...pool.nodeSelector, 'karpenter.sh/nodepool': pool.nodePool },
      affinity: expectedAffinity(pool, needs, own),
      topologySpreadConstraints: pool.spreadZones
        ? [{ ...spread, labelSelector: { matchLabels: own }, matchLabelKeys: ['pod-template-hash'] }]
        : undefined,
      imagePullSecrets: secrets.length > 0 ? secrets : undefined,
      volumes: volumes.length > 0 ? volumes : undefined,
    },
    container: {
      name: 'pause',
      image: pool.image,
      resources: expectedResources(pool),
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      volumeMounts: mounts.length > 0 ? mounts : undefined,
    },
  };
}

function expectedAffinity({ unit, nodeAffinity, minNode, spreadZones }: HeadroomConfig, needs: Needs, own: object) {
  const more = (what: string, least: number | undefined) =>
    least ? [{ key: `${needs.labelPrefix}/instance-${what}`, operator: 'Gt', values: [`${least - 1}`] }] : [];
  const expressions = [
    ...nodeAffinity,
    ...more('cpu', minNode?.cpu),
    ...more('memory', minNode?.memoryMiB),
    ...(spreadZones && needs.zones ? [{ key: ZONE, operator: 'In', values: needs.zones.toSorted() }] : []),
  ];
  const hostname = [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: own } }];
  const nodeAffinityTerms = { nodeSelectorTerms: [{ matchExpressions: expressions }] };
  const parts = {
    ...(expressions.length > 0 && { nodeAffinity: { [REQUIRED]: nodeAffinityTerms } }),
    ...(unit.kind !== 'slice' && { podAntiAffinity: { [REQUIRED]: hostname } }),
  };
  return Object.keys(parts).length > 0 ? parts : undefined;
}

/** Only the one extended resource of these configs has a limit. */
function expectedResources({ unit }: HeadroomConfig): object {
  if (unit.kind === 'floor') return {};
  const gpu = unit.requests['nvidia.com/gpu'];
  return { requests: unit.requests, limits: gpu === undefined ? undefined : { 'nvidia.com/gpu': gpu } };
}

/** What a headroom was written for: while a NodePool or the version cannot be read, what was known before stands. */
export function needsIn({ spec }: Deployment): Needs {
  const { affinity, volumes } = spec.template.spec as unknown as PodParts;
  const expressions = affinity?.nodeAffinity?.[REQUIRED].nodeSelectorTerms[0]?.matchExpressions ?? [];
  const [, labelPrefix] = /^(.*)\/instance-(?:cpu|memory)$/.exec(expressions.find(isSize)?.key ?? '') ?? [];
  return {
    zones: expressions.find(({ key }) => key === ZONE)?.values,
    labelPrefix: labelPrefix ?? 'karpenter.k8s.aws',
    imageVolumes: volumes !== undefined,
  };
}

function isSize({ key }: { readonly key: string }): boolean {
  return key.includes('/instance-');
}

interface PodParts {
  readonly volumes?: unknown;
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly [REQUIRED]: {
        readonly nodeSelectorTerms: readonly {
          readonly matchExpressions: readonly { readonly key: string; readonly values?: readonly string[] }[];
        }[];
      };
    };
  };
}

/** The same parts of a live Deployment. */
export function specOf({ metadata, spec }: Deployment): object {
  const { revisionHistoryLimit, selector, strategy, template } = spec as unknown as Spec;
  const { containers, tolerations: _taints, ...pod } = template.spec;
  const { dnsPolicy: _dns, restartPolicy: _restart, schedulerName: _scheduler, ...own } = pod;
  const {
    imagePullPolicy: _pull,
    terminationMessagePath: _path,
    terminationMessagePolicy: _policy,
    ...container
  } = containers[0] ?? {};
  return {
    revisionHistoryLimit,
    selector,
    strategy,
    labels: metadata.labels,
    podLabels: template.metadata.labels,
    podAnnotations: template.metadata.annotations,
    pod: own,
    container,
  };
}

interface Spec {
  readonly revisionHistoryLimit: unknown;
  readonly selector: unknown;
  readonly strategy: unknown;
  readonly template: {
    readonly metadata: { readonly labels: unknown; readonly annotations?: unknown };
    readonly spec: Readonly<Record<string, unknown>> & {
      readonly containers: readonly Readonly<Record<string, unknown>>[];
    };
  };
}
