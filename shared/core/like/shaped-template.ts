import { HEADROOM_LABEL } from '../basics/names';
import type { HeadroomConfig, MatchExpression, Toleration } from '../config/config';
import type { DeploymentManifest } from '../manifests/pause-deployment';
import { mustBeLimited, type Shape, type Spread } from './shape';
import type { NodeTerm } from './workload';

export type Template = DeploymentManifest['spec']['template'];

/** The pause pods' template with what the workload's pods need of their nodes. */
export function shapedTemplate(template: Template, shape: Shape, pool: HeadroomConfig): Template {
  const { spec } = template;
  const { nodeSelector, terms, tolerations, spreads = [] } = shape;
  const own = { matchLabels: { [HEADROOM_LABEL]: pool.name } };
  const ours = (spec.topologySpreadConstraints ?? []).filter(
    ({ topologyKey }) => !spreads.some((one) => one.topologyKey === topologyKey),
  );
  const constraints = [...spreads.map((one) => spreadOf(one, own)), ...ours];
  const tolerated = uniqueTolerations([...(spec.tolerations ?? []), ...(tolerations ?? [])]);
  return {
    ...template,
    spec: {
      ...spec,
      ...(nodeSelector && { nodeSelector: { ...nodeSelector, ...spec.nodeSelector } }),
      ...(terms && { affinity: { ...spec.affinity, ...withTerms(spec.affinity, terms) } }),
      ...(constraints.length > 0 && { topologySpreadConstraints: constraints }),
      ...(tolerated.length > 0 && { tolerations: tolerated }),
      containers: spec.containers.map((container) => ({ ...container, resources: resourcesOf(pool) })),
    },
  } as Template;
}

function resourcesOf({ unit: { requests } }: HeadroomConfig) {
  const limits = Object.entries(requests).filter(([name]) => mustBeLimited(name));
  return { requests, ...(limits.length > 0 && { limits: Object.fromEntries(limits) }) };
}

/** Every alternative gets our own expressions too. */
function withTerms(affinity: Template['spec']['affinity'], terms: readonly NodeTerm[]) {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const ours: readonly MatchExpression[] = required ? (required.nodeSelectorTerms[0]?.matchExpressions ?? []) : [];
  const nodeSelectorTerms = terms.map(({ matchExpressions = [], ...rest }) => {
    const all = [...matchExpressions, ...ours];
    return { ...(all.length > 0 && { matchExpressions: all }), ...rest };
  });
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
}

/** The same rule for the pause pods, among themselves and in each revision of their template. */
function spreadOf(spread: Spread, labelSelector: object) {
  const hard = { ...spread, whenUnsatisfiable: 'DoNotSchedule', labelSelector };
  return { ...hard, matchLabelKeys: ['pod-template-hash'] };
}

function uniqueTolerations(tolerations: readonly Toleration[]): Toleration[] {
  return [...new Map(tolerations.map((one) => [textOf(one), one])).values()];
}

function textOf({ key, operator = 'Equal', value, effect, tolerationSeconds }: Toleration): string {
  return JSON.stringify([key, operator, value, effect, tolerationSeconds]);
}
