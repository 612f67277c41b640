import { KARPENTER_NODEPOOL_LABEL } from '../basics/names';
import type { KarpenterPlan } from './karpenter-plan';

/** One Helm release of Karpenter. */
export interface HelmRelease {
  readonly release: string;
  readonly chart: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** The controller's own chart brings CRDs too, but never upgrades them. */
  readonly skipCrds: boolean;
}

/** What only the deploy knows. */
export interface HelmFacts {
  /** Given for IRSA only: Pod Identity needs no annotation. */
  readonly controllerRoleArn?: string;
  readonly queueName?: string;
}

/** The CRDs as a release of their own, so that they are upgraded too, then the controller. */
export function helmReleases(plan: KarpenterPlan, facts: HelmFacts): readonly [HelmRelease, HelmRelease] {
  const { repository } = plan.helm;
  return [
    { release: 'karpenter-crd', chart: `${repository}/karpenter-crd`, values: {}, skipCrds: false },
    { release: 'karpenter', chart: `${repository}/karpenter`, values: controllerValues(plan, facts), skipCrds: true },
  ];
}

/** The same releases as commands for a shell with helm and access to the cluster. */
export function helmCommands(plan: KarpenterPlan, facts: HelmFacts): readonly string[] {
  return helmReleases(plan, facts).map(({ release, chart, values, skipCrds }) => {
    const set = Object.entries(values).map(([key, value]) => `--set-json '${key}=${JSON.stringify(value)}'`);
    return [
      `helm upgrade --install ${release} ${chart} --version ${plan.version}`,
      `--namespace ${plan.namespace} --create-namespace`,
      ...(skipCrds ? ['--skip-crds'] : []),
      ...set,
      '--wait',
    ].join(' ');
  });
}

/**
 * The controller must not run on nodes that it made: it could not bring back the
 * node that it has lost. Both conditions stand in one term, because terms are
 * alternatives and conditions within a term all hold.
 */
function controllerValues(plan: KarpenterPlan, { controllerRoleArn, queueName }: HelmFacts) {
  const { nodeGroup } = plan.helm;
  const resources = { cpu: '1', memory: '1Gi' };
  return {
    replicas: 2,
    serviceAccount: {
      name: plan.serviceAccount,
      annotations: controllerRoleArn === undefined ? {} : { 'eks.amazonaws.com/role-arn': controllerRoleArn },
    },
    settings: {
      clusterName: plan.clusterName,
      interruptionQueue: queueName ?? '',
      enableZonalShift: plan.zonalShift,
    },
    controller: { resources: { requests: resources, limits: resources } },
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: KARPENTER_NODEPOOL_LABEL, operator: 'DoesNotExist' },
                ...(nodeGroup === undefined
                  ? []
                  : [{ key: 'eks.amazonaws.com/nodegroup', operator: 'In', values: [nodeGroup] }]),
              ],
            },
          ],
        },
      },
    },
  };
}
