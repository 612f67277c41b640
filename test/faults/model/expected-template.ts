import type { NodePoolConfig } from '../../../shared/core/config/config';
import type { Deployment } from '../../../simulator/kube/objects';

/** The Deployment of a pool as the API shows it, without its size and without the NodePool's own taints. */
export function expectedSpec({ name, unit, image }: NodePoolConfig): object {
  const own = { 'headstart.dev/nodepool': name };
  const hostname = [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: own } }];
  const cpu = { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['3'] };
  const terms = { nodeSelectorTerms: [{ matchExpressions: [cpu] }] };
  const labels = { 'app.kubernetes.io/managed-by': 'headstart', ...own };
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  return {
    revisionHistoryLimit: 1,
    selector: { matchLabels: own },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '100%' } },
    labels,
    podLabels: labels,
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
      nodeSelector: { 'karpenter.sh/nodepool': name },
      affinity: {
        slice: undefined,
        node: { podAntiAffinity: { [required]: hostname } },
        floor: { nodeAffinity: { [required]: terms }, podAntiAffinity: { [required]: hostname } },
      }[unit.kind],
    },
    container: {
      name: 'pause',
      image,
      resources: unit.kind === 'floor' ? {} : { requests: { cpu: cpuOf(unit.requests) } },
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    },
  };
}

/** Every room in these configs asks for CPU only. */
function cpuOf(requests: Readonly<Record<string, string>>): string | undefined {
  return requests.cpu;
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
    pod: own,
    container,
  };
}

interface Spec {
  readonly revisionHistoryLimit: unknown;
  readonly selector: unknown;
  readonly strategy: unknown;
  readonly template: {
    readonly metadata: { readonly labels: unknown };
    readonly spec: Readonly<Record<string, unknown>> & {
      readonly containers: readonly Readonly<Record<string, unknown>>[];
    };
  };
}
