import { headroomName } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { parseQuantity } from '../../../shared/core/config/schema/quantity';
import { NETWORK_POLICY_NAME } from '../../../shared/core/manifests/cluster-objects';
import type { Commands } from '../../input/commands';
import type { KubeFacts } from '../facts/kube-facts';
import { plannedPeak } from './check-node-pools';
import type { Finding } from './finding';

/** Nothing else in the namespace may hold back or scale pause pods. */
export function checkNamespace(facts: KubeFacts, config: Config, commands: Commands): Finding[] {
  const { headstart, kubectl, deploy, deployAfresh } = commands;
  const { namespace: name } = config.cluster;
  const about = `namespace ${name}`;
  const { namespace, autoscalers, budgets, networkPolicies } = facts;
  const found: Finding[] = [];
  if (namespace.ok && !namespace.value)
    return [
      {
        severity: 'error',
        about,
        problem: 'does not exist',
        evidence: `GET /api/v1/namespaces/${name} returns 404`,
        fix: `run ${deploy()} to create it`,
      },
    ];
  const labels = namespace.ok ? (namespace.value?.labels ?? {}) : {};
  for (const [label, value] of Object.entries(labels)) {
    if (label.startsWith('kueue.x-k8s.io/') || label.startsWith('kueue-'))
      found.push({
        severity: 'warning',
        about,
        problem: 'is managed by Kueue, which holds back pods without a queue',
        evidence: `label ${label}=${value}`,
        fix: `run ${kubectl('label', 'namespace', name, `${label}-`)}`,
      });
  }
  if (autoscalers.ok) {
    const ours = new Set(config.nodePools.map((pool) => headroomName(pool.name)));
    const onOurs = autoscalers.value.filter(({ target }) => target.kind === 'Deployment' && ours.has(target.name));
    for (const { name: hpa, target } of onOurs)
      found.push({
        severity: 'error',
        about: `Deployment ${target.name}`,
        problem: 'is also scaled by a HorizontalPodAutoscaler (KEDA creates one too)',
        evidence: `HorizontalPodAutoscaler ${hpa} targets it`,
        fix: `run ${kubectl('-n', name, 'delete', 'hpa', hpa)} (with KEDA, delete its ScaledObject; ${headstart('import', 'keda', 'FILE')} converts it)`,
      });
  }
  if (budgets.ok)
    for (const { name: budget } of budgets.value)
      found.push({
        severity: 'warning',
        about,
        problem: 'has a PodDisruptionBudget, which keeps Karpenter from draining nodes with pause pods',
        evidence: `PodDisruptionBudget ${budget}`,
        fix: `run ${kubectl('-n', name, 'delete', 'poddisruptionbudget', budget)}`,
      });
  if (networkPolicies.ok && !networkPolicies.value.some((policy) => policy.name === NETWORK_POLICY_NAME))
    found.push({
      severity: 'warning',
      about,
      problem: 'does not keep its pods from using the network',
      evidence: `no NetworkPolicy ${NETWORK_POLICY_NAME}`,
      fix: `run ${deployAfresh()} to create it; with access: manual, apply the manifests again`,
    });
  return [...found, ...quotaFindings(facts, config, commands)];
}

function quotaFindings(facts: KubeFacts, { nodePools, cluster }: Config, { kubectl }: Commands): Finding[] {
  const { quotas } = facts;
  if (!quotas.ok) return [];
  const needed = (resource: string) =>
    nodePools.reduce((sum, pool) => {
      const each = resource === 'pods' ? 1 : (parseQuantity(pool.unit.requests[resource] ?? '') ?? 0);
      return sum + plannedPeak(pool, facts) * each;
    }, 0);
  return quotas.value.flatMap(({ name, hard }) =>
    Object.entries(hard).flatMap(([key, limit]): Finding[] => {
      const most = parseQuantity(limit);
      const wanted = needed(key.replace(/^(requests\.|count\/)/, ''));
      if (most === undefined || wanted <= most) return [];
      return [
        {
          severity: 'error',
          about: `namespace ${cluster.namespace}`,
          problem: 'has a quota below the planned peaks',
          evidence: `ResourceQuota ${name}: ${key} ${limit}, the peaks need ${wanted}`,
          fix: `raise it, or run ${kubectl('-n', cluster.namespace, 'delete', 'resourcequota', name)}`,
        },
      ];
    }),
  );
}
