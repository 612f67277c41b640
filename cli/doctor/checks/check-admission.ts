import type { Config } from '../../../shared/core/config/config';
import type { Read } from '../../kube/read';
import type { Admission } from '../facts/read-admission';
import type { KubeFacts } from '../facts/read-cluster-facts';
import { type Context, error, type Findings, note } from './finding';

/** Policies, webhooks and quotas must let the pause pods pass; otherwise no node comes, and nothing else says why. */
export function* checkAdmission({ admissions }: KubeFacts, { config }: Context): Findings {
  for (const [why, nodePools] of byReason(admissions, 'refused'))
    yield error(aboutPods(nodePools), 'are refused by the cluster', why, fixOf(nodePools, config));
  for (const [why, nodePools] of byReason(admissions, 'no dry run'))
    yield note(
      aboutPods(nodePools),
      'could not be tried: a webhook does not support dry runs',
      why,
      `read the webhook's rules, or look at \`kubectl -n ${config.cluster.namespace} get events\` after the deploy`,
    );
}

/** Why nothing can be said: the person's own missing right is no fault of the cluster. */
export function unreadAdmission({ admissions }: KubeFacts, { config: { cluster } }: Context): Read<unknown> {
  const missing = admissions.find(({ result }) => result === 'not allowed');
  const why = missing
    ? `your credentials may not create pods in ${cluster.namespace} (${missing.why})`
    : admissions.find(({ result }) => result === 'unread')?.why;
  return why === undefined ? { ok: true, value: undefined } : { ok: false, why, notFound: false };
}

function fixOf(nodePools: readonly string[], { headrooms: pools, cluster }: Config): string {
  const exempt = `exempt the namespace ${cluster.namespace} from the policy`;
  const isFloor = pools.some(({ name, unit }) => nodePools.includes(name) && unit.kind === 'floor');
  const demands = 'write what it demands as podLabels, podAnnotations or imagePullSecrets, or ';
  return `${demands}${exempt}${isFloor ? '; a floor pod has no requests, so a policy that demands them needs the exemption' : ''}`;
}

/** NodePools by the text of the answer, without the generated name in it. */
function byReason(admissions: readonly Admission[], result: Admission['result']) {
  const found = new Map<string, string[]>();
  for (const { headroom, why, result: own } of admissions) {
    if (own !== result) continue;
    const text = why.replaceAll(`headroom-${headroom}-`, 'headroom-…');
    found.set(text, [...(found.get(text) ?? []), headroom]);
  }
  return found;
}

function aboutPods(nodePools: readonly string[]): string {
  return `pause pods of ${nodePools.join(', ')}`;
}
