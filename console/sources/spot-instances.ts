import type { NodeClaim } from '../../simulator/kube/objects';
import type { NodeView } from '../snapshot/snapshot';

/** Which of the ready spot nodes: one by its name, the first one, or a share of them. */
export type Choice = { readonly name: string } | 'first' | { readonly share: number };

/** The EC2 instances behind the chosen spot nodes. */
export function spotInstances(
  choice: Choice,
  nodes: readonly NodeView[],
  nodeClaims: readonly NodeClaim[],
): readonly string[] {
  const names = chosenNames(choice, nodes);
  return nodeClaims.flatMap(({ status }) => {
    const id = status?.providerID?.split('/').at(-1) ?? '';
    return names.includes(status?.nodeName ?? '') && id.startsWith('i-') ? [id] : [];
  });
}

function chosenNames(choice: Choice, nodes: readonly NodeView[]): readonly string[] {
  if (choice !== 'first' && 'name' in choice) return [choice.name];
  const spot = nodes.filter((node) => node.spot && node.state === 'ready').map(({ name }) => name);
  return spot.slice(0, choice === 'first' ? 1 : Math.ceil(spot.length * choice.share));
}
