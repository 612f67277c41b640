import { priorityClassName } from '../../../shared/core/basics/names';
import { readOr } from '../../kube/read';
import type { PriorityClassFacts } from '../facts/loose-objects';
import type { KubeFacts } from '../facts/read-cluster-facts';
import { type Context, error, type Findings, warning } from './finding';

const VALUE = -10;
/** At and below this Karpenter treats a node with nothing but pause pods as empty (since 1.14). */
const EMPTY_TO_KARPENTER = -(2 ** 25);
/** Below this Cluster Autoscaler does not count pods. */
const EXPENDABLE = -10;

/** Our PriorityClass must be below every normal pod and above what Karpenter treats as empty. */
export function* checkPriority({ priorityClasses, clusterAutoscaler }: KubeFacts, context: Context): Findings {
  if (!priorityClasses.ok) return;
  const { kubectl, deploy } = context.commands;
  const ours = priorityClassName(context.config.cluster.namespace);
  const own = priorityClasses.value.find(({ name }) => name === ours);
  const about = `PriorityClass ${ours}`;
  if (!own)
    return yield error(
      about,
      'does not exist, so no pause pod can be created',
      `the cluster has ${priorityClasses.value.map(({ name }) => name).join(', ') || 'none'}`,
      `run ${deploy()} to create it`,
    );
  const { value, preemptionPolicy, globalDefault } = own;
  const remake = `a PriorityClass cannot be changed; run ${kubectl('delete', 'priorityclass', ours)}, then ${deploy()}`;
  const evidence = `value ${value}, expected ${VALUE}`;
  if (value >= 0) yield error(about, 'is not below normal pods, so they cannot preempt pause pods', evidence, remake);
  else if (value <= EMPTY_TO_KARPENTER)
    yield error(
      about,
      'is so low that Karpenter treats nodes with only pause pods as empty, removes them and launches new ones',
      evidence,
      remake,
    );
  else if (value < EXPENDABLE && readOr(clusterAutoscaler, []).some(({ wanted }) => wanted > 0))
    yield warning(about, 'is below -10, where Cluster Autoscaler ignores pods', evidence, remake);
  if (preemptionPolicy !== 'Never')
    yield warning(
      about,
      'lets pause pods preempt pods of even lower priority',
      `preemptionPolicy ${preemptionPolicy}, expected Never`,
      remake,
    );
  if (globalDefault)
    yield error(
      about,
      'is the global default, so normal pods have the same priority and cannot preempt pause pods',
      'globalDefault true',
      `run ${kubectl('patch', 'priorityclass', ours, '--type', 'merge', '-p', '{"globalDefault": false}')}`,
    );
  yield* otherDefault(priorityClasses.value, own);
}

function* otherDefault(classes: readonly PriorityClassFacts[], own: PriorityClassFacts): Findings {
  // A headroom class that is too high is a finding of its own; compare the default with where it should be.
  const line = Math.min(own.value, VALUE);
  for (const { name, globalDefault, value } of classes)
    if (globalDefault && name !== own.name && value <= line)
      yield error(
        `PriorityClass ${name}`,
        'is the global default and not above the headroom, so normal pods cannot preempt pause pods',
        `globalDefault true, value ${value}; ${own.name} has ${own.value}`,
        `give your workloads a priorityClassName above ${own.value}, or create a default class with value 0`,
      );
}
