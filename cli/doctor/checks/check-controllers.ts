import { KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { AUTO_MODE_GROUP } from '../../../shared/core/karpenter/auto-mode';
import type { Commands } from '../../input/commands';
import type { ControllerFacts, KubeFacts, NodePoolFacts } from '../facts/kube-facts';
import type { Finding } from './finding';

/** Karpenter must run, at a version with the v1 API; Cluster Autoscaler must not scale up for the headroom too. */
export function checkControllers(
  { karpenter, nodePools, clusterAutoscaler }: KubeFacts,
  config: Config,
  commands: Commands,
): Finding[] {
  const found: Finding[] = [];
  if (!nodePools.ok && nodePools.notFound)
    found.push({
      severity: 'error',
      about: 'Karpenter',
      problem: 'is not installed, or older than 1.0 and without the API karpenter.sh/v1',
      evidence: nodePools.why,
      fix: 'install Karpenter 1.0 or newer; the karpenter block of the config can do that',
    });
  if (config.karpenter?.manage && nodePools.ok && nodePools.value.length > 0 && nodePools.value.every(isOfAutoMode))
    found.push({
      severity: 'warning',
      about: 'EKS Auto Mode',
      problem: 'runs Karpenter for you, and the config asks for its prerequisites too',
      evidence: `every NodePool has a node class of ${AUTO_MODE_GROUP}, and karpenter.manage is true`,
      fix: 'write manage: false, or leave the karpenter block out: Auto Mode needs no role, queue, tags or Helm release',
    });
  if (karpenter.ok) found.push(...karpenter.value.flatMap((one) => checkKarpenter(one, commands)));
  if (clusterAutoscaler.ok) found.push(...bothAutoscalers(clusterAutoscaler.value, config, commands));
  return found;
}

function checkKarpenter(
  { namespace, name, image, ready, wanted }: ControllerFacts,
  { kubectl, headstart }: Commands,
): Finding[] {
  const version = /:v?(\d+)\.(\d+)[^@]*/.exec(image.replace(/^[^/]*:\d+\//, ''));
  const found: Finding[] = [];
  if (version && Number(version[1]) < 1)
    found.push({
      severity: 'error',
      about: 'Karpenter',
      problem: 'is older than 1.0 and does not serve karpenter.sh/v1',
      evidence: `${namespace}/${name} runs ${image}`,
      fix: `upgrade Karpenter; ${headstart('import', 'provisioner', 'FILE')} converts old Provisioners`,
    });
  if (ready === 0)
    found.push({
      severity: 'error',
      about: 'Karpenter',
      problem: 'is not running, so no nodes are launched',
      evidence: `${namespace}/${name}: 0 of ${wanted} replicas ready`,
      fix: `run ${kubectl('-n', namespace, 'describe', 'deployment', name)}`,
    });
  return found;
}

function bothAutoscalers(found: readonly ControllerFacts[], { nodePools }: Config, { headstart }: Commands): Finding[] {
  const running = found.filter(({ wanted }) => wanted > 0);
  const open = nodePools.filter(({ nodeSelector, nodeAffinity }) => {
    const keys = [...Object.keys(nodeSelector), ...nodeAffinity.map(({ key }) => key)];
    return !keys.includes(KARPENTER_NODEPOOL_LABEL);
  });
  if (running.length === 0 || open.length === 0) return [];
  return [
    {
      severity: 'warning',
      about: 'Cluster Autoscaler',
      problem: 'also scales up for headroom that is not bound to a Karpenter NodePool',
      evidence: `${running.map(({ namespace, name }) => `${namespace}/${name}`).join(', ')} runs, and ${open.map(({ name }) => name).join(', ')} has no ${KARPENTER_NODEPOOL_LABEL}`,
      fix: `add {key: ${KARPENTER_NODEPOOL_LABEL}, operator: Exists} to nodeAffinity, or move to Karpenter with ${headstart('migrate')}`,
    },
  ];
}

function isOfAutoMode({ nodeClassGroup }: NodePoolFacts): boolean {
  return nodeClassGroup === AUTO_MODE_GROUP;
}

/** Karpenter's version and feature gates, for the summary. */
export function karpenterText({ karpenter, nodePools }: KubeFacts): string | undefined {
  const [first] = karpenter.ok ? karpenter.value : [];
  const auto = nodePools.ok ? nodePools.value.filter(isOfAutoMode).map(({ name }) => name) : [];
  if (!first)
    return auto.length > 0
      ? `EKS Auto Mode: AWS runs Karpenter and owns the NodeClaims of ${auto.join(', ')}`
      : undefined;
  const tag = /:([^:@/]+)(@|$)/.exec(first.image)?.[1] ?? first.image;
  const gates = (first.env.FEATURE_GATES ?? '').split(',').filter((gate) => /=true$/i.test(gate));
  const on = gates.map((gate) => gate.replace(/=.*$/, ''));
  return `Karpenter ${tag}${on.length > 0 ? `, gates on: ${on.join(', ')}` : ''}`;
}
