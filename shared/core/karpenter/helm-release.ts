import { KARPENTER_NODEPOOL_LABEL } from '../basics/names';
import type { KarpenterSettings } from './karpenter-settings';

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
  /** Account, region and stack, where a stack runs Helm; it stands on the controller's Deployment. */
  readonly installedBy?: string;
}

/** By this annotation a stack knows its own release, also when the deploy that brought it was rolled back. */
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

/** The rest of a text in single quotes, as a shell reads it. */
function inQuotes(text: string): string {
  return text.replaceAll("'", "'\\''");
}

type Values = Readonly<Record<string, unknown>>;

/** As Helm lays one values file over another: maps merge by key, everything else is replaced, and null takes out. */
function overlaid(base: Values, over: Values): Values {
  const merged = Object.entries(over).map(([key, value]) => {
    const below = base[key];
    return [key, isMap(below) && isMap(value) ? overlaid(below, value) : value];
  });
  return { ...base, ...Object.fromEntries(merged) };
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The controller must not run on nodes that it made: it could not bring back the
 * node that it has lost. Both conditions stand in one term, because terms are
 * alternatives and conditions within a term all hold.
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
