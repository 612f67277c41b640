import type { MatchExpression } from '../../../shared/core/config/config';
import { matchesExpression } from '../../../shared/core/karpenter/matches-expression';
import type { LikeHeadroom } from '../../../shared/core/like/keep-like';
import { podRequests } from '../../../shared/core/like/pod-requests';
import { quantityText } from '../../../shared/core/like/quantities';
import { HOST_LABEL, shapeOf } from '../../../shared/core/like/shape';
import type { PodSpec, PodTemplate } from '../../../shared/core/like/workload';
import { ZONE_LABEL } from '../../../shared/core/manifests/pause-deployment';
import { readOr } from '../../kube/read';
import type { KubeFacts } from '../facts/read-cluster-facts';
import type { LikeFacts } from '../facts/read-like';
import { type Context, error, type Findings, note, warning } from './finding';

/** Each workload must exist, have pods that land on the NodePool, and run pods that are as large as its template says. */
export function* checkLike({ like, nodePools }: KubeFacts, context: Context): Findings {
  for (const { pool, workload } of like) {
    const found = readOr(workload, undefined);
    const about = `headroom of ${pool.name}`;
    const name = `${pool.like.kind} ${pool.like.namespace}/${pool.like.name}`;
    if (!workload.ok) continue;
    if (!found) {
      yield error(about, 'is like a workload that does not exist', name, 'correct unit.like, or deploy the workload');
      continue;
    }
    const requirements = readOr(nodePools, []).find((one) => one.name === pool.nodePool)?.requirements ?? [];
    yield* checkShape(pool, found, requirements, { about, name, namespace: context.config.cluster.namespace });
  }
}

interface Named {
  readonly about: string;
  readonly name: string;
  readonly namespace: string;
}

type Found = NonNullable<Extract<LikeFacts['workload'], { ok: true }>['value']>;

function* checkShape(
  pool: LikeHeadroom,
  { object, pod }: Found,
  requirements: readonly MatchExpression[],
  { about, name, namespace }: Named,
): Findings {
  const { like, nodePool } = pool;
  const shaping = shapeOf(object, { like, namespace, nodePool });
  if ('problem' in shaping) {
    yield error(
      about,
      'is like a workload that gives no shape',
      `${name}: ${shaping.problem}`,
      'correct the workload, or unit.like',
    );
    return;
  }
  const template = object.spec?.template ?? {};
  for (const [key, value] of Object.entries(template.spec?.nodeSelector ?? {}))
    for (const { operator, values = [] } of requirements.filter((one) => one.key === key))
      if (!matchesExpression({ key, operator, values }, { [key]: value }))
        yield error(
          about,
          `cannot be provisioned: ${name} selects ${key} ${value}, NodePool ${nodePool} offers ${operator === 'In' ? values.join(', ') : `${operator} ${values.join(', ')}`}`,
          `the pod template's nodeSelector, and the NodePool's requirements`,
          `write the NodePool that ${name} runs on as nodePool of ${pool.name}`,
        );
  const added = pod?.spec ? addedTo(template.spec ?? {}, pod.spec) : '';
  if (added !== '')
    yield warning(
      about,
      'is smaller than the pods that run: what admission adds to them is not in their template',
      `pod ${pod?.metadata?.name} has ${added} more than the template of ${name}`,
      'add the requests to the template, or write the whole size as unit.slice',
    );
  const left = leftOut(template);
  if (left.length > 0)
    yield note(
      about,
      'leaves out a part of the pod template',
      `${name}: ${left.join(', ')}`,
      'nothing, unless these decide where its pods land',
    );
}

/** `cpu 100m, memory 128Mi (container istio-proxy)`: what a running pod requests on top of its template. */
function addedTo(template: PodSpec, running: PodSpec): string {
  const before = podRequests(template);
  const more = [...podRequests(running)].flatMap(([resource, amount]) => {
    const extra = amount - (before.get(resource) ?? 0n);
    return extra > 0n ? [`${resource} ${quantityText(resource, extra)}`] : [];
  });
  if (more.length === 0) return '';
  const names = (spec: PodSpec) => [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(nameOf);
  const injected = names(running).filter((one) => !names(template).includes(one));
  const containers = injected.length > 0 ? ` (container ${injected.join(', ')})` : '';
  return `${more.join(', ')}${containers}`;
}

function nameOf(container: object): string {
  return String((container as { readonly name?: string }).name);
}

/** What kube-scheduler looks at too, but pause pods do not take over. */
function leftOut({ spec = {} }: PodTemplate): readonly string[] {
  const { nodeAffinity, podAntiAffinity, podAffinity } = (spec.affinity ?? {}) as Readonly<Record<string, object>>;
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
  const spreads = spec.topologySpreadConstraints ?? [];
  return [
    ...(nodeAffinity && preferred in nodeAffinity ? ['preferred node affinity'] : []),
    ...(podAffinity ? ['pod affinity'] : []),
    ...(podAntiAffinity && preferred in podAntiAffinity ? ['preferred pod anti-affinity'] : []),
    ...(spreads.some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway')
      ? ['spreads that are not required']
      : []),
    ...(spreads.some(({ topologyKey = '' }) => ![ZONE_LABEL, HOST_LABEL].includes(topologyKey))
      ? ['spreads over other labels than zone and host']
      : []),
  ];
}
