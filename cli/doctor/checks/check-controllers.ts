import { KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import type { ControllerFacts, KubeFacts } from '../facts/kube-facts';
import type { Finding } from './finding';

/** Karpenter must run, at a version with the v1 API; Cluster Autoscaler must not scale up for the headroom too. */
export function checkControllers({ karpenter, nodePools, clusterAutoscaler }: KubeFacts, config: Config): Finding[] {
  const found: Finding[] = [];
  if (!nodePools.ok && nodePools.notFound)
    found.push({
      severity: 'error',
      about: 'Karpenter',
      problem: 'is not installed, or older than 1.0 and without the API karpenter.sh/v1',
      evidence: nodePools.why,
      fix: 'install Karpenter 1.0 or newer; the karpenter block of the config can do that',
    });
  if (karpenter.ok) found.push(...karpenter.value.flatMap(checkKarpenter));
  if (clusterAutoscaler.ok) found.push(...bothAutoscalers(clusterAutoscaler.value, config));
  return found;
}

function checkKarpenter({ namespace, name, image, ready, wanted }: ControllerFacts): Finding[] {
  const version = /:v?(\d+)\.(\d+)[^@]*/.exec(image.replace(/^[^/]*:\d+\//, ''));
  const found: Finding[] = [];
  if (version && Number(version[1]) < 1)
    found.push({
      severity: 'error',
      about: 'Karpenter',
      problem: 'is older than 1.0 and does not serve karpenter.sh/v1',
      evidence: `${namespace}/${name} runs ${image}`,
      fix: 'upgrade Karpenter; headstart import provisioner converts old Provisioners',
    });
  if (ready === 0)
    found.push({
      severity: 'error',
      about: 'Karpenter',
      problem: 'is not running, so no nodes are launched',
      evidence: `${namespace}/${name}: 0 of ${wanted} replicas ready`,
      fix: `run kubectl -n ${namespace} describe deployment ${name}`,
    });
  return found;
}

function bothAutoscalers(found: readonly ControllerFacts[], { nodePools }: Config): Finding[] {
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
      fix: `add {key: ${KARPENTER_NODEPOOL_LABEL}, operator: Exists} to nodeAffinity, or move to Karpenter with headstart migrate`,
    },
  ];
}

/** What is worth knowing about Karpenter, for the summary. */
export function karpenterText({ karpenter }: KubeFacts): string | undefined {
  const [first] = karpenter.ok ? karpenter.value : [];
  if (!first) return undefined;
  const tag = /:([^:@/]+)(@|$)/.exec(first.image)?.[1] ?? first.image;
  const gates = (first.env.FEATURE_GATES ?? '').split(',').filter((gate) => /=true$/i.test(gate));
  const on = gates.map((gate) => gate.replace(/=.*$/, ''));
  return `Karpenter ${tag}${on.length > 0 ? `, gates on: ${on.join(', ')}` : ''}`;
}
