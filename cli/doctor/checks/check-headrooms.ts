import { headroomName, MANAGED_BY, MANAGED_BY_LABEL } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { causeText, whyMissing } from '../../../shared/core/karpenter/why-missing';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { readRecord } from '../../../shared/core/record/record-codec';
import { count } from '../../../shared/drawing/amounts';
import type { Commands } from '../../input/commands';
import type { HeadroomFacts, KubeFacts } from '../facts/kube-facts';
import type { Finding } from './finding';

/** Field managers of GitOps tools, which reset objects to what is in their repository. */
const GITOPS = /argocd|argo-cd|flux|kustomize-controller|helm-controller|fleet/i;

/** Each headroom Deployment must exist, belong to Headstart alone, and have a readable record and all its pods. */
export function checkHeadrooms(
  facts: KubeFacts,
  { nodePools, cluster }: Config,
  { now, commands }: { readonly now: number; readonly commands: Commands },
): Finding[] {
  const { headrooms, capacity } = facts;
  const pending = capacity.flatMap((one) => {
    const pool = nodePools.find(({ name }) => name === one.nodePool);
    const waiting = one.pods.filter(({ ready }) => !ready).length;
    if (waiting === 0) return [];
    const why = whyMissing(one, pool, now).map(causeText);
    return why.length === 0 ? [] : [pendingFinding(one.nodePool, { waiting, why }, commands)];
  });
  if (!headrooms.ok) return pending;
  const found = nodePools.flatMap(({ name }) => {
    const live = headrooms.value.find((one) => one.name === headroomName(name));
    return live
      ? checkHeadroom(live, { nodePool: name, namespace: cluster.namespace }, commands)
      : [missing(name, commands)];
  });
  return [...found, ...pending];
}

function missing(nodePool: string, { deploy }: Commands): Finding {
  return {
    severity: 'error',
    about: `headroom of ${nodePool}`,
    problem: 'does not exist',
    evidence: `there is no Deployment ${headroomName(nodePool)}`,
    fix: `run ${deploy()}`,
  };
}

function checkHeadroom(
  live: HeadroomFacts,
  { nodePool, namespace }: { readonly nodePool: string; readonly namespace: string },
  { kubectl, headstart }: Commands,
): Finding[] {
  const about = `Deployment ${live.name}`;
  const found: Finding[] = [];
  if (live.labels[MANAGED_BY_LABEL] !== MANAGED_BY)
    found.push({
      severity: 'error',
      about,
      problem: 'does not carry the Headstart label, so Headstart does not change it',
      evidence: `labels ${JSON.stringify(live.labels)}`,
      fix: `run ${kubectl('-n', namespace, 'delete', 'deployment', live.name)}; Headstart creates its own`,
    });
  const gitops = live.replicasOwners.filter((manager) => GITOPS.test(manager));
  if (gitops.length > 0)
    found.push({
      severity: 'error',
      about,
      problem: 'is also managed by a GitOps tool, which resets its size',
      evidence: `spec.replicas is owned by ${gitops.join(', ')}`,
      fix: `remove ${live.name} from the repository, or make the tool ignore its /spec/replicas`,
    });
  const queue = Object.keys(live.labels).find((label) => label.startsWith('kueue.x-k8s.io/'));
  if (queue !== undefined)
    found.push({
      severity: 'error',
      about,
      problem: 'has a label of Kueue, which holds its pods back',
      evidence: `label ${queue}`,
      fix: `run ${kubectl('-n', namespace, 'label', 'deployment', live.name, `${queue}-`)}`,
    });
  const { quarantined } = readRecord(live.annotations[ANNOTATIONS.record]);
  const broken = quarantined ?? live.annotations[ANNOTATIONS.quarantined];
  if (broken !== undefined)
    found.push({
      severity: 'warning',
      about,
      problem: 'has a record that cannot be read, so it does not shrink',
      evidence: broken,
      fix: `run ${headstart('release', nodePool)} to clear it`,
    });
  return found;
}

function pendingFinding(
  nodePool: string,
  { waiting, why }: { readonly waiting: number; readonly why: readonly string[] },
  { kubectl, headstart }: Commands,
): Finding {
  return {
    severity: 'warning',
    about: `headroom of ${nodePool}`,
    problem: `has ${count(waiting, 'pause pod')} not running`,
    evidence: why.join('; '),
    fix: `run ${kubectl('get', 'nodeclaims', '-l', `karpenter.sh/nodepool=${nodePool}`)}, and ${headstart('status', nodePool, '--watch')}`,
  };
}
