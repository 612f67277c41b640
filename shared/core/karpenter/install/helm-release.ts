import { isObject } from '../../basics/json';
import { KARPENTER_NODEPOOL_LABEL } from '../../basics/names';
import type { KarpenterSettings } from './karpenter-settings';

export interface HelmRelease {
  readonly release: string;
  readonly chart: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** The controller's own chart contains the CRDs too, but Helm never upgrades those. */
  readonly skipCrds: boolean;
}

/** Values that are known only at deploy. */
export interface HelmFacts {
  /** Set for IRSA only: Pod Identity needs no annotation. */
  readonly controllerRoleArn?: string;
  readonly queueName?: string;
  /** Account, region and stack, if a stack runs Helm; an annotation of the controller's Deployment. */
  readonly installedBy?: string;
}

/** A stack recognises its own release by this annotation, even after a deploy was rolled back. */
export const INSTALLED_BY = 'headstart.dev/installed-by';

/** The CRDs as a release of their own, so that they are upgraded too, then the controller. */
export function helmReleases(settings: KarpenterSettings, facts: HelmFacts): readonly [HelmRelease, HelmRelease] {
  const { repository } = settings.helm;
  return [
    { release: 'karpenter-crd', chart: `${repository}/karpenter-crd`, values: {}, skipCrds: false },
    {
      release: 'karpenter',
      chart: `${repository}/karpenter`,
      values: overlaid(controllerValues(settings, facts), settings.helm.values),
      skipCrds: true,
    },
  ];
}

/** The same releases as commands for a shell with helm and access to the cluster. */
export function helmCommands(settings: KarpenterSettings, facts: HelmFacts): readonly string[] {
  return helmReleases(settings, facts).map(({ release, chart, values, skipCrds }) => {
    const set = Object.entries(values).map(([key, value]) => `--set-json '${key}=${inQuotes(JSON.stringify(value))}'`);
    return [
      `helm upgrade --install ${release} ${chart} --version ${settings.version}`,
      `--namespace ${settings.namespace} --create-namespace`,
      ...(skipCrds ? ['--skip-crds'] : []),
      ...set,
      '--wait',
    ].join(' ');
  });
}

function inQuotes(text: string): string {
  return text.replaceAll("'", "'\\''");
}

type Values = Readonly<Record<string, unknown>>;

/** Merges values as Helm does: maps by key, everything else is replaced. A null stays, and Helm removes the key. */
function overlaid(base: Values, over: Values): Values {
  const merged = Object.entries(over).map(([key, value]) => {
    const below = base[key];
    return [key, isObject(below) && isObject(value) ? overlaid(below, value) : value];
  });
  return { ...base, ...Object.fromEntries(merged) };
}

/**
 * The controller must not run on nodes that it launched: it could not replace a lost one. Both conditions are in one
 * term, because terms are alternatives, while all conditions of a term must hold.
 */
function controllerValues(
  settings: KarpenterSettings,
  { controllerRoleArn, queueName, installedBy }: HelmFacts,
): Values {
  const { nodeGroup } = settings.helm;
  const resources = { cpu: '1', memory: '1Gi' };
  return {
    replicas: 2,
    serviceAccount: {
      name: settings.serviceAccount,
      annotations: controllerRoleArn === undefined ? {} : { 'eks.amazonaws.com/role-arn': controllerRoleArn },
    },
    settings: {
      clusterName: settings.clusterName,
      interruptionQueue: queueName ?? '',
      enableZonalShift: settings.zonalShift,
    },
    controller: { resources: { requests: resources, limits: resources } },
    ...(installedBy !== undefined && { additionalAnnotations: { [INSTALLED_BY]: installedBy } }),
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
