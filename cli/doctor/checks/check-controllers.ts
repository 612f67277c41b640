import { AUTO_MODE_GROUP } from '../../../shared/core/karpenter/auto-mode';
import { readOr } from '../../kube/read';
import type { ControllerFacts, NodePoolFacts } from '../facts/loose-objects';
import type { KubeFacts } from '../facts/read-cluster-facts';
import { type Context, error, type Findings, warning } from './finding';

/** Karpenter must run, at a version with the v1 API. */
export function* checkControllers({ karpenter, nodePools }: KubeFacts, context: Context): Findings {
  if (!nodePools.ok && nodePools.notFound)
    yield error(
      'Karpenter',
      'is not installed, or older than 1.0 and without the API karpenter.sh/v1',
      nodePools.why,
      'install Karpenter 1.0 or newer; the karpenter block of the config can do that',
    );
  const pools = readOr(nodePools, []);
  if (context.config.karpenter?.manage && pools.length > 0 && pools.every(isOfAutoMode))
    yield warning(
      'EKS Auto Mode',
      'runs Karpenter for you, and the config asks for its prerequisites too',
      `every NodePool has a node class of ${AUTO_MODE_GROUP}, and karpenter.manage is true`,
      'write manage: false, or leave the karpenter block out: Auto Mode needs no role, queue, tags or Helm release',
    );
  for (const one of readOr(karpenter, [])) yield* checkKarpenter(one, context);
}

function* checkKarpenter(controller: ControllerFacts, { commands: { kubectl, headstart } }: Context): Findings {
  const { namespace, name, image, ready, wanted } = controller;
  const version = /:v?(\d+)\.(\d+)[^@]*/.exec(image.replace(/^[^/]*:\d+\//, ''));
  if (version && Number(version[1]) < 1)
    yield error(
      'Karpenter',
      'is older than 1.0 and does not serve karpenter.sh/v1',
      `${namespace}/${name} runs ${image}`,
      `upgrade Karpenter; ${headstart('import', 'provisioner', 'FILE')} converts old Provisioners`,
    );
  if (ready === 0)
    yield error(
      'Karpenter',
      'is not running, so no nodes are launched',
      `${namespace}/${name}: 0 of ${wanted} replicas ready`,
      `run ${kubectl('-n', namespace, 'describe', 'deployment', name)}`,
    );
}

function isOfAutoMode({ nodeClassGroup }: NodePoolFacts): boolean {
  return nodeClassGroup === AUTO_MODE_GROUP;
}

export function karpenterText({ karpenter, nodePools }: KubeFacts): string | undefined {
  const [first] = readOr(karpenter, []);
  const auto = readOr(nodePools, []).filter(isOfAutoMode);
  if (!first && auto.length === 0) return undefined;
  if (!first)
    return `EKS Auto Mode: AWS runs Karpenter and owns the NodeClaims of ${auto.map(({ name }) => name).join(', ')}`;
  const tag = /:([^:@/]+)(@|$)/.exec(first.image)?.[1] ?? first.image;
  const gates = (first.env.FEATURE_GATES ?? '').split(',').filter((gate) => /=true$/i.test(gate));
  const on = gates.map((gate) => gate.replace(/=.*/s, ''));
  return `Karpenter ${tag}${on.length > 0 ? `, gates on: ${on.join(', ')}` : ''}`;
}
