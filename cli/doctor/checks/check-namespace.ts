import { headroomName } from '../../../shared/core/basics/names';
import { parseQuantity } from '../../../shared/core/config/schema/quantity';
import { NETWORK_POLICY_NAME } from '../../../shared/core/manifests/cluster-object-manifests';
import { readOr } from '../../kube/read';
import type { KubeFacts } from '../facts/read-cluster-facts';
import { plannedPeak } from './check-node-pools';
import { type Context, error, type Findings, warning } from './finding';

/** Nothing else in the namespace may hold back or scale pause pods. */
export function* checkNamespace(facts: KubeFacts, context: Context): Findings {
  const { headstart, kubectl, deploy, deployAfresh } = context.commands;
  const { namespace: name } = context.config.cluster;
  const about = `namespace ${name}`;
  const { namespace, autoscalers, budgets, networkPolicies } = facts;
  if (namespace.ok && !namespace.value)
    return yield error(
      about,
      'does not exist',
      `GET /api/v1/namespaces/${name} returns 404`,
      `run ${deploy()} to create it`,
    );
  for (const [label, value] of Object.entries(readOr(namespace, undefined)?.labels ?? {}))
    if (label.startsWith('kueue.x-k8s.io/') || label.startsWith('kueue-'))
      yield warning(
        about,
        'is managed by Kueue, which holds back pods without a queue',
        `label ${label}=${value}`,
        `run ${kubectl('label', 'namespace', name, `${label}-`)}`,
      );
  const ours = context.config.headrooms.map((pool) => headroomName(pool.name));
  for (const { name: hpa, target } of readOr(autoscalers, []))
    if (target.kind === 'Deployment' && ours.includes(target.name))
      yield error(
        `Deployment ${target.name}`,
        'is also scaled by a HorizontalPodAutoscaler (KEDA creates one too)',
        `HorizontalPodAutoscaler ${hpa} targets it`,
        `run ${kubectl('-n', name, 'delete', 'hpa', hpa)} (with KEDA, delete its ScaledObject; ${headstart('import', 'keda', 'FILE')} converts it)`,
      );
  for (const { name: budget } of readOr(budgets, []))
    yield warning(
      about,
      'has a PodDisruptionBudget, which keeps Karpenter from draining nodes with pause pods',
      `PodDisruptionBudget ${budget}`,
      `run ${kubectl('-n', name, 'delete', 'poddisruptionbudget', budget)}`,
    );
  if (networkPolicies.ok && !networkPolicies.value.some((policy) => policy.name === NETWORK_POLICY_NAME))
    yield warning(
      about,
      'does not keep its pods from using the network',
      `no NetworkPolicy ${NETWORK_POLICY_NAME}`,
      `run ${deployAfresh()} to create it; with access: manual, apply the manifests again`,
    );
  yield* checkQuotas(facts, context);
}

function* checkQuotas(facts: KubeFacts, { config: { cluster, headrooms }, commands }: Context): Findings {
  const needed = (resource: string) =>
    headrooms.reduce((sum, pool) => {
      const each = resource === 'pods' ? 1 : (parseQuantity(pool.unit.requests[resource] ?? '') ?? 0);
      return sum + plannedPeak(pool, facts) * each;
    }, 0);
  for (const { name, hard } of readOr(facts.quotas, []))
    for (const [key, limit] of Object.entries(hard)) {
      const wanted = needed(key.replace(/^(requests\.|count\/)/, ''));
      if (wanted > (parseQuantity(limit) ?? Number.POSITIVE_INFINITY))
        yield error(
          `namespace ${cluster.namespace}`,
          'has a quota below the planned peaks',
          `ResourceQuota ${name}: ${key} ${limit}, the peaks need ${wanted}`,
          `raise it, or run ${commands.kubectl('-n', cluster.namespace, 'delete', 'resourcequota', name)}`,
        );
    }
}
